"""F101: something is promised to come, be saved or retried by itself, and neither lifetime nor failure is stated."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import Match, family, first_of, read
from scaup.rules.lexicon.reading import Reading, Sentence
from scaup.rules.model import Adjudication, Confidence, Example, Habit, Rule, Verdict

_REASONS = {"lifetime": "names-lifetime", "fallback": "names-failure", "exception": "names-exception"}
_SETTLES = "; a delivery contract or the code would settle it."


class UnboundedDelivery(Rule):
    """A delivery, saving, syncing or retrying by itself is promised, and neither lifetime nor failure is named.

    Who reads it stops doing the thing. Whether the promise survives a restart, a lost connection or a full disk is not
    said, so nobody looks.

    Habit: relying on "automatically".
    Instead: say how long it lasts (this session, until a restart, stored and replayed until acknowledged) and what to
    do when it has not come; or declare a delivery contract that the code keeps.
    """

    code, name, habit = "F101", "delivery-without-lifetime", Habit.DELIVERY
    found = (
        Example("Your draft is saved automatically.", "tool_description"),
        Example("We will let you know as soon as the crawl is over."),
        Example("Unsent messages are resent in the background.", "tool_description"),
        Example("An alert is sent when the price drops.", "tool_description"),
        Example("The session resumes automatically.", "notification"),
        Example("Progress will be reported to you."),
    )
    passed = (
        Example(
            "Your draft is saved automatically and kept until this session ends.", "tool_description", "names-lifetime"
        ),
        Example(
            "An alert is sent when the price drops; if none arrives, read price_log.",
            "tool_description",
            "names-failure",
        ),
        Example("The time zone is detected automatically.", "tool_description", "delivers-nothing"),
        Example("Nothing is saved automatically.", "tool_description", "denies-delivery"),
        Example("Messages are not retried in the background.", "tool_description", "denies-delivery"),
        Example("While the server runs, you will be notified of each change.", because="names-lifetime"),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each sentence that promises a delivery."""
        reading = read(text.text)
        cue = family("auto_delivery")
        automatic = family("automatic_word")
        if not cue.possible(reading.words) and not automatic.possible(reading.words):
            return
        for sentence in reading.sentences:
            match = next(iter(cue.asserted(sentence)), None) or next(iter(cue.used(sentence)), None)
            if match is None:
                if automatic.holds(sentence):
                    yield Adjudication(self.code, Verdict.PASS, "delivers-nothing", sentence.start, sentence.end)
                continue
            reason = self._innocence(match, reading, sentence, text, facts)
            if reason:
                yield Adjudication(self.code, Verdict.PASS, reason, sentence.start, sentence.end)
                continue
            relies = any(family("relies").holds(other) for other in (sentence, *reading.near(sentence)))
            yield Adjudication(
                self.code, Verdict.FINDING, "no-lifetime", sentence.start, sentence.end,
                message=(
                    f"'{match.text}' promises a delivery: how long it is kept, and what to do if it fails, is not said"
                    + (", and the text has the agent rely on it." if relies else _SETTLES)
                ),
                confidence=Confidence.LIKELY if relies else Confidence.NEEDS_EVIDENCE,
            )  # fmt: skip

    @staticmethod
    def _innocence(match: Match, reading: Reading, sentence: Sentence, text: AgentText, facts: CodeFacts) -> str | None:
        if match.negated or {"nothing", "no"} & {t.text for t in sentence.tokens[: match.first][-3:]}:
            return "denies-delivery"
        name = first_of(_REASONS, sentence)
        if name is None:
            name = first_of(("lifetime", "fallback"), *reading.near(sentence))
        if name is not None:
            return _REASONS[name]
        if family("evidence").holds(sentence):
            return "shows-evidence"
        return "contract-holds" if facts.delivery_contract(text) == "holds" else None
