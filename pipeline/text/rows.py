"""What a string that an agent reads is: the row of `agent_text`, as rules and reports get it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

SURFACES = (
    "tool_description",
    "parameter_description",
    "tool_result",
    "error_message",
    "notification",
    "hint",
    "prompt",
    "instructions",
    "permission",
)
EVIDENCE = ("declared", "reachable", "candidate")


class Span(NamedTuple):
    """A stretch of a file: lines and columns count from 1, columns in code points, the end is exclusive."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int


class Segment(NamedTuple):
    """A piece of a text that stands in one piece in its file: a literal's content, an escape, a placeholder.

    `at` is where it starts in the text. Up to the next segment, text and source agree character by character, except
    for escapes and placeholders, which are segments of their own.
    """

    at: int
    start_line: int
    start_column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class AgentText:
    """A string as an agent sees it: pieces joined, escapes decoded, placeholders as `{name}` or `{}`.

    `siblings` are the descriptions of the other parameters of the same tool by name, `tool_description` is that of the
    tool, None where it is not known or is the text itself. `branch` is the kind of branch that emits it: `error`,
    `dry_run`, or None; `context` is what becomes of it, as in the table.
    """

    text: str
    surface: str
    text_id: int = 0
    path: str = ""
    span: Span = field(default=Span(1, 1, 1, 1))
    segments: tuple[Segment, ...] = ()
    tool: str | None = None
    parameter: str | None = None
    placeholders: tuple[str, ...] = ()
    symbol_id: int | None = None
    evidence: str = "declared"
    evidence_detail: str = ""
    branch: str | None = None
    context: str = "other"
    siblings: Mapping[str, str] = field(default_factory=dict)
    tool_description: str | None = None
