"""What discharges a sentence, in order: itself, its neighbours, the other texts of its tool."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from scaup.pipeline.text.rows import AgentText
from scaup.rules.lexicon import family, read
from scaup.rules.lexicon.reading import Reading, Sentence


def discharged(
    reading: Reading,
    sentence: Sentence,
    reasons: Mapping[str, str],
    *,
    near: Sequence[str] = (),
    others: Sequence[str] = (),
    within: Sequence[str] = (),
) -> str | None:
    """Return the reason of the first family that discharges a sentence.

    `reasons` has the families that do within the sentence, with the reason of each; those in `near` also do from a
    neighbour, those in `within` from the texts in `others`.
    """
    if (name := _first_of(reasons, sentence)) is not None:
        return reasons[name]
    if near and (name := _first_of(near, *reading.near(sentence))) is not None:
        return reasons[name]
    for other in others:
        if (name := _first_of(within, *read(other).sentences)) is not None:
            return reasons[name]
    return None


_WAITING = re.compile(r"_a?wait(?:$|[_(])|^a?wait_[a-z]")
# What looks like the one and is not: a time that has passed, an event after which nothing is to be seen.
_UNDONE = {"bound": "elapsed", "trigger": "no_trigger"}


def _first_of(names: Iterable[str], *sentences: Sentence) -> str | None:
    """Return the first family that one of the sentences holds."""
    for name in names:
        for sentence in sentences:
            if name == "waits" and any(_WAITING.search(token.text) for token in sentence.tokens):
                return name  # `export_wait`, `wait_for_build()`
            matches = family(name).asserted(sentence)
            if name not in _UNDONE:
                if next(matches, None) is not None:
                    return name
                continue
            undone = list(family(_UNDONE[name]).find(sentence))
            if any(
                not any(one.first <= match.first <= one.last or one.first <= match.last <= one.last for one in undone)
                for match in matches
            ):
                return name
    return None


# `code` in front of a dash or colon: what stands behind it says what that code does.
_DEFINES = re.compile(r"^[\W_]*(?:`[^`\n]+`[^\w`\n]{0,4}(?:[—–:|=-]|\bis\b)|\*\*[^*\n]+\*\*\s*(?:[—–-]|->))")
DOCUMENTS = frozenset({"instructions", "prompt"})
_LABEL = 4  # words


def is_label(text: AgentText, sentence: Sentence) -> bool:
    """Whether a sentence of a document orders nothing: a heading or cell of few words, or the meaning of some code."""
    if text.surface not in DOCUMENTS:
        return False
    words = [token for token in sentence.tokens if token.text[:1].isalpha()]
    short = len(words) <= _LABEL and not sentence.raw.rstrip().endswith((".", "!")) and "until" not in sentence.words
    return short or (sentence.index == 0 and _DEFINES.match(text.text) is not None)


def names_step(text: AgentText, sentence: Sentence) -> bool:
    """Whether a document names a step of a procedure: a look that no word makes a loop, or that gates the next."""
    if text.surface not in DOCUMENTS:
        return False
    return not family("loops_on").touches(sentence) or family("gate").touches(sentence)
