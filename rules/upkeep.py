"""Rules on suppressions themselves: those that silence nothing, or no longer. They judge no text."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.model import Adjudication, Habit, Rule, Severity


class Upkeep(Rule):
    """A rule on suppressions: found where they are applied, not in texts."""

    habit = Habit.UPKEEP
    severity = Severity.LOW

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Yield nothing."""
        return iter(())


class UnusedSuppression(Upkeep):
    """A suppression silences nothing.

    Habit: a comment that stays when its finding is gone hides the next one that comes to its place.
    Instead: take it away. One for rules that this run did not select is not judged, nor is one for a rule on code
    where the facts of other files were not at hand.
    """

    code = "S101"
    name = "unused-suppression"


class ExpiredSuppression(Upkeep):
    """The date of a suppression has passed: its findings count again.

    Habit: an exception that nobody looks at again becomes the rule.
    Instead: fix what it silenced, or set a later date with the reason why.
    """

    code = "S102"
    name = "expired-suppression"
    severity = Severity.MEDIUM


class SuppressionWithoutReason(Upkeep):
    """A suppression gives no reason, and silences nothing until it does.

    Habit: whoever reads it cannot tell whether it still holds.
    Instead: reason="what makes the text safe here".
    """

    code = "S103"
    name = "suppression-without-reason"


class UnreadableSuppression(Upkeep):
    """A suppression names no known rule, or cannot be read, and silences nothing.

    Habit: a finding that was thought to be accepted fails the next run, or the wrong one is.
    Instead: ignore[RULE] reason="…", with until=YYYY-MM-DD where it ends; `scaup rules` lists the rules.
    """

    code = "S104"
    name = "unreadable-suppression"


UPKEEP: tuple[Rule, ...] = (
    UnusedSuppression(),
    ExpiredSuppression(),
    SuppressionWithoutReason(),
    UnreadableSuppression(),
)
