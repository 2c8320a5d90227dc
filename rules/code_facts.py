"""What rules may ask of the code. Answers come from the fact store; None means that the facts do not say."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from scaup.pipeline.text.rows import AgentText


class DroppedGap(NamedTuple):
    """A member of a result that says that something is missing, and a formatter that does not read it.

    `linked` is how the formatter comes to the result: `calls` (it calls the producer), or `given` (a caller of both
    hands it over).
    """

    field: str
    producer: str
    path: str
    line: int
    formatter: str
    linked: str


class CodeFacts(Protocol):
    """Questions about code; None means that the facts do not say."""

    def delivery_contract(self, text: AgentText) -> str | None:
        """Return what a declared delivery contract says of a text: `holds`, a reason why it is broken, or None."""

    def dropped_gap(self, text: AgentText) -> DroppedGap | None:
        """Return the gap that a producer of what a text reports can give back, and that its formatter never reads."""

    def unmentioned_fields(self, text: AgentText) -> tuple[str, ...]:
        """Return the completeness fields of what the tool of a text gives back."""

    def is_effect_free(self, text: AgentText) -> bool | None:
        """Return whether the code that emits a text is known to have no side effect."""


class NoFacts:
    """Knows nothing: texts are judged by their wording alone."""

    def delivery_contract(self, text: AgentText) -> str | None:
        """Return None."""
        return None

    def dropped_gap(self, text: AgentText) -> DroppedGap | None:
        """Return None."""
        return None

    def unmentioned_fields(self, text: AgentText) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def is_effect_free(self, text: AgentText) -> bool | None:
        """Return None."""
        return None
