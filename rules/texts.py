"""Rows of agent_text as rules get them: with the other texts of the same tool."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from scaup.pipeline.text.rows import AgentText, Segment, Span

if TYPE_CHECKING:
    import duckdb

COLUMNS = (
    "text_id, path, start_line, start_column, end_line, end_column, segments::VARCHAR, surface, tool, parameter, text, "
    "placeholders, symbol_id, branch, evidence, evidence_detail, context"
)
# Prose in ordinary code is judged as what an agent would most likely get of it.
UNKNOWN_SURFACE = "tool_result"


def load(con: duckdb.DuckDBPyConnection, table: str = "agent_text", candidates: bool = False) -> list[AgentText]:
    """Return all texts in order of place; candidates only where they are asked for."""
    rows = con.execute(
        f"SELECT {COLUMNS} FROM {table} WHERE evidence <> 'candidate' OR ? "
        "ORDER BY path, start_line, start_column, end_line, end_column, text_id",
        [candidates],
    ).fetchall()
    return related(rows)


def related(rows: Iterable[tuple[Any, ...]]) -> list[AgentText]:
    """Return rows as texts that know the texts of the same tool."""
    listed = list(rows)
    parameters: dict[object, dict[str, str]] = defaultdict(dict)
    tools: dict[object, str] = {}
    for row in listed:
        key = _group(row)
        if row[7] == "parameter_description" and row[9]:
            parameters[key].setdefault(row[9], row[10])
        elif row[7] == "tool_description" and row[8]:
            tools.setdefault(key, row[10])
    texts = []
    for row in listed:
        key = _group(row)
        siblings = {name: text for name, text in parameters.get(key, {}).items() if name != row[9]}
        description = tools.get(key)
        texts.append(
            AgentText(
                text=row[10], surface=row[7] or UNKNOWN_SURFACE, text_id=row[0], path=row[1], span=Span(*row[2:6]),
                segments=tuple(Segment(*segment) for segment in json.loads(row[6])), tool=row[8], parameter=row[9],
                placeholders=tuple(row[11]), symbol_id=row[12], branch=row[13], evidence=row[14],
                evidence_detail=row[15] or "", siblings=siblings,
                tool_description=None if row[7] == "tool_description" else description, context=row[16],
            )
        )  # fmt: skip
    return texts


def _group(row: tuple[Any, ...]) -> object:
    """Return what texts of one tool have in common: the file and the tool's name, else the symbol around them."""
    return (row[1], row[8]) if row[8] else (row[1], None, row[12])


def place(text: AgentText, offset: int) -> tuple[int, int]:
    """Return line and column of an offset in a text, as far as its segments tell."""
    best: Segment | None = None
    for segment in text.segments:
        if segment.at > offset:
            break
        best = segment
    if best is None:
        return text.span.start_line, text.span.start_column
    before = text.text[best.at : offset]
    breaks = before.count("\n")
    line = best.start_line + breaks
    column = best.start_column + len(before) if not breaks else len(before) - before.rfind("\n")
    # Inside of a placeholder or escape, text and source differ in length.
    return min((line, column), (best.end_line, best.end_column))
