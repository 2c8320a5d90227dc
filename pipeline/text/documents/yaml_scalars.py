"""The text of YAML's scalars (YAML 1.2, chapters 7.3 and 8.1): plain, quoted, literal and folded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from scaup.pipeline.text.documents.pieces import character, piece, scanned, verbatim
from scaup.pipeline.text.documents.tree import Scalar
from scaup.pipeline.text.found import Piece

# Line breaks and the white space around them, but for an escaped blank. The look behind keeps a long run of blanks from
# being read for each of them.
_FOLD = rb"(?:(?:(?<![ \t])|(?<=\\[ \t]))[ \t]+)?\r?\n(?:[ \t]*\r?\n)*[ \t]*"
_PLAIN = re.compile(_FOLD)
_SINGLE = re.compile(rb"''|" + _FOLD)
_DOUBLE = re.compile(
    rb"\\\r?\n(?:[ \t]*\r?\n)*[ \t]*|\\x[0-9a-fA-F]{2}|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\[0abt\tnvfre \"/\\N_LP]|" + _FOLD
)
_SIMPLE = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_HEADER = re.compile(rb"[|>](?P<marks>[-+0-9]{0,2})[^\n]*(?:\n|\Z)")
_BLANK = re.compile(rb"(?:[ \t]*\r?\n)*")


def pieces(source: bytes, scalar: Scalar) -> list[Piece]:
    """Return the pieces of a scalar."""
    if scalar.form == "plain":
        return list(scanned(source, scalar.start, scalar.end, _PLAIN, _folded))
    if scalar.form == "single":
        return list(scanned(source, scalar.start + 1, scalar.end - 1, _SINGLE, _folded))
    if scalar.form == "double":
        return list(scanned(source, scalar.start + 1, scalar.end - 1, _DOUBLE, _escaped))
    return list(_block(source, scalar)) if scalar.form == "block" else []


def _folded(match: re.Match[bytes]) -> str:
    """Return what line breaks become: one is a space, of more the first is dropped."""
    if match[0] == b"''":
        return "'"
    breaks = match[0].count(b"\n")
    return "\n" * (breaks - 1) or " "


def _escaped(match: re.Match[bytes]) -> str:
    written = match[0].decode("ascii", "replace")
    if not written.startswith("\\"):
        return _folded(match)
    if written[1] in "\r\n":
        return "\n" * (written.count("\n") - 1)
    if written[1] in "xuU":
        first, second = written[2:6], written[8:] if written[1] == "u" else ""
        if second:
            return chr(0x10000 + ((int(first, 16) - 0xD800) << 10) + int(second, 16) - 0xDC00)
        return character(int(written[2:], 16))
    return _SIMPLE[written[1]]


class _Line(NamedTuple):
    """A line of a block scalar: its text's bytes without the indentation, and where the next line starts."""

    start: int
    end: int
    following: int

    def spaced(self, source: bytes) -> bool:
        """Whether the line is indented further: line breaks at it do not fold."""
        return source[self.start : self.start + 1] in (b" ", b"\t")


def _block(source: bytes, scalar: Scalar) -> Iterator[Piece]:
    """Yield the pieces of a literal (`|`) or folded (`>`) scalar."""
    header = _HEADER.match(source, scalar.start)
    if header is None:
        return
    marks = header["marks"].decode()
    lines = list(_lines(source, header.end(), scalar, next((int(mark) for mark in marks if mark in "123456789"), 0)))
    end = lines[-1].following if lines else header.end()
    while lines and lines[-1].start == lines[-1].end:
        lines.pop()
    folds = source[scalar.start : scalar.start + 1] == b">"
    at = header.end()
    before: _Line | None = None
    for line in lines:
        if line.start == line.end:
            continue
        if breaks := source.count(b"\n", at, line.start):
            text = "\n" * breaks
            if folds and before is not None and not (before.spaced(source) or line.spaced(source)):
                text = text[1:] or " "
            yield piece(source, text, at, line.start)
        yield from verbatim(source, line.start, line.end)
        at, before = line.end, line
    # What follows the last text: the blank lines behind it belong to the scalar where they are kept.
    if "+" in marks:
        kept = source.count(b"\n", at, end)
        if kept:
            yield piece(source, "\n" * kept, at, end)
    elif "-" not in marks and lines and lines[-1].following > at:
        yield piece(source, "\n", at, lines[-1].following)


def _lines(source: bytes, start: int, scalar: Scalar, indicator: int) -> Iterator[_Line]:
    """Yield the lines of a block scalar; its indentation is that of the first with text unless it is indicated."""
    indent = max(scalar.indent, 0) + indicator if indicator else None
    # The grammar leaves out the blank lines behind a scalar.
    blank = _BLANK.match(source, max(scalar.end, start))
    end = blank.end() if blank is not None else scalar.end
    at = start
    while at < end:
        stop = source.find(b"\n", at)
        following = stop + 1 if stop >= 0 else len(source)
        stop = stop if stop >= 0 else len(source)
        if source[stop - 1 : stop] == b"\r" and stop > at:
            stop -= 1
        line = source[at:stop]
        depth = len(line) - len(line.lstrip(b" "))
        if indent is None and depth < len(line):
            indent = depth
        if indent is not None and depth < indent and depth < len(line):
            return
        yield _Line(*((stop, stop) if indent is None or len(line) <= indent else (at + indent, stop)), following)
        at = following
