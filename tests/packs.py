"""Packs of small repositories, and what a reader sees in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from facts import write_files

from scaup.pipeline.facts import open_facts
from scaup.pipeline.ingest import ingest, project
from scaup.pipeline.pack import pack
from scaup.reports.pack import BEYOND


def build(root: Path, files: Mapping[str, str]) -> Path:
    write_files(root, files)
    ingest(project(root), workers=1)
    return root


def packed(root: Path, query: str | None = None, **options: Any) -> dict[str, Any]:
    with open_facts(project(root), refresh=False) as facts:
        return facts.answer(pack(facts, query=query, **options))


def outside(text: str) -> list[tuple[int, str]]:
    """Return the lines of a pack outside of fences, with their places."""
    inside, seen = "", []
    for at, line in enumerate(text.split("\n")[:-1]):
        if inside:
            inside = "" if line == inside else inside
        elif line.startswith("```"):
            inside = "`" * (len(line) - len(line.lstrip("`")))
        else:
            seen.append((at, line))
    return seen


def above(text: str) -> list[str]:
    """Return the lines of a pack above the last section."""
    at = next((at for at, line in outside(text) if line == BEYOND), None)
    return text.split("\n")[:-1][:at]


def below(text: str) -> list[str]:
    """Return the lines of the last section."""
    return text.split("\n")[:-1][len(above(text)) + 1 :]


def headings(text: str) -> list[str]:
    """Return the headings as a reader of Markdown sees them: outside of fences."""
    return [line for _, line in outside(text) if line.startswith("#")]


def reasons(response: dict[str, Any]) -> list[str]:
    rows = [*response["sections"], *response["beyond_budget"]]
    rows += [inner for section in response["sections"] for inner in section.get("contains", ())]
    return [f"{row['path']}:{row['line']} {row['qualname']}" for row in rows]
