"""What strip, dedent and their like leave of a string, as pieces: each keeps its place in the source."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scaup.pipeline.text.found import PLACEHOLDER, VERBATIM, Piece

_INDENT = re.compile(r"^([ \t]*)(?=[^ \t\n])", re.MULTILINE)
Range = tuple[int, int]


def trimmed(pieces: Sequence[Piece], how: str) -> list[Piece]:
    """Return what a call leaves: `how` is strip, lstrip, rstrip, dedent, cleandoc (no blank ends either), or outdent.

    `outdent` is what libraries of JavaScript do: the margin is that of the indented lines, and blank ends go.
    """
    # A placeholder is never white space, and never spans lines.
    text = "".join("x" * len(piece.text) if piece.kind == PLACEHOLDER else piece.text for piece in pieces)
    if how == "dedent":
        return cut(pieces, _margins(text, blank=True))
    if how == "outdent":
        return trimmed(cut(pieces, _margins(text, blank=False, all_lines=False)), "strip")
    if how == "cleandoc":
        start = len(text) - len(text.lstrip(" "))
        behind = text.find("\n") + 1
        margins = [(0, start)] if start else []
        if behind:
            margins += [(a + behind, b + behind) for a, b in _margins(text[behind:], blank=False)]
        kept = cut(pieces, margins)
        return _without_blank_ends(kept)
    start = len(text) - len(text.lstrip()) if how in ("strip", "lstrip") else 0
    end = len(text.rstrip()) if how in ("strip", "rstrip") else len(text)
    return cut(pieces, [(0, start), (max(start, end), len(text))])


def _margins(text: str, *, blank: bool, all_lines: bool = True) -> list[Range]:
    """Return the ranges of the white space that all lines start with; with `blank` also lines that are no more.

    Without `all_lines` those that start with none do not count.
    """
    indents = [match[1] for match in _INDENT.finditer(text) if all_lines or match[1]]
    margin = indents[0] if indents else ""
    for indent in indents[1:]:
        while not indent.startswith(margin):
            margin = margin[:-1]
    size = len(margin)
    found: list[Range] = []
    at = 0
    for line in text.split("\n"):
        length = len(line)
        if not line.strip(" \t"):
            found.append((at, at + (length if blank else min(size, length))))
        elif line.startswith(margin):
            found.append((at, at + size))
        at += length + 1
    return [(start, end) for start, end in found if end > start]


def _without_blank_ends(pieces: Sequence[Piece]) -> list[Piece]:
    text = "".join("x" * len(piece.text) if piece.kind == PLACEHOLDER else piece.text for piece in pieces)
    start = len(text) - len(text.lstrip("\n"))
    return cut(pieces, [(0, start), (max(start, len(text.rstrip("\n"))), len(text))])


def cut(pieces: Sequence[Piece], ranges: Sequence[Range]) -> list[Piece]:
    """Return pieces without ranges of their text, which are in order."""
    found: list[Piece] = []
    at, index = 0, 0
    for piece in pieces:
        end = at + len(piece.text)
        while index < len(ranges) and ranges[index][1] <= at:
            index += 1
        kept: list[Range] = []
        upto = at
        for start, stop in _overlapping(ranges, index, end):
            if start > upto:
                kept.append((upto - at, start - at))
            upto = max(upto, stop)
        if upto < end:
            kept.append((upto - at, end - at))
        if kept == [(0, len(piece.text))] or piece.text == "":
            found.append(piece)
        else:
            found += _parts(piece, kept)
        at = end
    return found


def _overlapping(ranges: Sequence[Range], index: int, end: int) -> list[Range]:
    found = []
    while index < len(ranges) and ranges[index][0] < end:
        found.append(ranges[index])
        index += 1
    return found


def _parts(piece: Piece, kept: Sequence[Range]) -> list[Piece]:
    """Return parts of a piece; those of an escape have its place, those of verbatim text their own."""
    if piece.kind != VERBATIM:
        return [Piece("".join(piece.text[a:b] for a, b in kept), piece.start, piece.end, piece.kind)] if kept else []
    found = []
    done, byte = 0, piece.start
    for start, end in kept:
        byte += len(piece.text[done:start].encode())
        size = len(piece.text[start:end].encode())
        found.append(Piece(piece.text[start:end], byte, byte + size, VERBATIM))
        byte, done = byte + size, end
    return found
