"""D102: work is marked done when it has been asked for."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import family, read
from scaup.rules.model import Adjudication, Example, Habit, Rule, Severity, Verdict


class DoneWhenSent(Rule):
    """Work counts as done as soon as it was sent, started or asked for.

    Between the request and its effect stands all that can fail. A mark that is set before the outcome is read stays
    when it was a failure.

    Habit: reporting work as done that was only begun.
    Instead: tie the mark to the outcome: "once `status` shows `finished`", "after the exit code was read".
    """

    code, name, habit, severity = "D102", "done-when-sent", Habit.COMPLETION, Severity.HIGH
    found = (
        Example("Tick the item off as done once the request was submitted.", "prompt"),
        Example("After the message has been dispatched, report the ticket as resolved.", "instructions"),
        Example("Mark the todo as completed without running the tests.", "prompt"),
        Example("As soon as the job is queued, record it as finished.", "instructions"),
        Example("Declare the deployment complete regardless.", "prompt"),
        Example("A step is done once its command was issued.", "instructions"),
    )
    passed = (
        Example("Mark the item as done only after the tests have passed.", "prompt", "demands-evidence"),
        Example("Do not mark a task as completed without running the tests.", "prompt", "demands-evidence"),
        Example(
            "Never report the ticket as resolved when the message was only dispatched.", "prompt", "demands-evidence"
        ),
        Example(
            "Mark it complete once sent and confirmed: check that the receipt is there.", "prompt", "demands-evidence"
        ),
        Example("Verify the upload before you mark the step as done once it was sent.", "prompt", "demands-evidence"),
        Example(
            "You must never claim a step as done before its command was issued and its exit code read.",
            "prompt",
            "demands-evidence",
        ),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each sentence that marks work as done."""
        reading = read(text.text)
        cue = family("done_when_sent")
        if not cue.possible(reading.words):
            return
        for sentence in reading.sentences:
            match = next(iter(cue.used(sentence)), None)
            if match is None:
                continue
            if match.negated or family("demands_evidence").holds(sentence):
                yield Adjudication(self.code, Verdict.PASS, "demands-evidence", sentence.start, sentence.end)
            else:
                yield Adjudication(
                    self.code, Verdict.FINDING, "sent-is-not-done", sentence.start, sentence.end,
                    message=f"'{match.text}' ties the mark to the request and not to its outcome.",
                )  # fmt: skip
