"""Stage index: terms for the words that parsing found, and for the messages of commits; the index itself is index.sql."""

from __future__ import annotations

from collections import Counter

from scaup.pipeline.languages.tokens import hash64, terms_of, words
from scaup.pipeline.stages.graph import sql
from scaup.pipeline.store import Writer


def run(writer: Writer, *, with_history: bool) -> None:
    """Index the words of new symbols; with a new history, the messages of all commits too."""
    con = writer.con
    con.execute("CREATE OR REPLACE TEMP TABLE word_terms (word_id BIGINT, term_id BIGINT, term VARCHAR)")
    word_ids: list[int] = []
    texts: list[str] = []
    for word_id, word in con.execute("SELECT DISTINCT word_id, word FROM words").fetchall():
        for term in terms_of(word):
            word_ids.append(word_id)
            texts.append(term)
    writer.append("word_terms", {"word_id": word_ids, "term_id": [hash64(t) for t in texts], "term": texts})
    con.execute(sql("index"))
    if with_history:
        messages(writer)


def messages(writer: Writer) -> None:
    """Index the messages of commits: the history lane."""
    con = writer.con
    con.execute("DELETE FROM internal.commit_terms")
    terms: list[str] = []
    shas: list[str] = []
    counts: list[int] = []
    for sha, subject, body in con.execute("SELECT sha, subject, body FROM commits ORDER BY sha").fetchall():
        counted: Counter[str] = Counter()
        for word, number in Counter(words(f"{subject or ''} {body or ''}")).items():
            for term in terms_of(word):
                counted[term] += number
        terms.extend(counted)
        shas.extend([sha] * len(counted))
        counts.extend(min(n, 65535) for n in counted.values())
    con.execute(
        "CREATE OR REPLACE TEMP TABLE message_terms (term_id BIGINT, term VARCHAR, sha VARCHAR, occurrences INTEGER)"
    )
    ids = {term: hash64(term) for term in set(terms)}
    writer.append(
        "message_terms", {"term_id": [ids[t] for t in terms], "term": terms, "sha": shas, "occurrences": counts}
    )
    con.execute(
        "INSERT INTO internal.commit_terms SELECT term_id, sha, occurrences FROM message_terms ORDER BY term_id, sha"
    )
    con.execute(
        "INSERT INTO internal.vocabulary SELECT DISTINCT term_id, term FROM message_terms "
        "WHERE term_id NOT IN (SELECT term_id FROM internal.vocabulary) ORDER BY term_id"
    )
