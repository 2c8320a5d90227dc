"""C101: "try again" with no trigger, no bound, no change and no ban."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import family, group, read
from scaup.rules.lexicon.discharge import discharged, is_label
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
_DESCRIPTIONS = frozenset({"tool_description", "parameter_description"})
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
                matches = [m for m in matches if m.first > 0 or sentence.tokens[0].text not in group("retry")]
            if text.surface == "parameter_description" and sentence.tokens[0].text in group("setting_word"):
                continue  # it configures what the tool repeats
            if not matches:
                continue
            if any(match.negated for match in matches):
                yield Adjudication(self.code, Verdict.PASS, "forbids-repetition", sentence.start, sentence.end)
                continue
            if family("loop").holds(sentence):
                continue  # C102 has it
            reason = discharged(reading, sentence, REASONS, near=NEAR)
            if is_label(text, sentence):
                reason = "labels-something"
            elif reason is None and family("gate").touches(sentence):
                reason = "gates-next-step"
            if reason:
                yield Adjudication(self.code, Verdict.PASS, reason, sentence.start, sentence.end)
                continue
            words = next(match for match in matches if not match.negated).text
            yield Adjudication(
                self.code, Verdict.FINDING, "no-bound", sentence.start, sentence.end,
                message=(
                    f"'{words}' names no event that makes one more call useful, no number of calls and nothing to"
                    " change."
                ),
                replacement=_bounded(sentence.raw),
            )  # fmt: skip


def _bounded(sentence: str) -> str:
    body = sentence.strip().rstrip(".!…")
    return f"{body}, once, after the cause has changed; if it fails in the same way, report it instead of repeating it."
