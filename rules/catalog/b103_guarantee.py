"""B103: guarantees, "cannot fail", "always safe", "the only way", with nothing that would break them."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import Match, Reading, family, group, read
from scaup.rules.lexicon.exceptions import names_exception
from scaup.rules.lexicon.imitation import DOCUMENT
from scaup.rules.lexicon.switches import unsafe_by
from scaup.rules.model import Adjudication, Confidence, Example, Habit, Rule, Verdict

_CLAIMS = ("guarantee", "cannot_fail", "always_safe", "only_way")
_SAYS = {
    "guarantee": "'{words}' promises without a condition; name what breaks it, or what it rests on.",
    "cannot_fail": "'{words}' rules a failure out; name the case in which it happens all the same.",
    "always_safe": "'{words}' holds for some states and arguments; name those for which it does not.",
    "only_way": "'{words}' excludes the other ways; evidence would be that no other tool or command has this effect.",
}


class Guarantee(Rule):
    """A guarantee, "cannot fail" or "always safe" stands without the event or argument that breaks it.

    Agents stop checking where a text says that nothing can go wrong. Facts of a format, orders to the agent, and
    guarantees that name what they rest on are not meant.

    Habit: leaving out the check, the backup or the error path.
    Instead: name the condition ("while no other process writes to it"), or say what happens when it fails.
    """

    code, name, habit = "B103", "unconditional-guarantee", Habit.ABSOLUTE
    found = (
        Example("The rename cannot fail.", "tool_description"),
        Example("We guarantee that the index matches the disk.", "tool_description"),
        Example("It's perfectly safe to delete the build folder.", "hint"),
        Example("This command can be run at any time, without any risk to the repository.", "tool_description"),
        Example("Updates are guaranteed to arrive."),
        Example("Undo always works."),
        Example("Nothing can get lost on a branch switch.", "hint"),
        Example("A migration never fails halfway.", "instructions"),
    )
    passed = (
        Example("The rename cannot fail unless the target exists.", "tool_description", "names-exception"),
        Example("Keys are guaranteed unique.", "tool_description", "format-fact"),
        Example("Delivery is not guaranteed.", "tool_description", "denies-claim"),
        Example("Always use the lock before you write.", "instructions", "rule-for-agent"),
        Example("Rows always have an id.", "tool_description", "format-fact"),
        Example("Guaranteed to answer within `timeout` seconds.", "tool_description", "names-bound"),
        Example("Order is guaranteed by the schema.", "tool_description", "names-ground"),
        Example("It is always safe to read if you hold the lock.", "tool_description", "names-condition"),
        Example("Never assume that a call cannot fail.", "instructions", "rule-for-agent"),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each sentence with a guarantee; a loud word without one passes."""
        reading = read(text.text)
        names = [name for name in (*_CLAIMS, "absolute_word") if family(name).possible(reading.words)]
        for sentence in reading.sentences if names else ():
            for name in names:
                match = next(family(name).used(sentence), None)
                if match is None:
                    continue
                if name == "always_safe" and unsafe_by(text.siblings):
                    break  # DeniedBySibling judges it
                reason = _innocence(match, name, reading, text)
                if reason:
                    yield Adjudication(self.code, Verdict.PASS, reason, sentence.start, sentence.end)
                else:
                    yield self._finding(match, name, text)
                break

    def _finding(self, match: Match, name: str, text: AgentText) -> Adjudication:
        # Of the only way, and of what a page of instructions praises, the text alone does not tell whether it is true.
        unproven = name == "only_way" or (name == "cannot_fail" and text.surface == "instructions")
        return Adjudication(
            self.code,
            Verdict.FINDING,
            "nothing-breaks-it",
            match.sentence.start,
            match.sentence.end,
            message=_SAYS[name].format(words=match.said),
            confidence=Confidence.NEEDS_EVIDENCE if unproven else Confidence.LIKELY,
        )


def _innocence(match: Match, name: str, reading: Reading, text: AgentText) -> str | None:
    sentence = match.sentence
    orders = family("order_word").find(sentence)
    clause = sentence.clause_start(match.first)
    if any(clause <= order.first <= match.first for order in orders):
        return "rule-for-agent"
    if name == "only_way" and text.surface in DOCUMENT:
        return "rule-for-agent"
    if names_exception(reading, sentence, text.siblings):
        return "names-exception"
    if name == "absolute_word":
        return "format-fact"
    if match.negated or (name == "guarantee" and _denied_before(match)):
        return "denies-claim"
    if name == "cannot_fail" and _word_before(match) == "did":
        return "tells-event"
    if match.text.startswith("be sure to"):
        return "rule-for-agent"
    if text.surface in DOCUMENT and any(aim.first < match.first for aim in family("aims").find(sentence)):
        return "states-aim"
    if family("by_rule").touches(sentence):
        return "names-ground"
    if name == "guarantee" and any(bound.first > match.first for bound in family("within_bound").find(sentence)):
        return "names-bound"
    if family("if_clause").touches(sentence):
        return "names-condition"
    if name == "cannot_fail" and any(case.first == match.last + 1 for case in family("case_named").find(sentence)):
        return "names-condition"
    following = {token.text for token in sentence.tokens[match.first : match.last + 6]}
    if name == "guarantee" and following & group("format_noun"):
        return "format-fact"
    return None


def _word_before(match: Match) -> str:
    return match.sentence.tokens[match.first - 1].text if match.first else ""


def _denied_before(match: Match) -> bool:
    """Whether the clause denies it as a whole: `no order is guaranteed`."""
    tokens = match.sentence.tokens[match.sentence.clause_start(match.first) : match.first]
    return not {"not", "no", "neither", "nor", "nothing"}.isdisjoint(token.text for token in tokens)
