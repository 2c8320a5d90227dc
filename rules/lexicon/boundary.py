"""Whether a promise is bounded: a lifetime, a failure or an exception that is more than the event it waits for."""

from __future__ import annotations

from collections.abc import Sequence

from scaup.rules.lexicon.families import Match, family, group
from scaup.rules.lexicon.reading import BORDERS, Sentence

_CONDITIONS = frozenset(("if", "when", "whenever", "once", "after", "should", "as", "in"))
_MOMENTS = frozenset(("on", "at", "by", "before"))
_BREAKS = BORDERS | frozenset((",", "(", ")", "and", "but", "or"))
_ALONE = frozenset(("its", "their", "automatically", "itself"))
_STARTED = frozenset(("starts", "start", "triggers", "trigger", "opens", "begins", "causes", "your"))
_PLACES = frozenset(("chat", "conversation"))
_INTO = frozenset(("in", "into", "to", "inside"))


def bounds(name: str, sentence: Sentence, promises: Sequence[Match] = ()) -> bool:
    """Say whether a family of boundaries holds in a sentence, and the match is more than the event of a promise.

    `promises` are those that the sentence makes. `You are told when the job fails` names no failure of the telling,
    and `saved when the session ends` no lifetime.
    """
    return any(not _idle(match) and not _event_of(match, promises) for match in family(name).asserted(sentence))


def first_bound(names: Sequence[str], sentence: Sentence, promises: Sequence[Match] = ()) -> str | None:
    """Return the first of the families that bounds a sentence."""
    return next((name for name in names if bounds(name, sentence, promises)), None)


def _idle(match: Match) -> bool:
    """Whether the words bound nothing: `so there is no need to …`, `until it succeeds`, `added to this chat`."""
    sentence, words = match.sentence, match.sentence.closed[match.first : match.last + 1]
    if match.family == "exception" and words[0] in {"a", "the"}:  # a snapshot
        return True
    if match.family == "exception" and words[0] == "until":
        return family("unending").touches(sentence)
    if match.family == "fallback" and words[0] in _CONDITIONS and "," in words:
        return True  # `when you delegate, do not linger`
    if (
        match.family == "lifetime"
        and words[0] in {"survives", "survive"}
        and (set(words[1:]) & _ALONE or not words[1:])
    ):
        return True
    if (
        match.family == "lifetime"
        and words[0] in {"next", "following"}
        and _STARTED & set(sentence.closed[: match.first][-4:])
    ):
        return True  # `starts your next turn`
    if match.family == "fallback" and any(one.first == match.last for one in family("reassurance").find(sentence)):
        return True  # `when it exits, so there is no need to …`
    before = sentence.closed[match.first - 1] if match.first else ""
    if words[0] not in {"this", "current", "same", "present"}:
        return False
    if before in {"the", "your"} and match.first > 1:
        before = sentence.closed[match.first - 2]
    return before in group("end_verb") or (words[-1] in _PLACES and before in _INTO)


def _event_of(match: Match, promises: Sequence[Match]) -> bool:
    words = match.sentence.closed
    start = match.first
    before = words[start - 1] if start else ""
    ended = words[start] in {"the", "your", "this"} and family("ended").holds(match.sentence)
    if ended and start and before in _CONDITIONS:
        start, before = start - 1, words[start - 2] if start > 1 else ""
    if words[start] not in _CONDITIONS and words[start] not in _MOMENTS:
        return False
    if words[start] in _MOMENTS and not family("ended").holds(match.sentence):
        return False
    if any(start <= one.first <= max(match.last, start + 6) for one in family("restarted").find(match.sentence)):
        return False
    if start and before not in _BREAKS:
        return any(one.first < start and not BORDERS.intersection(words[one.last + 1 : start]) for one in promises)
    comma = next((at for at in range(start, len(words)) if words[at] == ","), None)
    return comma is not None and any(
        comma < one.last and one.first <= comma + 9 and not BORDERS.intersection(words[start : one.first])
        for one in promises
    )
