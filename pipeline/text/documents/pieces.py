"""Strings cut into pieces: verbatim text between escapes, and the ends of a text trimmed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from scaup.pipeline.text.found import ESCAPE, VERBATIM, Piece

REPLACEMENT = "\ufffd"


def piece(source: bytes, text: str, start: int, end: int) -> Piece:
    """Return a piece: verbatim where the source is the text itself."""
    return Piece(text, start, end, VERBATIM if source[start:end] == text.encode("utf-8") else ESCAPE)


def verbatim(source: bytes, start: int, end: int) -> Iterator[Piece]:
    """Yield a stretch of the source as it stands, nothing where it is empty."""
    if start < end:
        yield Piece(source[start:end].decode("utf-8", "replace"), start, end, VERBATIM)


def scanned(
    source: bytes, start: int, end: int, pattern: re.Pattern[bytes], value: Callable[[re.Match[bytes]], str]
) -> Iterator[Piece]:
    """Yield a stretch of the source, with a value in place of each match of a pattern."""
    at = start
    for match in pattern.finditer(source, start, end):
        yield from verbatim(source, at, match.start())
        yield piece(source, value(match), match.start(), match.end())
        at = match.end()
    yield from verbatim(source, at, end)


def character(code: int) -> str:
    """Return a character; the replacement character for what no store takes."""
    return chr(code) if code < 0xD800 or 0xE000 <= code < 0x110000 else REPLACEMENT


def stripped(pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces without white space at both ends of their text."""
    kept = list(pieces)
    while kept and not kept[0].text.strip():
        kept.pop(0)
    while kept and not kept[-1].text.strip():
        kept.pop()
    if kept and kept[0].kind == VERBATIM:
        first = kept[0]
        text = first.text.lstrip()
        kept[0] = Piece(text, first.end - len(text.encode("utf-8")), first.end, VERBATIM)
    if kept and kept[-1].kind == VERBATIM:
        last = kept[-1]
        text = last.text.rstrip()
        kept[-1] = Piece(text, last.start, last.start + len(text.encode("utf-8")), VERBATIM)
    return kept
