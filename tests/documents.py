"""What tests of documents share: extraction in short, and what must hold of every row."""

from __future__ import annotations

from scaup.pipeline.text.documents import extract
from scaup.pipeline.text.found import StringRow


def rows(language: str, source: str | bytes, surface: str | None = None, path: str = "x") -> list[StringRow]:
    """Return the rows of a document, after a look at all of their segments."""
    content = source.encode() if isinstance(source, str) else source
    found = extract(language, path, content, surface)
    assert not found.references and not found.handlers
    for row in found.strings:
        check(row, content)
    return found.strings


def texts(language: str, source: str | bytes, surface: str | None = None, path: str = "x") -> list[str]:
    """Return the texts of a document."""
    return [row.text for row in rows(language, source, surface, path)]


def check(row: StringRow, source: bytes) -> None:
    """Segments lie in order and inside the file; what is no escape and no placeholder is the source itself."""
    row.text.encode("utf-8")
    lines = source.decode("utf-8", "replace").split("\n")
    before = (row.span.start_line, row.span.start_column)
    for index, segment in enumerate(row.segments):
        following = row.segments[index + 1].at if index + 1 < len(row.segments) else len(row.text)
        at, first, start, last, end = segment
        assert before <= (first, start) <= (last, end) <= (row.span.end_line, row.span.end_column)
        before = (last, end)
        piece = row.text[at:following]
        stretch = [*lines[first - 1 : last]]
        stretch[-1] = stretch[-1][: end - 1]
        stretch[0] = stretch[0][start - 1 :]
        written = "\n".join(stretch)
        escape = written.startswith("\\") or written == "''" or piece == " | " or not piece.strip(" \n")
        assert written == piece or escape or (piece.startswith("{") and piece[1:-1] in row.placeholders)
