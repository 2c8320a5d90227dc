"""What extraction finds in one file: strings with what stands around them, references to strings, tool handlers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scaup.pipeline.text.rows import Segment, Span

# A piece of a string: its text, its bytes in the file, and whether these are the text itself.
VERBATIM, ESCAPE, PLACEHOLDER = range(3)


class Piece(NamedTuple):
    """A piece of a string as it is written: `kind` is VERBATIM, ESCAPE or PLACEHOLDER."""

    text: str
    start: int
    end: int
    kind: int


@dataclass(slots=True)
class StringRow:
    """A string and what stands around it. `surface` is None where only the call graph or a glob can tell it.

    `context` is what becomes of it: return, raise, append, log, assign, argument, other; `name` is the variable or
    constant that it is assigned to. `detail` says how the surface is known.
    """

    text: str
    span: Span
    segments: Sequence[Segment]
    placeholders: Sequence[str] = ()
    symbol_id: int | None = None
    context: str = "other"
    name: str | None = None
    branch: str | None = None
    surface: str | None = None
    tool: str | None = None
    parameter: str | None = None
    detail: str | None = None

    def values(self, path: str) -> tuple[object, ...]:
        """Return the row of `internal.strings`."""
        return (
            path, self.symbol_id, *self.span, json.dumps(self.segments, separators=(",", ":")), self.text,
            json.dumps(self.placeholders), self.context, self.name, self.branch, self.surface, self.tool,
            self.parameter, self.detail,
        )  # fmt: skip


class Swallow(NamedTuple):
    """A place where a function gives back an empty value because something failed."""

    symbol_id: int
    line: int


class Reference(NamedTuple):
    """A name that stands where a text is registered: the constant behind it has the surface."""

    symbol_id: int | None
    name: str
    surface: str
    tool: str | None
    parameter: str | None
    detail: str


class Handler(NamedTuple):
    """A function that answers calls of a tool: by its symbol where it stands there, else by its name."""

    symbol_id: int | None
    name: str
    tool: str | None


class Embed(NamedTuple):
    """A file that code takes in as text: its path as written, and what an agent reads it as, by the name it gets."""

    target: str
    name: str
    surface: str | None


@dataclass(slots=True)
class Found:
    """All that one file yields."""

    strings: list[StringRow] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    handlers: list[Handler] = field(default_factory=list)
    embeds: list[Embed] = field(default_factory=list)
    swallows: list[Swallow] = field(default_factory=list)


class Lines:
    """Places in a file: bytes to lines and columns, which count code points from 1."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.starts = [0]
        at = source.find(b"\n")
        while at >= 0:
            self.starts.append(at + 1)
            at = source.find(b"\n", at + 1)

    def place(self, byte: int) -> tuple[int, int]:
        """Return line and column of a byte."""
        from bisect import bisect_right

        line = bisect_right(self.starts, byte)
        before = self.source[self.starts[line - 1] : byte]
        return line, len(before.decode("utf-8", "replace")) + 1

    def span(self, start: int, end: int) -> Span:
        """Return the span of a stretch of bytes."""
        return Span(*self.place(start), *self.place(end))


def joined(pieces: Sequence[Piece], lines: Lines) -> tuple[str, list[Segment], list[str]]:
    """Return the text of pieces, their segments and their placeholders; verbatim pieces that touch are one."""
    text: list[str] = []
    segments: list[Segment] = []
    names: list[str] = []
    at = 0
    last: Piece | None = None
    for piece in pieces:
        text.append(piece.text)
        if piece.kind == PLACEHOLDER:
            names.append(piece.text[1:-1])
        if last is not None and last.kind == piece.kind == VERBATIM and last.end == piece.start:
            before = segments[-1]
            segments[-1] = Segment(*before[:3], *lines.place(piece.end))
        else:
            segments.append(Segment(at, *lines.span(piece.start, piece.end)))
        at += len(piece.text)
        last = piece
    return "".join(text), segments, names
