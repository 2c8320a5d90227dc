"""C101: "try again" with no trigger, no bound, no change and no ban."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import Family, Match, Reading, Sentence, family, group, read
from scaup.rules.lexicon.discharge import DOCUMENTS, discharged, is_label
from scaup.rules.model import Adjudication, Example, Habit, Rule, Verdict

REASONS = {
    "ban": "forbids-repetition",
    "change": "changes-argument",
    "person": "person-acts",
    "page": "page-ends-it",
    "bound": "names-bound",
    "trigger": "names-trigger",
    "waits": "names-waiting-call",
    "blocking": "call-waits",
}
NEGATORS = frozenset({"not", "never", "instead", "rather", "without", "avoid"})
_PIECE = frozenset({"and", "or"})
_JOINS = frozenset({"and", "then", "before", ","})
# `in {delay}`, `after %d`, and `Try again in` at the end of a piece that a time is put behind.
_TIME_FOLLOWS = re.compile(
    r"\b(?:after|in|for|until|at|within|by)(?:\s+(?:about|at least))?(?:\s*[`'\"]?(?:\$?\{|%[-.\d]*[sdvfq]|<)|:?\s*$)"
)
_NUMBERED = re.compile(r"\s*\d{1,2}[.)]\s")
_WHEN = frozenset({"after", "by", "before", "until", "unless", "again", "must", "need", "have", "should"})
_DESCRIPTIONS = frozenset({"tool_description", "parameter_description"})
# Behind these a sentence is about the case that the step before has not helped.
_CASE = frozenset({"if", "when", "whenever"})
_WORD = re.compile(r"[^\W\d_]+")
# "Still busy, try again", "scan: pending": more words are a sentence.
_FRAGMENT = 4
NEAR = ("ban", "change", "person", "page", "bound", "waits")


class RetryWithoutBound(Rule):
    """A failure or an unfinished state is answered with "again", and nothing says when or how often.

    "Try again" changes nothing by itself: the same call meets the same state. A retry is worth something where an event
    makes it so, a number ends it, or something differs: the input, the scope, a person's decision.

    Habit: polling. An agent repeats the call, sees the same state, and repeats it.
    Instead: name the event after which one more call is useful, give a number, or say what to change.
    """

    code, name, habit = "C101", "retry-without-bound", Habit.POLLING
    found = (
        Example("The lookup table is locked. Please try once more.", "error_message"),
        Example("Could not reach the registry, try again later.", "error_message"),
        Example("Nothing came back; run the query again."),
        Example("If this happens, retry the request.", "tool_description"),
        Example("Temporary glitch - have another go in a moment.", "error_message"),
        Example("The tool should be retried when it errors out.", "tool_description"),
        Example("The ledger is not open yet. Check back soon.", "error_message"),
        Example("The ledger did not answer. Usually gone on the next try.", "error_message"),
    )
    passed = (
        Example("No such column. Retry with one of {columns}.", "error_message", "changes-argument"),
        Example("Too many rows: lower `limit` and run the query again.", because="changes-argument"),
        Example("Quota used up. Retry after {seconds} seconds.", "error_message", "names-bound"),
        Example("Do not retry: the request is recorded already.", "error_message", "forbids-repetition"),
        Example(
            "The vault is sealed. Ask an administrator to unseal it, then try again.", "error_message", "person-acts"
        ),
        Example("Retry at most twice, then report the failure.", "instructions", "names-bound"),
        Example("Call it again with the `cursor` of the last page.", "tool_description"),
        Example("The entry is stale. Load the ledger before retrying.", "error_message", "changes-first"),
        Example("Post the entry, then run the balance again.", "instructions"),
        Example("The entry was not posted. Try again?", because="asks-somebody"),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each sentence that has the agent do the same once more."""
        reading = read(text.text)
        cue = family("try_again")
        if not cue.possible(reading.words):
            return
        for sentence in reading.sentences:
            matches = list(cue.used(sentence))
            # "Retries a call" at the start of a description says what the tool does.
            if text.surface in _DESCRIPTIONS and sentence.index == 0:
                matches = [m for m in matches if m.first > 0 or sentence.tokens[0].text not in group("once_more")]
            if text.surface == "parameter_description" and sentence.tokens[0].text in group("setting_word"):
                continue  # it configures what the tool repeats
            matches = _innermost(_not_by_program(sentence, matches))
            if not matches:
                continue
            if any(match.negated or match.text.split()[0] in NEGATORS for match in matches):
                yield Adjudication(self.code, Verdict.PASS, "forbids-repetition", sentence.start, sentence.end)
                continue
            if family("loop").holds(sentence):
                continue  # C102 has it
            reason = discharged(reading, sentence, REASONS, near=NEAR)
            if is_label(text, sentence):
                reason = "labels-something"
            elif reason is None:
                reason = _innocent(reading, text, sentence, matches)
            if reason:
                yield Adjudication(self.code, Verdict.PASS, reason, sentence.start, sentence.end)
                continue
            words = matches[0].said
            yield Adjudication(
                self.code, Verdict.FINDING, "no-bound", sentence.start, sentence.end,
                message=(
                    f"'{words}' names no event that makes one more call useful, no number of calls and nothing to"
                    " change."
                ),
                replacement=_bounded(sentence, matches),
            )  # fmt: skip

    def bounded(self, sentence: str, bound: str) -> str | None:
        """Return a bare "try again" with a bound."""
        return f"{sentence.strip().rstrip('.!?…')}, {bound}." if is_fragment(sentence) else None


def is_fragment(sentence: str) -> bool:
    """Whether a status or request is bare: a few words."""
    return len(_WORD.findall(sentence)) <= _FRAGMENT


_LIKE_GERUNDS = frozenset({"ping", "bring"})
# In a document too these tell of a repetition; with a leave before them they tell of what somebody may do.
_TRIES = frozenset({"try"})
_LEAVE = frozenset({"can", "may", "could", "might", "will", "would", "to", "and"})
_FAREWELL = frozenset({"come", "see"})
_SHORT = 5  # tokens, the final mark and the empty one among them
_ADDS = frozenset({"to", "for", "if", "when", "and", ","})


def _not_by_program(sentence: Sentence, matches: list[Match]) -> list[Match]:
    """Return the matches without those that say what the program does itself: `Retrying in 5 s`, `will be retried`."""
    own = list(family("program_does").find(sentence))
    if sentence.closed[0] in _PIECE and sentence.raw[:1].islower():
        return []  # a piece of a sentence whose start is elsewhere
    return [
        m
        for m in matches
        if not _label(m) and not any(one.first <= m.first <= one.last or m.first <= one.first <= m.last for one in own)
    ]


def _label(match: Match) -> bool:
    """Whether it is a word before a colon: `refetch: {name}`."""
    return match.first == 0 and match.sentence.closed[match.last + 1] == ":" and match.last < 2


def _innermost(matches: list[Match]) -> list[Match]:
    """Return the matches without those that reach over another order: of `run X and search again`, `search again`."""
    return [
        m for m in matches
        if not any(
            m.first < one.first and one.last == m.last and _JOINS & set(m.text.split()[1:]) for one in matches
        )
    ]  # fmt: skip


def _innocent(reading: Reading, text: AgentText, sentence: Sentence, matches: list[Match]) -> str | None:
    """Return why a sentence without bound or change trains nothing, if it does not."""
    if family("gate").touches(sentence):
        return "gates-next-step"
    if sentence.closed[0] in _FAREWELL and len(reading.words) <= _SHORT:
        return "says-goodbye"
    if sentence.raw.rstrip().endswith("?"):
        return "asks-somebody"
    if _TIME_FOLLOWS.search(sentence.raw):
        return "names-bound"
    # What comes first changes what the next attempt meets: `Open the link, then retry`, `Free some space. Try again.`
    first = min(match.first for match in matches)
    for step in family("step_first").asserted(sentence):
        opening = step.text.split()[0]
        if opening in group("once_more:base") or (
            (step.last >= first or opening in _WHEN) and not any(step.first == match.first for match in matches)
        ):
            return "changes-first"
    before = next(iter(reading.near(sentence, before=1, after=0)), None)
    if before is not None and sentence.closed[0] not in _CASE:
        for step in family("step_alone").asserted(before):
            if not step.text.endswith(("ed", " is", " was", " not")):  # `Write rejected`: a noun
                return "changes-first"
    # In a document a step is done once: only a failure, or a later time, makes it a repetition.
    if (
        text.surface in DOCUMENTS
        and not any(
            _TRIES & set(match.text.split()[:2]) and not _LEAVE & set(match.text.split()[:1]) for match in matches
        )
        and not any(
            family("failure_case").touches(one)
            for one in (sentence, *(() if _NUMBERED.match(sentence.raw) else reading.near(sentence, before=1, after=0)))
        )
    ):
        return "names-step"
    return None


def _bounded(sentence: Sentence, matches: list[Match]) -> str:
    """Return the sentence with a number in the place of a vague time, and with what to do after it."""
    body = without(sentence, family("vague_time"), from_token=min(match.first for match in matches))
    if any(match.text.split()[0] not in _LIKE_GERUNDS and match.text.split()[0].endswith("ing") for match in matches):
        return f"{body}: try it once, after 30 s; if that fails in the same way, report it."
    behind = sentence.closed[max(match.last for match in matches) + 1 :]
    at_end = len(behind) <= _SHORT and _ADDS.isdisjoint(behind)
    return (
        f"{body}{'' if at_end else ','} once, after 30 s; if the answer is the same, report it instead of repeating the"
        " call."
    )


def without(sentence: Sentence, vague: Family, from_token: int = 0, instead: str = "") -> str:
    """Return a sentence without its final mark, and without its first vague words, or with others instead of them."""
    raw, found = sentence.raw, [match for match in vague.find(sentence) if match.first >= from_token]
    if found:
        widest = min(found, key=lambda match: (match.first, -match.last))
        before, behind = raw[: widest.start - sentence.start], raw[widest.end - sentence.start :]
        comma = "," if instead and re.match(r"\s+\w", behind) else ""
        raw = f"{before.rstrip(' ,')} {instead}{comma}{behind}" if instead else f"{before.rstrip(' ,')}{behind}"
    return raw.strip().rstrip(".!…,; ")
