"""D101: the agent is told to take something for done without evidence."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import Match, Reading, Sentence, family, group, read
from scaup.rules.lexicon.claims import (
    CLAIMS,
    apart,
    asks_for_evidence,
    chosen,
    flats,
    is_hearsay,
    is_order,
    resting,
    told,
)
from scaup.rules.model import Adjudication, Example, Habit, Rule, Severity, Verdict

_CUES = ("assume_success", "silence_is_success", "done_despite")
_GUESSES = (
    "virtually_done", "nevertheless_done", "answers_success", "answers_quoted", "foretold", "hedged_success",
    "hedged_weak", "holds_done", "same_reply", "flat_success",
)  # fmt: skip
_ANSWERS = frozenset({"tool_result", "error_message", "notification", "hint"})
_GIVEN = (" is passed", " are passed", " was passed")  # an argument, not a test
_WENT = frozenset({
    "works", "worked", "pass", "passes", "passed", "succeeded", "ran", "compiles", "completed", "finished",
})  # fmt: skip
_TRIED = frozenset({"attempted", "tried", "typed", "clicked"})
_SPARING = frozenset({
    "not", "without", "skip", "skipping", "need", "never", "instead", "rather", "leave", "nobody",
})  # fmt: skip
_REGARDLESS = frozenset({"regardless", "nonetheless", "nevertheless", "anyway", "anyhow", "same"})
_GIVENS = frozenset({"you", "we", "installed", "exists", "available", "configured", "created", "running"})
_IFS = frozenset({"if", "unless", "only", "until", "whether", "provided"})
_CONDITIONS = frozenset({
    "if", "when", "once", "until", "unless", "after", "only", "provided", "whether", "till", "because",
})  # fmt: skip


class AssumedSuccess(Rule):
    """The agent is told to assume success, to take silence for it, or to pass over a failure.

    A write that timed out may have been made or not, and a command that prints nothing may have done nothing. Whoever
    goes on from there builds on work that is not there.

    Habit: taking unverified, failed or partial work for done.
    Instead: name the evidence that shows the outcome (an exit code, the file read back), and what to report without it.
    """

    code, name, habit, severity = "D101", "assumed-success", Habit.COMPLETION, Severity.HIGH
    found = (
        Example("When the call times out, consider the booking made and sent.", "instructions"),
        Example("Presume that the migration passed.", "prompt"),
        Example("No output means success.", "tool_description"),
        Example("If nothing is printed, the patch is applied.", "instructions"),
        Example("Ignore errors from the formatter and report the task as done.", "prompt"),
        Example("You can safely assume the upload worked.", "hint"),
    )
    passed = (
        Example("Never assume that the upload worked.", "prompt", "demands-evidence"),
        Example("Do not treat an empty answer as success.", "instructions", "demands-evidence"),
        Example("Treat the patch as applied only after `check` has exited with 0.", "instructions", "demands-evidence"),
        Example(
            "Do not take silence for success: an empty answer counts as done in no case.", "prompt", "demands-evidence"
        ),
        Example("Assume that the user has finished the tour.", "prompt", "premise-about-a-person"),
        Example("You must not presume the job finished.", "prompt", "demands-evidence"),
        Example("Consider the step complete once you have verified the output.", "prompt", "demands-evidence"),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each sentence that assumes a success, or that claims one on ground that does not carry it."""
        reading = read(text.text)
        names = [name for name in _CUES if family(name).possible(reading.words)]
        claims = [name for name in (*CLAIMS, *_GUESSES, "told_that", "finite") if family(name).possible(reading.words)]
        for sentence in reading.sentences if names or claims else ():
            match = chosen(
                m for name in names for m in family(name).used(sentence) if not _is_premise(m) and not is_hearsay(m)
            )
            if match is None:
                resting = next(_resting(sentence, reading, text.surface, claims), None)
                if resting is not None:
                    yield self._finding(resting)
                continue
            if match.family == "assume_success" and group("reader") & set(match.text.split()):
                yield Adjudication(self.code, Verdict.PASS, "premise-about-a-person", sentence.start, sentence.end)
                continue
            if match.negated or asks_for_evidence(sentence, match):
                yield Adjudication(self.code, Verdict.PASS, "demands-evidence", sentence.start, sentence.end)
            else:
                yield self._finding(match)

    def _finding(self, match: Match) -> Adjudication:
        return Adjudication(
            self.code, Verdict.FINDING, "no-evidence", match.sentence.start, match.sentence.end,
            message=f"'{match.said}' takes the outcome for granted; which evidence would show it is not said.",
        )  # fmt: skip


def _is_premise(match: Match) -> bool:
    """Whether a match names an argument, or what a passage takes as given: `assuming you have installed it`."""
    words = match.text.split()
    if match.first and match.sentence.tokens[match.first - 1].text in ("before", "until"):
        return True
    return match.text.endswith(_GIVEN) or (words[0] in ("assuming", "presuming") and bool(_GIVENS & set(words)))


def _resting(sentence: Sentence, reading: Reading, surface: str, claims: list[str]) -> Iterator[Match]:
    """Yield claims of success that rest on a failure, on a look that is left out, or on a guess."""
    yield from resting(sentence, ("shaky_ground", "unasked_ground", "partial_ground", "set_aside", "scant"))
    yield from _stated(sentence, reading, surface)
    yield from _told_after_trouble(sentence, reading)
    yield from _after_question(sentence, reading)
    for name in ("virtually_done", "nevertheless_done"):
        if name in claims and not asks_for_evidence(sentence):
            yield from (m for m in family(name).asserted(sentence) if not _CONDITIONS & _words_before(m))
    if "answers_success" in claims or "answers_quoted" in claims:
        yield from _hiding(sentence, reading)
    if "foretold" in claims:
        yield from _foretold(sentence)
    if "hedged_success" in claims or "hedged_weak" in claims:
        yield from _guessed(sentence, reading)
    if "holds_done" in claims:
        yield from _held(sentence, reading)
    if "same_reply" in claims and family("mode_or_trouble").touches(sentence):
        yield from (m for m in family("same_reply").asserted(sentence) if not asks_for_evidence(sentence))
    if surface in _ANSWERS:
        yield from _after_loss(sentence, reading)


def _stated(sentence: Sentence, reading: Reading, surface: str) -> Iterator[Match]:
    """Yield what is stated to be done though nobody looked, nothing showed it, or something failed."""
    grounds = [m for name in ("unasked_ground", "sent_ground") for m in family(name).asserted(sentence)]
    looked = [m for m in grounds if _spares_a_look(m) or _TRIED & set(m.text.split())]
    if surface in _ANSWERS:
        looked += family("only_asked").asserted(sentence)
    blind = [m for m in family("lost_means").find(sentence) if m.text.split()[0] in ("no", "without", "there")]
    failed = [m for one in (sentence, *reading.near(sentence, after=0)) for m in family("bare_failure").find(one)]
    if not looked and not blind and not failed:
        return
    if asks_for_evidence(sentence) or family("makes_good").holds(sentence):
        return
    for flat in flats(sentence):
        behind = {token.text for token in sentence.tokens[flat.last + 1 :]} | set(flat.text.split())
        despite = bool(failed) and bool(_REGARDLESS & behind)
        follows = blind and "so" in sentence.words
        if any(apart(m, flat) for m in looked) or despite or follows:
            yield flat


def _spares_a_look(ground: Match) -> bool:
    words = set(ground.text.split())
    return bool(words & _SPARING) and bool(words & group("a_look"))


def _after_question(sentence: Sentence, reading: Reading) -> Iterator[Match]:
    """Yield what is concluded from nothing: `No trace? Then it went well.`"""
    if sentence.closed[0] != "then" and sentence.closed[1:2] != (",",):
        return
    if any(family("empty_question").touches(one) for one in reading.near(sentence, after=0)):
        yield from flats(sentence)
        yield from family("went_fine").find(sentence)


def _told_after_trouble(sentence: Sentence, reading: Reading) -> Iterator[Match]:
    """Yield claims behind a sentence that says that something cannot be run, or broke off."""
    if not any(family("lost_means").touches(one) for one in reading.near(sentence, after=0)):
        return
    if _IFS & sentence.words or family("makes_good").holds(sentence) or asks_for_evidence(sentence):
        return
    for claim in (*told(sentence), *family("claims_success").asserted(sentence)):
        words = claim.text.split()
        if {"when", "once"} & {token.text for token in sentence.tokens[claim.last + 1 : claim.last + 3]}:
            continue
        if is_order(claim) and not claim.negated and {words[-1], " ".join(words[-2:])} & (group("vouched") | _WENT):
            yield claim


def _foretold(sentence: Sentence) -> Iterator[Match]:
    """Yield outcomes that are foretold where the look at them is left out, or the work put away."""
    for match in family("foretold").asserted(sentence):
        unasked = [m for m in family("unasked_ground").asserted(sentence) if apart(m, match)]
        named = [m for m in unasked if any(f" {word} " in f" {_clause(m)} " for word in group("of_outcome"))]
        if _IFS & _words_before(match):
            continue
        put_away = any(is_order(m) for name in CLAIMS for m in family(name).asserted(sentence))
        spared = any("to" in m.text.split() or "not" in m.text.split() for m in unasked)
        if (
            named
            or (spared and match.text.split()[0] in ("has", "have"))
            or (put_away and (unasked or family("sent_ground").holds(sentence)))
        ):
            yield match


def _clause(match: Match) -> str:
    sentence = match.sentence
    return " ".join(token.text for token in sentence.tokens[match.first : sentence.clause_end(match.first)])


def _words_before(match: Match) -> set[str]:
    tokens = match.sentence.tokens
    return {token.text for token in tokens[match.sentence.clause_start(match.first) : match.first]}


def _hiding(sentence: Sentence, reading: Reading) -> Iterator[Match]:
    """Yield answers of success where the failures are said to be kept from them."""
    if family("counted").touches(sentence) or asks_for_evidence(sentence):
        return
    near = (sentence, *reading.near(sentence, after=0))
    if any(family("hidden_gap").touches(one) for one in near):
        yield from family("answers_success").find(sentence)
        yield from (m for m in family("answers_quoted").find(sentence) if _is_success(m.text.split()[-1]))


def _is_success(word: str) -> bool:
    return word.endswith("ed") and len(word) > 4 and word not in group("not_success")


def _guessed(sentence: Sentence, reading: Reading) -> Iterator[Match]:
    """Yield guesses at a success with which the agent is to go on."""
    following = list(reading.near(sentence, before=0, after=1))
    if any(asks_for_evidence(one) for one in (sentence, *following)):
        return
    if not any(family("going_on").touches(one) for one in (sentence, *following)):
        return
    yield from family("hedged_success").asserted(sentence)
    if any(family("bare_failure").touches(one) for one in (sentence, *reading.near(sentence, after=0))):
        yield from (m for m in family("hedged_weak").asserted(sentence) if not _CONDITIONS & _words_before(m))


def _held(sentence: Sentence, reading: Reading) -> Iterator[Match]:
    """Yield orders to hold work done beside a gap that is spoken of."""
    if asks_for_evidence(sentence) or family("makes_good").holds(sentence):
        return
    for match in family("holds_done").asserted(sentence):
        behind = {token.text for token in sentence.tokens[match.last + 1 :]}
        if _CONDITIONS & behind:
            continue
        around = [m for one in (sentence, *reading.near(sentence, after=0)) for m in family("bare_trouble").find(one)]
        if any(m.sentence is not sentence or apart(m, match) for m in around):
            yield match


def _after_loss(sentence: Sentence, reading: Reading) -> Iterator[Match]:
    """Yield flat claims of success behind a sentence that says that the outcome is unknown."""
    if family("safe_copy").touches(sentence):
        return
    if any(family("outcome_lost").touches(one) for one in reading.near(sentence, after=0)):
        yield from family("flat_success").find(sentence)
        yield from (m for m in flats(sentence) if m.first == 0 and m.sentence.tokens[0].text in ("your", "the"))
