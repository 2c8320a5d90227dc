"""The text of YAML's scalars (YAML 1.2, chapters 7.3 and 8.1): plain, quoted, literal and folded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from scaup.pipeline.text.documents.pieces import character, piece, scanned, verbatim
from scaup.pipeline.text.documents.tree import Scalar
from scaup.pipeline.text.found import Piece

# Line breaks and the white space around them; the look behind keeps a long run of blanks from being read twice.
_FOLD = rb"(?:(?<![ \t])[ \t]+)?\r?\n(?:[ \t]*\r?\n)*[ \t]*"
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


def _block(source: bytes, scalar: Scalar) -> Iterator[Piece]:
    """Yield the pieces of a literal (`|`) or folded (`>`) scalar."""
    header = _HEADER.match(source, scalar.start)
    if header is None:
        return
    marks = header["marks"].decode()
    lines = list(_lines(source, header.end(), scalar, next((int(mark) for mark in marks if mark in "123456789"), 0)))
    while lines and lines[-1].start == lines[-1].end:
        lines.pop()
    at = header.end()
    for index, line in enumerate(lines):
        if line.start == line.end:
            continue
        if index:
            breaks = source.count(b"\n", at, line.start)
            yield piece(source, _break(source, scalar, breaks, at == header.end(), lines, index), at, line.start)
        yield from verbatim(source, line.start, line.end)
        at = line.end
    # What follows the last text: the blank lines behind it belong to the scalar where they are kept.
    end = _end(source, scalar)
    if "+" in marks:
        kept = source.count(b"\n", at, end)
        if kept:
            yield piece(source, "\n" * kept, at, end)
    elif "-" not in marks and lines and lines[-1].following > at:
        yield piece(source, "\n", at, lines[-1].following)


def _end(source: bytes, scalar: Scalar) -> int:
    """Return the end of a block scalar with the blank lines behind it, which the grammar leaves out."""
    blank = _BLANK.match(source, scalar.end)
    return blank.end() if blank is not None else scalar.end


def _lines(source: bytes, start: int, scalar: Scalar, indicator: int) -> Iterator[_Line]:
    """Yield the lines of a block scalar; its indentation is that of the first with text unless it is indicated."""
    indent = max(scalar.indent, 0) + indicator if indicator else None
    end = max(scalar.end, start)
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


def _break(source: bytes, scalar: Scalar, breaks: int, leading: bool, lines: list[_Line], index: int) -> str:
    """Return what the line breaks in front of a line become: in a folded scalar they fold between plain lines."""
    if source[scalar.start : scalar.start + 1] == b"|" or leading:
        return "\n" * breaks
    before = next(line for line in reversed(lines[:index]) if line.start < line.end)
    spaced = any(source[line.start : line.start + 1] in (b" ", b"\t") for line in (before, lines[index]))
    if spaced:
        return "\n" * breaks
    return "\n" * (breaks - 1) or " "
