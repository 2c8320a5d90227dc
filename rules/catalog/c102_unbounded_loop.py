"""C102: polling, or a loop until something holds, as the way to wait."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.catalog.c101_retry_without_bound import NEGATORS, REASONS, without
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import Match, Sentence, family, group, read
from scaup.rules.lexicon.discharge import discharged, is_label, names_step
from scaup.rules.model import Adjudication, Example, Habit, Rule, Verdict

_REASONS = {name: REASONS[name] for name in ("ban", "person", "page", "bound", "blocking")} | {
    "users_reply": "person-acts"
}
_NO_END = frozenset({"stop", "give", "giving"})  # `never stop`, `do not give up`
_NEAR = ("ban", "bound", "page", "person")


class UnboundedLoop(Rule):
    """Polling, or a loop until something holds, is given as the way to wait, with no end and no interval.

    What never comes true keeps such a loop running for ever, and each turn of it costs a call. An event, a call that
    waits, or a number of turns with a way out ends it.

    Habit: polling. An agent asks for a state again and again until it changes.
    Instead: name the call that waits, or say how often, how far apart, and what to do when it has not come by then.
    """

    code, name, habit = "C102", "unbounded-loop", Habit.POLLING
    found = (
        Example("Poll the ledger until it is balanced.", "instructions"),
        Example("Keep checking read_ledger for the closing entry.", "tool_description"),
        Example("Run the linter and fix what it says, repeat until it passes.", "prompt"),
        Example("Check the queue from time to time.", "hint"),
        Example("Call it repeatedly to follow the progress.", "tool_description"),
        Example("Do not stop trying until the upload goes through.", "prompt"),
    )
    passed = (
        Example("Do not poll the ledger.", "instructions", "forbids-repetition"),
        Example("Poll every ten seconds, six times at most, then give up.", "instructions", "names-bound"),
        Example("Repeat until there is no `next_page_token`.", "tool_description", "page-ends-it"),
        Example("Instead of polling, call wait_for_ledger.", "tool_description", "forbids-repetition"),
        Example("Never call it in a loop.", "tool_description", "forbids-repetition"),
        Example("Keep asking the user until the amount is clear.", "prompt", "person-acts"),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each sentence with a loop."""
        reading = read(text.text)
        cue = family("loop")
        if not cue.possible(reading.words):
            return
        for sentence in reading.sentences:
            matches = [match for match in cue.used(sentence) if not _other_use(text, match)]
            if not matches:
                continue
            denied = [m for m in matches if _denied(m)]
            matches = [m for m in matches if not any(d.first <= m.first and m.last <= d.last for d in denied)]
            if not matches:
                yield Adjudication(self.code, Verdict.PASS, "forbids-repetition", sentence.start, sentence.end)
                continue
            reason = discharged(reading, sentence, _REASONS, near=_NEAR)
            if is_label(text, sentence):
                reason = "labels-something"
            elif reason is None and names_step(text, sentence):
                reason = "names-step"
            if reason:
                yield Adjudication(self.code, Verdict.PASS, reason, sentence.start, sentence.end)
                continue
            words = matches[0].said
            yield Adjudication(
                self.code, Verdict.FINDING, "no-end", sentence.start, sentence.end,
                message=f"'{words}' has no number of turns, no interval and no way out.",
                replacement=_with_end(sentence),
            )  # fmt: skip


def _denied(match: Match) -> bool:
    """Whether a loop is forbidden: by words around the match, or by its first."""
    words = match.text.split()
    return match.negated or (words[0] in NEGATORS and _NO_END.isdisjoint(words[:3]))


def _other_use(text: AgentText, match: Match) -> bool:
    """Whether the words say something else: `frequently used`, `up until`, or, at its start, what a tool does."""
    words = match.text.split()
    following = match.sentence.closed[match.last + 1]
    if words[-1].endswith("ly") and following.endswith("ed"):
        return True
    if words[-1] in {"until", "till"} and words[-2:-1] == ["up"]:
        return True
    return (
        text.surface == "tool_description"
        and match.sentence.index == 0
        and match.first == 0
        and words[0] in group("look") | group("poll")
        and not {"it", "this"} & set(words[1:2])
    )


_NO_END_AT_ALL = re.compile(
    r"\b(?:never|do not|don't)\s+(?:ever\s+)?(?:give up|stop (?:trying|checking|calling|retrying))", re.IGNORECASE
)
# Each round changes something: what bounds it is their number, and not the time between them.
_ROUNDS = re.compile(
    r"\b(?:fix|iterat|edit|repair|regenerat|rewrit|adjust|click|press|tweak|refin|revis)", re.IGNORECASE
)


def _with_end(sentence: Sentence) -> str:
    """Return the sentence with a number of turns, an interval and a way out."""
    rounds = _ROUNDS.search(sentence.raw) is not None
    turns = "at most five times" if rounds else "every 30 s, at most five times"
    ending = "after that, report what is left" if rounds else "after that, report the last state"
    rhythm = family("vague_rhythm")
    if given := _NO_END_AT_ALL.search(sentence.raw):
        stop = "give up after five attempts"
        raw = sentence.raw[: given.start()] + (stop.capitalize() if given[0][0].isupper() else stop)
        return f"{raw}{without(sentence, rhythm)[given.end() :]}; {ending}."
    if rhythm.touches(sentence):
        return f"{without(sentence, rhythm, instead=turns)}; {ending}."
    body = sentence.raw.strip().rstrip(".!… ")
    turns = "at most five times" if rounds else "at most five times, 30 s apart"
    return f"{body}, {turns}; {ending}."
