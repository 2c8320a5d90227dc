"""A101: leave to stop or hand back on a promised wake whose boundary is missing."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import family, first_of, read
from scaup.rules.lexicon.boundary import first_bound
from scaup.rules.lexicon.reading import Reading, Sentence
from scaup.rules.model import Adjudication, Confidence, Example, Habit, Rule, Verdict

_REASONS = {
    "blocking": "call-waits",
    "waits": "names-waiting-call",
    "lifetime": "names-boundary",
    "fallback": "names-alternative",
    "users_reply": "user-answers",
    "tied_to_evidence": "tied-to-evidence",
}
_REPORTS = ("tool_result", "notification", "hint", "error_message")
_BOUNDARIES = ("lifetime", "fallback")


class HandBackOnWake(Rule):
    """The agent may stop, go idle or hand back because something will wake it, and the boundary of the wake is missing.

    A wake reaches one kind of reader (the main session, not a sub-agent that has returned), lives as long as something
    lives (a session, a connection, a process), and can fail. Without these the agent ends its turn for good.

    Habit: ending the turn, going idle or handing back, trusting a wake that may not come.
    Instead: say for whom it works, while what lives, and which call learns the outcome if it does not come.
    """

    code, name, habit = "A101", "hand-back-on-wake", Habit.WAKE
    found = (
        Example("The crawl runs on; finish your answer, we get back to you."),
        Example("Stand by until the completion signal arrives."),
        Example("A watch on {path} is set, so you can go idle.", "notification"),
        Example("You may stop here. The scheduler wakes you when the night run is over.", "hint"),
        Example("There is nothing more to do: the results will be delivered to you."),
        Example("Return control to the orchestrator; it will be informed when the child is done.", "tool_description"),
        Example("The crawl has started. Step aside."),
        Example("Nothing is needed from you until the last child reports in.", "hint"),
    )
    passed = (
        Example("Stop and wait for the user's answer before you delete anything.", "prompt", "user-answers"),
        Example(
            "End your turn; while this session stays open, the result is added to it, else call crawl_result.",
            because="names-boundary",
        ),
        Example(
            "Waits until the crawl is done, then hands back its pages; no need to wait for a signal.",
            "tool_description",
            "call-waits",
        ),
        Example("Do not end your turn before the notification has been read.", "instructions", "forbids-stopping"),
        Example(
            "Sub-agents are never woken: use crawl_wait to wait for the completion event, then return.",
            because="names-waiting-call",
        ),
        Example(
            "End the reply once the tests have passed and you have been notified of it.",
            "instructions",
            "tied-to-evidence",
        ),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each sentence that invites the agent to stop, where it or a neighbour promises a wake."""
        reading = read(text.text)
        stop, wake = family("hand_back"), family("promised_wake")
        if not stop.possible(reading.words):
            return
        for sentence in reading.sentences:
            match = next(iter(stop.asserted(sentence)), None)
            if match is None:
                if next(iter(stop.used(sentence)), None) is not None and _touches(wake, reading, sentence):
                    yield Adjudication(self.code, Verdict.PASS, "forbids-stopping", sentence.start, sentence.end)
                continue
            woken = wake.holds(sentence) or any(wake.holds(other) for other in reading.near(sentence))
            if not woken and names_users_reply(sentence):
                yield Adjudication(self.code, Verdict.PASS, "user-answers", sentence.start, sentence.end)
                continue
            if not woken and not _goes_on(text, reading, sentence):
                continue
            reason = _innocence(reading, sentence)
            if reason is None and facts.delivery_contract(text) == "holds":
                reason = "contract-holds"
            if reason:
                yield Adjudication(self.code, Verdict.PASS, reason, sentence.start, sentence.end)
            else:
                yield Adjudication(
                    self.code, Verdict.FINDING, "no-boundary", sentence.start, sentence.end,
                    message=(
                        f"'{match.said}' trusts a wake: for whom it works, while what lives, and what to do if it does"
                        " not come are missing."
                    ),
                    confidence=Confidence.LIKELY,
                )  # fmt: skip


def _touches(wake: object, reading: Reading, sentence: Sentence) -> bool:
    return family("promised_wake").touches(sentence) or any(
        family("promised_wake").touches(other) for other in reading.near(sentence)
    )


def _goes_on(text: AgentText, reading: Reading, sentence: Sentence) -> bool:
    """Whether work is said to go on elsewhere, which is a wake that nobody even promises."""
    if text.surface == "tool_description":
        return False
    both = (sentence, *reading.near(sentence))
    if any(family("runs_on").holds(other) for other in both):
        return True
    running = text.surface in _REPORTS and any(family("in_flight").holds(other) for other in both)
    return running and family("ends_turn").holds(sentence)


def _innocence(reading: Reading, sentence: Sentence) -> str | None:
    wakes = list(family("promised_wake").asserted(sentence))
    near = list(reading.near(sentence))
    for name, reason in _REASONS.items():
        if name in _BOUNDARIES:
            held = first_bound([name], sentence, wakes) is not None
        else:
            held = (
                names_users_reply(sentence, woken=bool(wakes))
                if name == "users_reply"
                else first_of([name], sentence) is not None
            )
        if held:
            return reason
    for name in (*_BOUNDARIES, "waits"):
        if any(first_bound([name], other, list(family("promised_wake").asserted(other))) for other in near):
            return _REASONS[name]
    # The user of a neighbour owns no wake that this sentence names.
    return _REASONS["users_reply"] if not wakes and any(map(names_users_reply, near)) else None


def names_users_reply(sentence: Sentence, *, woken: bool = False) -> bool:
    """Whether the one who is waited for is the user. Who is only told of a beginning has nothing to answer."""
    if woken and not family("users_answer").holds(sentence):
        return False
    if not family("users_reply").holds(sentence):
        return False
    return family("users_answer").holds(sentence) or not (
        family("announced_start").holds(sentence) or family("announced_promise").holds(sentence)
    )
