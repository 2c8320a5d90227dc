"""Claims that work is done, and the ground that they rest on. Class D."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

from scaup.rules.lexicon.families import Match, family, group
from scaup.rules.lexicon.reading import Sentence

CLAIMS = ("claims_success", "weak_claim", "put_down_as")

# A claim with one of these says that something is open.
_OPEN = frozenset({
    "which", "what", "whether", "how", "may", "might", "could", "possibly", "perhaps", "probably", "if", "when",
    "until", "would", "who", "where", "only", "once", "unless", "why", "no", "none", "neither", "nothing", "failed",
    "unverified", "except", "because", "still", "not", "so",
})  # fmt: skip
_NONE = frozenset({"no", "none", "zero", "0", "without", "neither"})
# What may be lacking: `no access` is a ground, `no failures` is not.
_MEANS = frozenset({
    "access", "way", "time", "means", "network", "permission", "test", "tests", "internet", "credentials",
    "environment", "sandbox", "connection", "budget", "proof", "evidence", "matter", "need", "point", "use",
    "reason", "answer", "response", "reply", "longer",
})  # fmt: skip


# What is told of a gap; what spares the reader a look; what ties a claim to one.
_FAULTS = frozenset({
    "error", "errors", "failure", "failures", "failed", "problem", "problems", "warning", "warnings", "missing",
    "partial", "gap", "gaps", "skipped", "incomplete", "unfinished",
})  # fmt: skip
_SPARING = frozenset({
    "not", "never", "no", "without", "skip", "skipping", "pointless", "needless", "unnecessary", "bother", "rather",
    "instead",
})  # fmt: skip
_TIES = frozenset({"only", "until", "unless", "before", "after", "once", "when"})
# Behind these a verb's form is a noun: `the log`, `each report`.
_DETERMINERS = frozenset({
    "the", "a", "an", "your", "its", "their", "this", "that", "each", "every", "no", "of", "any", "our",
})  # fmt: skip

_SIGNS = frozenset({"green", "check", "tick", "checkmark", "success"})

_BE = frozenset({
    "passes", "pass", "goes", "go", "qualifies", "stands", "is", "are", "be", "been", "being", "get", "gets",
    "counts", "count", "as", "you", "your", "the", "a",
})  # fmt: skip
_INSTEAD = frozenset({"before", "until", "unless", "without", "instead", "avoid", "than", "not", "never"})
_TELLING = frozenset({
    "mention", "write", "confirm", "note", "promise", "show", "assume", "take", "trust", "conclude", "believe",
    "accept", "signal", "reflect", "convey", "presume", "suppose", "infer", "insist", "maintain", "let", "act",
    "proceed", "continue", "behave", "certify", "reassure", "pretend", "close", "resolve", "archive",
})  # fmt: skip
# What a verb in its base form stands behind where it is an order or a permission.
_ORDERING = frozenset({
    "to", "you", "may", "can", "should", "must", "and", "then", "or", "please", "just", "simply", "also", "shall",
    "will", "always", "still", "could", "might", "agents", "directly", "immediately", "safely", "now", "either",
    "so", "nonetheless", "nevertheless", "anyway", "instead", "even", "ahead", "up", "off", "first", "next",
    "finally", "only", "do", "better", "through", "here", "quietly", "again", "but", "already", "not", "never",
})  # fmt: skip

_SAYS = frozenset({
    "reports", "report", "says", "say", "asks", "ask", "mentions", "complains", "describes", "claims", "thinks",
})  # fmt: skip
_TOLD_WITHIN = 15  # tokens
_FINITE = frozenset({"is", "are", "was", "were", "has", "have", "had", "been"})
_HABITUAL = frozenset({",", "always", "then", "automatically", "also", "usually", "typically", "to"})  # how things go
_WENT = frozenset({
    "worked", "works", "succeeded", "succeeds", "passed", "passes", "pass", "compiles", "ran", "finished",
    "completed", "landed", "arrived", "went", "hold", "holds",
})  # fmt: skip
_STOPS = frozenset({".", ";", "!", "?", "—", "...", ""})
_ALL_THE_SAME = frozenset({
    "regardless", "nonetheless", "nevertheless", "anyway", "anyhow", "all", "even", "either", "by",
})  # fmt: skip
_CLAUSE_ENDS = _STOPS | {",", ":", "(", ")", "and", "so", "but"}
_OPEN_CLAUSE = frozenset({
    "if", "when", "once", "until", "unless", "whether", "that", "which", "who", "where", "after", "what", "how",
    "only", "may", "might", "not", "no", "before", "while", "nothing", "none", "to", "because", "since", "as",
})  # fmt: skip


def is_order(match: Match) -> bool:
    """Whether what a match begins with is told to the reader: nothing that comes `before`, or `instead`."""
    before = [token.text for token in match.sentence.tokens[max(0, match.first - 2) : match.first]]
    return not _INSTEAD.intersection(before) and is_verb(match)


def is_verb(match: Match) -> bool:
    """Whether the verb that a match begins with is one, and not a noun or what somebody else does.

    In its base form it stands at the start of a clause or behind what makes it an order; any form but a passive one
    stands behind no determiner.
    """
    tokens, first = match.sentence.tokens, match.first
    word = tokens[first].text
    if word in _SIGNS or word in _BE or not first:
        return True
    before = tokens[first - 1].text
    if before in _DETERMINERS:
        return False
    return word not in _verbs() or before in _ORDERING or before in _CLAUSE_ENDS


@cache
def _verbs() -> frozenset[str]:
    names = ("say_done:base", "hold_done:base", "mark:base", "put:base", "move_card:base")
    return frozenset(word for name in names for word in group(name)) | _TELLING


def apart(one: Match, other: Match) -> bool:
    """Whether two matches of a sentence share no token."""
    return one.last < other.first or other.last < one.first


def chosen(matches: Iterable[Match]) -> Match | None:
    """Return the first match that is not denied, or else the first, or None."""
    first: Match | None = None
    for match in matches:
        if not match.negated:
            return match
        first = first or match
    return first


def resting(sentence: Sentence, grounds: Iterable[str]) -> Iterator[Match]:
    """Yield the claims of success in a sentence that rest on one of the grounds, and on nothing better."""
    names = [name for name in grounds if family(name).possible(sentence.words)]
    if not names:
        return
    for claim in (*family("claims_success").asserted(sentence), *_put_down(sentence), *told(sentence)):
        is_open = claim.family != "told_that" and _OPEN.intersection(claim.text.split())
        if not is_open and is_order(claim) and _stands_on(claim, names):
            yield claim
    if not family("about_proof").touches(sentence) or "unasked_ground" not in names:
        return
    for claim in family("weak_claim").asserted(sentence):
        if not _OPEN.intersection(claim.text.split()) and is_order(claim) and _stands_on(claim, ["unasked_ground"]):
            yield claim


def told(sentence: Sentence) -> Iterator[Match]:
    """Yield orders to tell that something was done, up to the word that says so."""
    for match in family("told_that").asserted(sentence):
        end = _predicate(sentence, match.last + 1, match.last + _TOLD_WITHIN)
        if end is not None:
            yield Match("told_that", sentence, match.first, end)


def flats(sentence: Sentence, *, perfect: bool = False) -> Iterator[Match]:
    """Yield what a sentence states to be done, without a condition in its clause.

    With `perfect`, any verb behind `has been` counts.
    """
    words = sentence.closed
    for at, word in enumerate(words):
        if word not in _FINITE or not at:
            continue
        end = _state(words, at, within=3)
        if end is None or words[end + 1] not in _CLAUSE_ENDS | _ALL_THE_SAME:
            continue
        if words[end].endswith("ed") and words[end] not in _states() and not (perfect and words[at + 1] == "been"):
            continue
        start = at
        while start and words[start - 1] not in _CLAUSE_ENDS:
            start -= 1
        if not _OPEN_CLAUSE.intersection(words[start:at]):
            yield Match("flat", sentence, start, end)


def _predicate(sentence: Sentence, at: int, upto: int) -> int | None:
    words = sentence.closed
    begun = at
    if words[at] == ":":
        return None
    while at < min(upto, len(words) - 1) and words[at] not in _STOPS and words[at] not in _OPEN:
        if words[at] in _FINITE and at > begun and (end := _state(words, at, within=3)) is not None:
            return end
        if words[at] in _WENT and at > begun and words[at - 1] not in _DETERMINERS:
            return at
        at += 1
    return None


def _state(words: tuple[str, ...], at: int, within: int) -> int | None:
    """Return the last token of a state of done work that a form of `to be` at a place leads to."""
    for here in range(at + 1, min(at + 1 + within, len(words) - 1)):
        if words[here] in _STOPS or words[here] in _OPEN or words[here] in _HABITUAL:
            return None
        for length in (5, 4, 3, 2, 1):
            if " ".join(words[here : here + length]) in _states():
                return here + length - 1
        if words[here].endswith("ed") and len(words[here]) > 4 and words[here] not in group("not_success"):
            return here
    return None


@cache
def _states() -> frozenset[str]:
    return group("outcome") | group("good_state")


def asks_for_evidence(sentence: Sentence, claim: Match | None = None) -> bool:
    """Whether a sentence ties success to evidence, in words that are not those of the claim itself."""
    return any(
        not _spared(demand) and not _of_claim(demand, claim) for demand in family("demands_evidence").find(sentence)
    )


def _spared(demand: Match) -> bool:
    """Whether the evidence is what the reader is spared, or a failure what must not be told."""
    sentence, first = demand.sentence, demand.first
    opening = sentence.tokens[first].text
    if opening in ("not", "never"):
        behind = {token.text for token in sentence.tokens[demand.last + 1 : demand.last + 6]}
        return bool(behind & _FAULTS) and not behind & group("vouched")
    start = max(sentence.clause_start(first), first - 4)
    return opening not in _TIES and bool(_SPARING & {token.text for token in sentence.tokens[start:first]})


def _of_claim(demand: Match, claim: Match | None) -> bool:
    if claim is None or demand.sentence.tokens[demand.first].text not in ("after", "once", "when"):
        return False
    return claim.first <= demand.last <= claim.last


def _put_down(sentence: Sentence) -> Iterator[Match]:
    """Yield orders to put something down as a participle that says that work was done: `as measured`."""
    for match in family("put_down_as").asserted(sentence):
        said = match.text.split()[-1]
        if said.endswith("ed") and said not in group("not_success"):
            yield match


def _stands_on(claim: Match, grounds: Iterable[str]) -> bool:
    sentence = claim.sentence
    behind = sentence.closed[claim.last + 1 : claim.last + 6]
    if "not" in behind and behind[0] in ("and", "but", ",", "for"):
        return False  # what is not done is told as well
    said = claim.text.split()[-1]
    found = [
        m
        for name in grounds
        for m in family(name).find(sentence)
        if not m.negated
        and apart(m, claim)
        and not _none_of_it(m)
        and not is_hearsay(m)
        and (said not in m.text.split() or "not" in m.text.split())
    ]
    if not found:
        return False
    ground = found[0]
    discharges = [*family("makes_good").asserted(sentence)]
    discharges += [m for m in family("demands_evidence").find(sentence) if not _spared(m)]
    return not any(apart(match, claim) and apart(match, ground) for match in discharges)


def is_hearsay(match: Match) -> bool:
    """Whether it holds what somebody says: `if the user reports an error`."""
    words = match.text.split()
    return any(word in group("person") and after in _SAYS for word, after in pairwise(words))


def _none_of_it(ground: Match) -> bool:
    words = ground.text.split()
    if ground.family == "unasked_ground":
        return False
    return any(word in _NONE and not _MEANS.intersection(words[at + 1 : at + 4]) for at, word in enumerate(words))
