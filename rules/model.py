"""What a rule is, and what it says: one adjudication for each sentence that one of its cues touches."""

from __future__ import annotations

import enum
import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts


class Habit(enum.Enum):
    """The habit that a class of strings trains; the value is the class and its name."""

    WAKE = ("A", "wake and boundary", "end the turn, trusting a wake that may not come")
    ABSOLUTE = ("B", "conditional absolutes", "generalise a statement that holds only under a condition")
    POLLING = ("C", "bounded retry and check-again", "poll")
    # scaup: ignore[D101] reason="says what agents learn, and does not ask for it"
    COMPLETION = ("D", "evidenced completion", "take unfinished or unverified work for done")
    IMITATION = ("E", "imitation of system text", "reproduce a wrapper, or take such text for authority")
    DELIVERY = ("F", "durable automatic delivery", "rely on an automatic delivery")
    UPKEEP = ("S", "upkeep of suppressions", "take a finding for accepted that nobody accepted")

    @property
    def letter(self) -> str:
        """Class, one letter."""
        return self.value[0]

    @property
    def title(self) -> str:
        """Name of the class."""
        return self.value[1]

    @property
    def trains(self) -> str:
        """What the agent learns to do."""
        return self.value[2]


class Severity(enum.StrEnum):
    """How much the habit can cost: high where it corrupts or loses work."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Confidence(enum.StrEnum):
    """How sure a finding is.

    certain: text or code proves it. likely: a cue, and nothing in reach discharges it. needs_evidence: the truth lies
    in a mechanism that the facts do not show; the message says which evidence would settle it.
    """

    CERTAIN = "certain"
    LIKELY = "likely"
    NEEDS_EVIDENCE = "needs_evidence"


class Verdict(enum.StrEnum):
    """What became of a sentence under a rule."""

    FINDING = "finding"
    PASS = "pass"  # noqa: S105  # the verdict, not a password


@dataclass(frozen=True, slots=True)
class Example:
    """A text that a rule has to find, or to pass for a reason. Tests and documentation are made of it."""

    text: str
    surface: str = "tool_result"
    because: str = ""
    siblings: Mapping[str, str] = field(default_factory=dict)
    tool_description: str | None = None
    branch: str | None = None
    # A small repository, path and content, for a rule on code; the text is one of its strings.
    files: Mapping[str, str] = field(default_factory=dict)

    def agent_text(self) -> AgentText:
        """Return the example as a row that a rule can judge."""
        return AgentText(
            text=self.text,
            surface=self.surface,
            siblings=self.siblings,
            tool_description=self.tool_description,
            branch=self.branch,
        )


@dataclass(frozen=True, slots=True)
class Adjudication:
    """What a rule decided about a stretch of a text.

    `start` and `end` are offsets in the text, of the sentence that was judged. `reason` is a stable short name, such as
    `no-bound` or `changes-argument`; `message` says it for a person, and is empty for a pass.
    `replacement` is the proposed wording for that stretch, placeholders kept; None where only the code can be changed.
    """

    rule: str
    verdict: Verdict
    reason: str
    start: int
    end: int
    message: str = ""
    confidence: Confidence = Confidence.LIKELY
    severity: Severity | None = None  # None: that of the rule
    replacement: str | None = None


class Rule(ABC):
    """A habit defect and how it is told. The docstring of a rule is its documentation:

    a first line that says what it finds; `Habit:` what an agent learns; `Instead:` what to write.
    """

    code: ClassVar[str]
    name: ClassVar[str]  # kebab-case, as in `retry-without-bound`
    habit: ClassVar[Habit]
    severity: ClassVar[Severity] = Severity.MEDIUM
    # Whether the code has to be seen: a text alone shows nothing of it.
    needs_code: ClassVar[bool] = False
    # Reasons of findings whose proposal takes away a wrapper or header and no word of what is said: `--fix` applies it.
    safe: ClassVar[frozenset[str]] = frozenset()
    found: ClassVar[tuple[Example, ...]] = ()
    passed: ClassVar[tuple[Example, ...]] = ()

    @abstractmethod
    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Yield what it decides about a text; nothing where none of its cues is in it."""

    def bounded(self, sentence: str, bound: str) -> str | None:
        """Return a bare status with the bound that a project configures for it; None for any other sentence."""
        return None

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return (self.__doc__ or "").strip().partition("\n")[0]

    @property
    def documentation(self) -> str:
        """The whole of it, without indentation."""
        return inspect.cleandoc(self.__doc__ or "")
