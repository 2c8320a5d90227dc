"""A102: announce, then stop: the next step has no owner."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import family, first_of, read
from scaup.rules.model import Adjudication, Example, Habit, Rule, Verdict

_REASONS = {
    "users_reply": "user-answers",
    "tied_to_evidence": "tied-to-evidence",
    "waits": "names-waiting-call",
    "lifetime": "names-boundary",
}


class AnnounceThenStop(Rule):
    """The agent is told to announce something and then to stop, and nobody owns the next step.

    What was announced is not done. Unless a person answers or a call that waits is named, the work ends there.

    Habit: announcing work and ending the turn.
    Instead: have it do the step and report its outcome, or name who acts next: the user, a call that waits.
    """

    code, name, habit = "A102", "announce-then-stop", Habit.WAKE
    found = (
        Example("Say that the crawl is under way, then end your turn.", "prompt"),
        Example("Report that the build has begun and stop.", "instructions"),
        Example("Tell them the job was queued and then wait.", "prompt"),
        Example("Confirm the start of the export, and then yield.", "hint"),
        Example("Acknowledge the request and exit.", "instructions"),
        Example("State what you are about to do, then stop.", "prompt"),
    )
    passed = (
        Example("Announce the plan, then wait for the user's approval.", "prompt", "user-answers"),
        Example("Tell the user what failed and stop.", "prompt", "user-answers"),
        Example("Report the start, then wait with job_wait.", "instructions", "names-waiting-call"),
        Example("Report and stop only after the tests have passed.", "instructions", "tied-to-evidence"),
        Example("Do not announce a step and then stop.", "prompt", "forbids-stopping"),
        Example("Never say that you will continue and end your turn.", "prompt", "forbids-stopping"),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each sentence that has the agent announce and stop."""
        reading = read(text.text)
        cue = family("announce_stop")
        if not cue.possible(reading.words):
            return
        for sentence in reading.sentences:
            matches = list(cue.used(sentence))
            if not matches:
                continue
            if all(match.negated for match in matches):
                yield Adjudication(self.code, Verdict.PASS, "forbids-stopping", sentence.start, sentence.end)
                continue
            name = first_of(_REASONS, sentence)
            if name == "users_reply" and family("announced_start").holds(sentence):
                name = None  # a person who is told of a beginning has nothing to answer
            if name is not None:
                yield Adjudication(self.code, Verdict.PASS, _REASONS[name], sentence.start, sentence.end)
            else:
                yield Adjudication(
                    self.code, Verdict.FINDING, "no-owner", sentence.start, sentence.end,
                    message=(
                        "It ends the turn on an announcement: who takes the next step, and on which event, is not said."
                    ),
                )  # fmt: skip
