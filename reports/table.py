"""Rows as an aligned table, and as CSV. Cells of both are inert; JSON has the exact values."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Sequence
from typing import Any

from scaup.reports import inert

CELL = 120  # columns of a terminal; a longer cell is cut, and the cut shows


def render(names: Sequence[str], rows: Sequence[Sequence[Any]], *, cell: int = CELL, null: str = "NULL") -> str:
    """Return a table with a heading and a rule; numbers stand on the right."""
    texts = [[_cut(inert.line(_text(value, null)), cell) for value in row] for row in rows]
    heads = [_cut(inert.line(name), cell) for name in names]
    right = [
        any(_is_number(row[index]) for row in rows)
        and all(_is_number(row[index]) or row[index] is None for row in rows)
        for index in range(len(names))
    ]
    widths = [max(map(width, (head, *(row[index] for row in texts)))) for index, head in enumerate(heads)]
    lines = [_line(heads, widths, right), "  ".join("─" * size for size in widths)]
    lines += [_line(row, widths, right) for row in texts]
    return "".join(line.rstrip() + "\n" for line in lines)


def render_csv(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return CSV as RFC 4180 has it, but with bare newlines; NULL is an empty field, like an empty text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    writer.writerow([inert.block(name) for name in names])
    for row in rows:
        writer.writerow([inert.block(_text(value, "")) for value in row])
    return out.getvalue()


def width(text: str) -> int:
    """Return how many columns a terminal needs for a text that is inert."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = []
    for cell, size, is_right in zip(cells, widths, right, strict=True):
        space = " " * (size - width(cell))
        padded.append(space + cell if is_right else cell + space)
    return "  ".join(padded)


def _text(value: Any, null: str) -> str:
    if value is None:
        return null
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)


def _cut(text: str, cell: int) -> str:
    return text if len(text) <= cell else text[: cell - 1] + "…"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
