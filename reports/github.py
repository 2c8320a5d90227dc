"""Findings as annotations of GitHub: workflow commands, one a line.

What could be another command is broken up: percent signs and line ends by the escapes of the commands themselves, the
older form `##[` by a space.
"""

from __future__ import annotations

from typing import Any

from scaup.reports import findings, inert

_LEVELS = {"high": "error", "medium": "warning", "low": "notice"}


def render(response: dict[str, Any]) -> str:
    """Return a command for each finding that counts, and for what is missing from the answer."""
    lines = [_annotation(row) for row in findings.counting(response)]
    level = "warning" if response["success"] else "error"
    lines += [f"::{level} title=scaup::{_data(gap)}" for gap in findings.missing(response)]
    if response["success"]:
        inspected = response["inspected"]
        found = findings.counted(len(findings.counting(response)), "finding")
        what = found if inspected["strings"] else "Nothing inspected"
        strings, files = (findings.counted(inspected[name], name[:-1]) for name in ("strings", "files"))
        lines.append(f"{what} in {strings} of {files}.")
    return "".join(f"{line}\n" for line in lines)


def _annotation(row: dict[str, Any]) -> str:
    span = row["span"]
    place = {
        "file": inert.line(row["path"]),
        "line": span["start_line"],
        "endLine": span["end_line"],
        # Columns are of one line only; the end is the last character.
        **({"col": span["start_column"]} if span["start_line"] == span["end_line"] else {}),
        **(
            {"endColumn": max(span["end_column"] - 1, span["start_column"])}
            if span["start_line"] == span["end_line"]
            else {}
        ),
        "title": f"{row['rule']} {row['name']}",
    }
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in place.items())
    return f"::{_LEVELS[row['severity']]} {properties}::{_data(findings.message(row))}"


def _data(text: str) -> str:
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return escaped.replace("##[", "## [")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
