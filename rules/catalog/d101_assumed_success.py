"""D101: the agent is told to take something for done without evidence."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import family, group, read
from scaup.rules.model import Adjudication, Example, Habit, Rule, Severity, Verdict

_CUES = ("assume_success", "silence_is_success", "done_despite")


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
        """Judge each sentence that assumes a success."""
        reading = read(text.text)
        names = [name for name in _CUES if family(name).possible(reading.words)]
        if not names:
            return
        for sentence in reading.sentences:
            match = next((match for name in names for match in family(name).used(sentence)), None)
            if match is None:
                continue
            if match.family == "assume_success" and group("reader") & set(match.text.split()):
                yield Adjudication(self.code, Verdict.PASS, "premise-about-a-person", sentence.start, sentence.end)
                continue
            if match.negated or family("demands_evidence").holds(sentence):
                yield Adjudication(self.code, Verdict.PASS, "demands-evidence", sentence.start, sentence.end)
            else:
                yield Adjudication(
                    self.code, Verdict.FINDING, "no-evidence", sentence.start, sentence.end,
                    message=f"'{match.text}' takes the outcome for granted; which evidence would show it is not said.",
                )  # fmt: skip
