"""Whether a text names what ends an absolute statement, in the sentence or beside it."""

from __future__ import annotations

from collections.abc import Iterable

from scaup.rules.lexicon.families import family
from scaup.rules.lexicon.reading import Reading, Sentence


def names_exception(reading: Reading, sentence: Sentence, arguments: Iterable[str] = ()) -> bool:
    """Whether the sentence has an `unless`, names an argument, or a neighbour names the breaking event."""
    if next(family("exception").used(sentence), None) is not None or names_any(sentence, arguments):
        return True
    return any(
        family("breaker_named").touches(other)
        or (next(family("exception").used(other), None) is not None and opens_with_exception(other))
        for other in reading.near(sentence)
    )


def opens_with_exception(sentence: Sentence) -> bool:
    """Whether a sentence begins with its exception, and so may limit the one before: `Except for …`, `Unless …`."""
    match = next(family("exception").used(sentence), None)
    return match is not None and match.first <= 1


def names_any(sentence: Sentence, arguments: Iterable[str]) -> bool:
    """Whether a sentence names one of the arguments, as a word of its own or in code."""
    return any(f" {name.lower()} " in sentence.stream for name in arguments)
