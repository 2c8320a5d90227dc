"""Words: how often each stands in the name, signature, doc and body of each symbol."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence

from scaup.pipeline.languages.definitions import Definition
from scaup.pipeline.languages.rows import Rows
from scaup.pipeline.languages.symbols import Texts
from scaup.pipeline.languages.tokens import count_words, hash64
from scaup.pipeline.languages.unit import Unit

NAME, SIGNATURE, DOC, BODY = 0, 2, 3, 4


class Vocabulary(dict[str, int]):
    """The ids of words, each worked out once, and the words of these ids."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[int, str] = {}

    def __missing__(self, word: str) -> int:
        word_id = self[word] = hash64(word)
        self.texts[word_id] = word
        return word_id


class WordCounts:
    """The words of one file, to be added to the rows at once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.word_ids: list[int] = []
        self.occurrences: list[int] = []
        # (symbol, field, how many different words)
        self.runs: list[tuple[int, int, int]] = []

    def add(self, symbol_id: int, field: int, counted: dict[str, int]) -> None:
        """Add the counts of one field of a symbol."""
        self.word_ids.extend(map(self.vocabulary.__getitem__, counted))
        self.occurrences.extend(counted.values())
        self.runs.append((symbol_id, field, len(counted)))

    def write(self, rows: Rows) -> None:
        """Add the rows of word_counts, and of the words that the reader has not had."""
        word_ids, symbols, fields, occurrences = rows.words
        word_ids.fromlist(self.word_ids)
        occurrences.fromlist(self.occurrences)
        for symbol_id, field, number in self.runs:
            symbols.extend(array("q", (symbol_id,)) * number)
            fields.extend(array("q", (field,)) * number)
        new = set(self.word_ids).difference(rows.sent)
        texts = self.vocabulary.texts
        rows.new_words.extend((word_id, texts[word_id]) for word_id in new)
        rows.sent.update(new)


def write(vocabulary: Vocabulary, unit: Unit, texts: Sequence[Texts], rows: Rows) -> None:
    """Add how often a word stands in each field of each symbol; a body without the words of the language itself."""
    keywords = unit.syntax.keywords
    bodies = _bodies(unit)
    counts = WordCounts(vocabulary)
    for definition, (signature, doc) in zip(unit.ownership.symbols, texts, strict=True):
        symbol_id = definition.symbol_id
        counts.add(symbol_id, NAME, count_words(definition.qualname.encode()))
        if signature:
            counts.add(symbol_id, SIGNATURE, count_words(signature.encode()))
        if doc:
            counts.add(symbol_id, DOC, count_words(doc.encode()))
        body = bodies[definition]
        for keyword in keywords.intersection(body):
            del body[keyword]
        counts.add(symbol_id, BODY, body)
    counts.write(rows)


def _bodies(unit: Unit) -> dict[Definition, Counter[str]]:
    """Return the words of each symbol's own text: what no symbol in it owns."""
    source, ownership = unit.source, unit.ownership
    own: dict[Definition, list[bytes]] = {definition: [] for definition in ownership.symbols}
    ends = [*ownership.bounds[1:], len(source)]
    for start, end, owner in zip(ownership.bounds, ends, ownership.owners, strict=True):
        definition = owner or ownership.module
        if definition is not None and end > start:
            own[definition].append(source[start:end])
    return {definition: count_words(b"\n".join(parts)) for definition, parts in own.items()}
