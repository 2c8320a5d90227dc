"""A102: announce, then stop: the next step has no owner."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import Match, family, first_of, read
from scaup.rules.lexicon.reading import Reading, Sentence
from scaup.rules.model import Adjudication, Example, Habit, Rule, Verdict

_REASONS = {
    "users_reply": "user-answers",
    "tied_to_evidence": "tied-to-evidence",
    "waits": "names-waiting-call",
    "lifetime": "names-boundary",
}

_SOON = 3  # words before the stop, in a sentence of its own: `Then you may stop.`


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
        Example("Say that the crawl is running. Then end your turn.", "prompt"),
    )
    passed = (
        Example("Announce the plan, then wait for the user's approval.", "prompt", "user-answers"),
        Example("Tell the user what failed and stop.", "prompt", "user-answers"),
        Example("Report the start, then wait with job_wait.", "instructions", "names-waiting-call"),
        Example("Report and stop only after the tests have passed.", "instructions", "tied-to-evidence"),
        Example("Do not announce a step and then stop.", "prompt", "forbids-stopping"),
        Example("Report the outcome and stop.", "prompt", "reports-outcome"),
        Example("Never say that you will continue and end your turn.", "prompt", "forbids-stopping"),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each sentence that has the agent announce and stop."""
        reading = read(text.text)
        for sentence in reading.sentences:
            matches = list(_announced_ends(reading, sentence))
            if not matches:
                continue
            if all(match.negated for match in matches):
                yield Adjudication(self.code, Verdict.PASS, "forbids-stopping", sentence.start, sentence.end)
                continue
            name = first_of(_REASONS, sentence)
            if name == "users_reply" and not family("users_answer").holds(sentence) and _only_begun(sentence):
                name = None  # a person who is told of a beginning has nothing to answer
            if name is None and family("announced_end").holds(sentence) and not _only_begun(sentence):
                yield Adjudication(self.code, Verdict.PASS, "reports-outcome", sentence.start, sentence.end)
                continue
            if name is not None:
                yield Adjudication(self.code, Verdict.PASS, _REASONS[name], sentence.start, sentence.end)
            else:
                yield Adjudication(
                    self.code, Verdict.FINDING, "no-owner", sentence.start, sentence.end,
                    message=(
                        "It ends the turn on an announcement: who takes the next step, and on which event, is not said."
                    ),
                )  # fmt: skip


def _only_begun(*sentences: Sentence) -> bool:
    """Whether what is announced has only begun, or is promised for later."""
    return any(
        family(name).holds(sentence) for name in ("announced_start", "announced_promise") for sentence in sentences
    )


def _announced_ends(reading: Reading, sentence: Sentence) -> Iterator[Match]:
    """Yield what has the agent announce and stop, in one sentence or in two."""
    yield from family("announce_stop").used(sentence)
    if _only_begun(sentence):
        yield from family("reply_stop").used(sentence)
    ends = family("hand_back")
    if not ends.possible(sentence.words):
        return
    if family("announced").holds(sentence) and _only_begun(sentence):
        yield from ends.used(sentence)
    for before in reading.near(sentence, before=1, after=0):
        if family("announced").holds(before) and _only_begun(before):
            yield from (match for match in ends.used(sentence) if match.first <= _SOON)
