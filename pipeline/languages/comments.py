"""Comments: which stand alone on their lines, and the text of comments and docstrings without their marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tree_sitter import Node

from scaup.pipeline.languages.matches import Captures

DOC_LENGTH = 4000
_STAR = re.compile(r"^\s*\* ?")


class Comment(NamedTuple):
    """A comment that has its lines for itself: its first row, and whether it documents what stands below."""

    row: int
    node: Node
    is_doc: bool


def alone(source: bytes, found: Iterable[Captures]) -> dict[int, Comment]:
    """Return the comments beside which no code stands, by their last row: others belong to that code."""
    comments = {}
    for captures in found:
        node = captures["comment"][0]
        start, end = node.start_byte, node.end_byte
        row = node.start_point[0]
        end_row, end_column = node.end_point
        if end_column == 0 and end_row > row:  # a grammar that takes the line break into the comment
            end_row -= 1
        line = source[source.rfind(b"\n", 0, start) + 1 : start]
        if end_column:  # what stands behind it on its last line
            after = source.find(b"\n", end)
            line += source[end : after if after >= 0 else None]
        if not line or line.isspace():
            comments[end_row] = Comment(row, node, "attached" not in captures)
    return comments


def clean_string(literal: str) -> str:
    """Return the text of a docstring literal: prefix and quotes off, common indentation off."""
    text = literal.lstrip("rRuUbBfF")
    for quote in ('"""', "'''", '"', "'"):
        if text.startswith(quote):
            text = text[len(quote) :].removesuffix(quote)
            break
    return dedent(text)[:DOC_LENGTH]


def dedent(text: str) -> str:
    """Take common indentation off all lines but the first, and blank lines off both ends."""
    first, *rest = text.expandtabs().split("\n")
    indents = [len(line) - len(line.lstrip()) for line in rest if line.strip()]
    indent = min(indents, default=0)
    return "\n".join([first.strip(), *(line[indent:].rstrip() for line in rest)]).strip()


def clean_comment(comment: str, marks: Sequence[str]) -> str:
    """Return the text of a comment without its marks; longer marks come first."""
    if comment.startswith("/*"):
        inner = comment.removeprefix("/*").lstrip("*!").removesuffix("*/").rstrip("*")
        return dedent("\n".join(_STAR.sub("", line) for line in inner.split("\n")))
    lines = []
    for line in comment.removesuffix("\n").split("\n"):
        stripped = line.strip()
        mark = next((mark for mark in marks if stripped.startswith(mark)), "")
        lines.append(stripped[len(mark) :].removeprefix(" ").rstrip())
    return "\n".join(lines)
