"""What rules may ask of the code. Answers come from the fact store; None means that the facts do not say."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from scaup.pipeline.text.rows import AgentText


class DroppedGap(NamedTuple):
    """A member of a result that says that something is missing, and the formatter that renders that result.

    `line` is where the producer writes the member. `linked` is how the formatter comes to the result: `calls` (it calls
    the producer), `through` (it calls what calls the producer), or `given` (a caller of both hands it over). `certain`:
    every step is written out in the code, and the producer sets the member to a constant that says that something is
    missing. `looked` is how the gap is looked at after all: `reads-gap`, `names-gap`, `gives-result-out`; None where
    nobody does.
    """

    field: str
    producer: str
    path: str
    line: int
    formatter: str
    linked: str
    certain: bool
    looked: str | None


class HiddenFailure(NamedTuple):
    """A function that gives back an empty value where it fails; `line` is where. `exact`: every step is written out."""

    producer: str
    path: str
    line: int
    exact: bool


class CodeFacts(Protocol):
    """Questions about code; None means that the facts do not say."""

    def delivery_contract(self, text: AgentText) -> str | None:
        """Return what a declared delivery contract says of a text: `holds`, a reason why it is broken, or None."""

    def dropped_gap(self, text: AgentText) -> DroppedGap | None:
        """Return the gap that a producer of what a text reports can give back, preferably one that nobody looks at."""

    def unmentioned_fields(self, text: AgentText) -> tuple[str, ...]:
        """Return the completeness fields of what the tool of a text gives back."""

    def is_effect_free(self, text: AgentText) -> bool | None:
        """Return whether the code that emits a text, and all that calls it, is known to have no side effect."""

    def hidden_failure(self, text: AgentText) -> HiddenFailure | None:
        """Return the function called shortly before a text that gives back nothing where it fails."""


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

    def hidden_failure(self, text: AgentText) -> HiddenFailure | None:
        """Return None."""
        return None
