"""Stage index: terms for words, paths, called names and messages of commits; the index itself is index.sql."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from scaup.pipeline.languages.tokens import hash64, terms_of, words
from scaup.pipeline.stages.graph import sql
from scaup.pipeline.store import Writer


class Terms:
    """The terms of words, each worked out once; new ones are to be added to the vocabulary."""

    def __init__(self) -> None:
        self.of_word: dict[str, tuple[int, ...]] = {}
        self.id_of: dict[str, int] = {}

    def ids(self, word: str) -> tuple[int, ...]:
        """Return the ids of a word's terms."""
        known = self.of_word.get(word)
        if known is None:
            known = self.of_word[word] = tuple(map(self.id, terms_of(word)))
        return known

    def id(self, term: str) -> int:
        """Return the id of a term."""
        known = self.id_of.get(term)
        if known is None:
            known = self.id_of[term] = hash64(term)
        return known

    def counted(self, text: str) -> Counter[int]:
        """Return how often each term stands in a text."""
        counts: Counter[int] = Counter()
        for word, number in Counter(words(text)).items():
            for term in self.ids(word):
                counts[term] += number
        return counts


def run(writer: Writer, *, with_history: bool) -> None:
    """Index the words of new symbols; with a new history, the messages of all commits too."""
    con, terms = writer.con, Terms()
    con.execute(
        "CREATE OR REPLACE TEMP TABLE new_symbols AS "
        "SELECT symbol_id, path FROM symbols WHERE symbol_id IN (SELECT symbol_id FROM word_counts)"
    )
    word_ids: list[int] = []
    term_ids: list[int] = []
    for word_id, word in con.execute("SELECT DISTINCT word_id, word FROM words").fetchall():
        found = terms.ids(word)
        word_ids.extend([word_id] * len(found))
        term_ids.extend(found)
    con.execute("CREATE OR REPLACE TEMP TABLE word_terms (word_id BIGINT, term_id BIGINT)")
    writer.append("word_terms", {"word_id": word_ids, "term_id": term_ids})
    _texts(writer, terms, "path_terms", "path", "SELECT DISTINCT path FROM new_symbols")
    _texts(
        writer, terms, "callee_terms", "callee",
        "SELECT DISTINCT callee FROM calls WHERE caller IN (SELECT symbol_id FROM new_symbols)",
    )  # fmt: skip
    if with_history:
        messages(writer, terms)
    con.execute("CREATE OR REPLACE TEMP TABLE new_terms (term_id BIGINT, term VARCHAR)")
    writer.append("new_terms", {"term_id": list(terms.id_of.values()), "term": list(terms.id_of)})
    con.execute(
        "INSERT INTO internal.vocabulary SELECT term_id, term FROM new_terms "
        "WHERE term_id NOT IN (SELECT term_id FROM internal.vocabulary) ORDER BY term_id"
    )
    con.execute(sql("index"))


def messages(writer: Writer, terms: Terms) -> None:
    """Index the messages of commits: the history lane."""
    con = writer.con
    rows = con.execute("SELECT sha, concat_ws(' ', subject, body) FROM commits ORDER BY sha").fetchall()
    con.execute("CREATE OR REPLACE TEMP TABLE message_terms (sha VARCHAR, term_id BIGINT, occurrences INTEGER)")
    _counts(writer, terms, "message_terms", "sha", rows)
    con.execute("DELETE FROM internal.commit_lengths")
    con.execute(
        "INSERT INTO internal.commit_lengths SELECT row_number() OVER (ORDER BY sha), sha, files, "
        "length(coalesce(subject, '')) + length(coalesce(body, '')) FROM commits ORDER BY sha"
    )
    con.execute("DELETE FROM internal.commit_terms")
    con.execute(
        "INSERT INTO internal.commit_terms SELECT term_id, commit, least(occurrences, 65535) "
        "FROM message_terms JOIN internal.commit_lengths USING (sha) ORDER BY term_id, commit"
    )


def _texts(writer: Writer, terms: Terms, table: str, column: str, query: str) -> None:
    """Make a temporary table with the terms of each text that a query yields."""
    rows = [(text, text) for (text,) in writer.con.execute(query).fetchall()]
    writer.con.execute(f"CREATE OR REPLACE TEMP TABLE {table} ({column} VARCHAR, term_id BIGINT, occurrences INTEGER)")
    _counts(writer, terms, table, column, rows)


def _counts(writer: Writer, terms: Terms, table: str, column: str, rows: Iterable[tuple[str, str]]) -> None:
    """Append a row for each key and term of its text."""
    keys: list[str] = []
    term_ids: list[int] = []
    numbers: list[int] = []
    for key, text in rows:
        counted = terms.counted(text)
        keys.extend([key] * len(counted))
        term_ids.extend(counted)
        numbers.extend(counted.values())
    writer.append(table, {column: keys, "term_id": term_ids, "occurrences": numbers})
