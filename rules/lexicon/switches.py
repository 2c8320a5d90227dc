"""Arguments that turn a behaviour off: whether the description of a sibling takes back what a sentence says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scaup.rules.lexicon import family, read
from scaup.rules.lexicon.reading import Sentence


def switched_off_by(sentence: Sentence, siblings: Mapping[str, str]) -> str | None:
    """Return the name of the first sibling argument that turns off what a sentence says; None where none does."""
    said = set(stems(sentence.words))
    for name, description in siblings.items():
        for other in read(description).sentences:
            if family("turned_off").touches(other) and said & set(stems(other.words)) - set(stems(name.split("_"))):
                return name
    return None


def stems(words: object) -> Iterator[str]:
    """Yield the stems of words that carry meaning."""
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    for word in words:  # type: ignore[attr-defined]
        if len(word) > 2 and word.isalpha() and word not in _COMMON:
            yield stemmer.stemWord(word)


_COMMON = frozenset(
    ("the", "and", "for", "not", "are", "its", "has", "all", "any", "set", "you", "can", "when", "true", "false", "this", "that", "with", "from", "will", "value", "default", "into", "then", "there", "have", "been",
     "only", "also", "each", "every", "what", "which", "whether", "returns", "return", "given", "instead", "without")
)  # fmt: skip


def capped_by(sentence: Sentence, siblings: Mapping[str, str]) -> str | None:
    """Return the name of the first sibling argument that leaves out some of what a sentence says to be all."""
    said = set(stems(sentence.words))
    for name, description in siblings.items():
        about = set(stems(name.lower().replace("-", "_").split("_")))
        for other in read(description).sentences:
            if family("left_out").holds(other) and said & (about | set(stems(other.words))):
                return name
    return None


def unsafe_by(siblings: Mapping[str, str]) -> str | None:
    """Return the name of the first sibling argument that makes a repetition matter: it adds, overwrites or deletes."""
    for name, description in siblings.items():
        if any(family("not_idempotent").holds(other) for other in read(description).sentences[:1]):
            return name
    return None
