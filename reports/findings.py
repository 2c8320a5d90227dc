"""What the formats for findings have in common: which of them count, and how one is said in a sentence."""

from __future__ import annotations

from typing import Any

from scaup.reports import inert, problems

Row = dict[str, Any]


def counting(response: Row) -> list[Row]:
    """Return the findings that nothing suppresses."""
    return [row for row in response.get("diagnostics", ()) if row["suppressed"] is None]


def suppressed(response: Row) -> list[Row]:
    """Return the findings that something suppresses."""
    return [row for row in response.get("diagnostics", ()) if row["suppressed"] is not None]


def message(row: Row) -> str:
    """Return what a finding says, the text and the proposal with it, in one inert line."""
    said = f"{row['message']} The text: {quoted(row['text'])}"
    if row["suggestion"]:
        said += f" Instead: {quoted(row['suggestion'])}"
    return inert.line(said)


def quoted(text: str) -> str:
    """Return a text in quotation marks, white space folded."""
    return f'"{" ".join(text.split())}"'


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def missing(response: Row) -> list[str]:
    """Return what is missing from an answer, or why there is none, as inert lines."""
    if not response["success"]:
        return [inert.line(f"{response['code']}: {response['message']}")]
    return [] if response["complete"] else [inert.line(gap) for gap in problems.gaps(response)]
