"""C102: polling, or a loop until something holds, as the way to wait."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.catalog.c101_retry_without_bound import REASONS
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import family, read
from scaup.rules.lexicon.discharge import discharged, is_label, names_step
from scaup.rules.model import Adjudication, Example, Habit, Rule, Verdict

_REASONS = {name: REASONS[name] for name in ("ban", "person", "page", "bound", "blocking")} | {
    "users_reply": "person-acts"
}
_NEGATORS = frozenset({"not", "never", "instead", "rather", "without", "avoid"})
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
            matches = list(cue.used(sentence))
            if not matches:
                continue
            denied = [m for m in matches if m.negated or not _NEGATORS.isdisjoint(m.text.split())]
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
            words = next(match for match in matches if not match.negated).text
            yield Adjudication(
                self.code, Verdict.FINDING, "no-end", sentence.start, sentence.end,
                message=f"'{words}' has no number of turns, no interval and no way out.",
                replacement=f"{sentence.raw.rstrip('.!')}, at most five times, 30 s apart; then report what you saw.",
            )  # fmt: skip
