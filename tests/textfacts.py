"""Agent-facing text for tests: what one source yields, and what must hold for every string of it."""

from __future__ import annotations

from typing import Any

from scaup.pipeline.languages import definitions
from scaup.pipeline.languages.extract import extractor
from scaup.pipeline.languages.matches import Matches
from scaup.pipeline.languages.ownership import Ownership
from scaup.pipeline.languages.unit import Unit
from scaup.pipeline.text import code
from scaup.pipeline.text.forms import forms
from scaup.pipeline.text.found import Found, Lines, StringRow
from scaup.pipeline.text.rows import Segment

SUFFIXES = {"python": "py", "typescript": "ts", "javascript": "js", "tsx": "tsx", "go": "go", "rust": "rs"}


def texts(source: str | bytes, language: str, path: str | None = None) -> Found:
    """Return what a source yields. `path` counts where it speaks of agents; it defaults to one that does not."""
    content = source.encode() if isinstance(source, str) else source
    where = path or f"m.{SUFFIXES.get(language, language)}"
    syntax = extractor(language).syntax
    root, _ = syntax.parse(content)
    matches = Matches(syntax, content, root)
    defined = definitions.collect(where, "source", content, syntax, matches)
    unit = Unit(where, content, syntax, matches, Ownership(where, content, root, defined), {})
    known = forms(language)
    assert known is not None, f"no strings.toml for {language}"
    return code.extract(unit, root, known)


def only(found: Found) -> StringRow:
    """Return the one string that was found."""
    assert len(found.strings) == 1, [row.text for row in found.strings]
    return found.strings[0]


def row(found: Found, start: str) -> StringRow:
    """Return the one string whose text starts so."""
    fitting = [r for r in found.strings if r.text.startswith(start)]
    assert len(fitting) == 1, [r.text for r in found.strings]
    return fitting[0]


def told(found: Found) -> list[tuple[Any, ...]]:
    """Return (surface, tool, parameter, text) of the strings that have a surface, in the order of the source."""
    rows = sorted((r for r in found.strings if r.surface is not None), key=lambda r: r.span)
    return [(r.surface, r.tool, r.parameter, r.text) for r in rows]


def slice_of(source: str | bytes, place: tuple[int, int, int, int]) -> str:
    """Return the source at a span: lines and columns from 1, columns in code points, the end exclusive."""
    content = source.encode() if isinstance(source, str) else source
    lines = content.split(b"\n")
    start_line, start_column, end_line, end_column = place
    cut = [line.decode("utf-8", "replace") for line in lines[start_line - 1 : end_line]]
    cut[-1] = cut[-1][: end_column - 1]
    cut[0] = cut[0][start_column - 1 :]
    return "\n".join(cut)


def written(source: str | bytes, string: StringRow) -> str:
    """Return a string as it is written in the source."""
    return slice_of(source, string.span)


def assert_segments(source: str | bytes, found: Found) -> None:
    """Assert that segments lie in order within their string, and that verbatim ones are in the source as in the text.

    A segment is verbatim if the source at its place has its very text; what is not, must be an escape, a placeholder,
    or what a join puts between two elements: a few characters, or as long as the separator is.
    """
    for string in found.strings:
        offsets = [segment[0] for segment in string.segments]
        assert offsets == sorted(offsets), string.text
        assert offsets[:1] == [0], string.text
        ends = [*offsets[1:], len(string.text)]
        for segment, end in zip(string.segments, ends, strict=True):
            assert string.span[:2] <= segment[1:3] <= segment[3:5] <= string.span[2:], (string.text, segment)
            piece = string.text[segment[0] : end]
            if not _is_special(source, segment, piece):
                assert slice_of(source, tuple(segment[1:5])) == piece, (string.text, segment)  # type: ignore[arg-type]


def _is_special(source: str | bytes, segment: Segment, piece: str) -> bool:
    """Whether a piece of a text stands for something else in the source."""
    there = slice_of(source, tuple(segment[1:5]))  # type: ignore[arg-type]
    empty = segment[1:3] == segment[3:5]
    is_placeholder = piece.startswith("{") and piece.endswith("}")
    is_escape = there.startswith(("\\", "{{", "}}", "%%", "\r")) or len(piece) <= 1
    return empty or is_placeholder or is_escape


__all__ = ["Lines", "assert_segments", "only", "row", "slice_of", "texts", "told", "written"]
