"""F101: something is promised to come, be saved or retried by itself, and neither lifetime nor failure is stated."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import Match, family, group, read
from scaup.rules.lexicon.boundary import first_bound
from scaup.rules.lexicon.reading import Reading, Sentence
from scaup.rules.model import Adjudication, Confidence, Example, Habit, Rule, Verdict

_REASONS = {"lifetime": "names-lifetime", "fallback": "names-failure", "exception": "names-exception"}
_PARTS = frozenset(("i.e.", "e.g.", "what", "how", "where", "so", "which"))
_RELATIVES = frozenset(("that", "which", "who", "whom", "what"))
_STARTS = frozenset((",", ";", ":", "—", ".", "(", "and", "then", "or", "please", "to"))
_AGENTS_VOICE = ("prompt", "instructions")  # `I'll tell you when …` is what the agent says there
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
        Example("There is no need to export anything: what you enter is stored.", "hint"),
        Example("The order is parked and goes out once the line is back."),
        Example("You are told when the night job fails."),
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
        Example("The question will be sent to the Atlas API.", "parameter_description", "same-moment"),
        Example("Bounced mails are retried for two days.", "tool_description", "names-bound"),
        Example("Ask for the amount; I'll tell you when it arrives.", "instructions", "said-by-agent"),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each sentence that promises a delivery."""
        reading = read(text.text)
        cue = family("auto_delivery")
        automatic = family("automatic_word")
        if not any(
            one.possible(reading.words) for one in (cue, automatic, family("kept_anyway"), family("goes_later"))
        ):
            return
        for sentence in reading.sentences:
            match = next(filter(_together, cue.asserted(sentence)), None) or next(iter(cue.used(sentence)), None)
            match = match or _kept_anyway(reading, sentence)
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
                    f"'{match.said}' promises a delivery: how long it is kept, and what to do if it fails, is not said"
                    + (", and the text has the agent rely on it." if relies else _SETTLES)
                ),
                confidence=Confidence.LIKELY if relies else Confidence.NEEDS_EVIDENCE,
            )  # fmt: skip

    @staticmethod
    def _innocence(match: Match, reading: Reading, sentence: Sentence, text: AgentText, facts: CodeFacts) -> str | None:
        if match.negated or {"nothing", "no"} & {t.text for t in sentence.tokens[: match.first][-3:]}:
            return "denies-delivery"
        promises = [match, *family("auto_delivery").asserted(sentence)]
        name = first_bound(tuple(_REASONS), sentence, promises)
        for other in reading.near(sentence):
            if name is None:
                name = first_bound(("lifetime", "fallback"), other, list(family("auto_delivery").asserted(other)))
        if name is not None:
            return _REASONS[name]
        if family("retry_term").holds(sentence):
            return "names-bound"
        if family("both_settings").holds(sentence) and sentence.words & {"false", "otherwise", "default", "whether"}:
            return "names-both-settings"
        if _same_moment(match, sentence):
            return "same-moment"
        if (
            text.surface in _AGENTS_VOICE
            and "i" in sentence.closed[sentence.clause_start(match.first) : match.last + 1]
        ):
            return "said-by-agent"
        if text.surface in _AGENTS_VOICE and _is_instruction(match):
            return "an-instruction"
        if _defines(match):
            return "names-a-thing"
        if family("evidence").holds(sentence) or family("named_place").holds(sentence):
            return "shows-evidence"
        return "contract-holds" if facts.delivery_contract(text) == "holds" else None


def _kept_anyway(reading: Reading, sentence: Sentence) -> Match | None:
    """Return what is kept or sent without an adverb that says so, where the agent is spared it or something waits."""
    both = (sentence, *reading.near(sentence))
    for claim, context in (("kept_anyway", "spared"), ("goes_later", "goes_out_late")):
        match = next(iter(family(claim).asserted(sentence)), None)
        if match is not None and any(family(context).holds(other) for other in both):
            return match
    return None


def _same_moment(match: Match, sentence: Sentence) -> bool:
    """Whether it is only said where a call sends its own input, or in which form."""
    return any(
        one.first <= match.last and match.first <= one.last for one in family("same_moment").find(sentence)
    ) and not (family("automatic_word").holds(sentence) or family("later_event").holds(sentence))


def _is_instruction(match: Match) -> bool:
    """Whether it tells the agent to do it: `Back up your work regularly.`"""
    words = match.sentence.closed
    return (match.first == 0 or words[match.first - 1] in _STARTS) and words[match.first] in group("delivery:base")


def _defines(match: Match) -> bool:
    """Whether a relative clause says only which thing is meant: `the people who will be notified`."""
    words = match.sentence.closed
    before = words[match.first - 1] if match.first else ""
    return before in _RELATIVES and bool({"is", "are", "be"}.intersection(words[match.first : match.first + 3]))


def _together(match: Match) -> bool:
    """Whether the words of a match belong together: `published, and what to do when …` are two statements."""
    words = match.sentence.closed[match.first : match.last + 1]
    return not any(word == "," and _PARTS.intersection(words[at + 1 : at + 3]) for at, word in enumerate(words))
