"""Agent-facing strings of Markdown: one block is one string; code and comments are none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node, Parser
from tree_sitter_language_pack import get_language

from scaup.pipeline.text.documents import blocks, front_matter
from scaup.pipeline.text.documents.pieces import piece, stripped, verbatim
from scaup.pipeline.text.documents.places import Places
from scaup.pipeline.text.documents.templates import templated
from scaup.pipeline.text.found import ESCAPE, Found, Piece, StringRow, joined

# Suffixes of files in which an indented block is code; in templates it is text under a condition or a tag.
_MARKDOWN = re.compile(r"\.(?:md|mdc|markdown)(?:\.\w+)?$")
_CODE = frozenset({"fenced_code_block", "link_reference_definition", "thematic_break", "plus_metadata"})
_CODE_TAGS = re.compile(rb"(?i)\s*<(?:pre|script|style|textarea|code)\b")
# A comment, or a code span, in which there is none. Spans longer than this are taken for stray marks.
_COMMENT = re.compile(rb"(?s)<!--.*?(?:-->|\Z)|(?<!`)(`{1,3})(?!`)[^`]{1,500}\1(?!`)")
_CLOSING_MARKS = re.compile(rb"[ \t]+#+[ \t]*\Z")
_ITEM = re.compile(rb"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")


def extract(path: str, source: bytes, surface: str) -> Found:
    """Return the blocks of a file as strings of a surface."""
    reading = _Reading(source, surface, indented_code=_MARKDOWN.search(path.lower()) is not None)
    return reading.found()


class _Reading:
    """One file read."""

    def __init__(self, source: bytes, surface: str, *, indented_code: bool) -> None:
        self.source, self.surface, self.indented_code = source, surface, indented_code
        self.places = Places(source)
        self.rows = Found()
        # Stretches that are no text: front matter, code and comments. Tags alone on a line count outside of them.
        self.silent: list[tuple[int, int]] = []

    def found(self) -> Found:
        """Return the strings in order of the file."""
        masked, tags = blocks.masked(self.source)
        todo = [(Parser(get_language("markdown")).parse(masked).root_node, "")]
        while todo:
            node, parent = todo.pop()
            if not self._block(node, parent):
                todo.extend((child, node.type) for child in reversed(node.named_children))
        for start, end in _outside(tags, self.silent):
            self._row(start, end, list(verbatim(self.source, start, end)))
        self.rows.strings.sort(key=lambda row: row.span)
        return self.rows

    def _block(self, node: Node, parent: str) -> bool:
        """Write down a block; False where a node holds blocks."""
        kind = node.type
        if kind == "inline":
            self._inline(node, is_heading=parent == "atx_heading")
        elif kind in ("pipe_table_header", "pipe_table_row"):
            self._table_row(node)
        elif kind == "html_block":
            self._html(node)
        elif kind == "minus_metadata":
            self._front_matter(node)
        elif kind == "indented_code_block":
            if self.indented_code:
                self._silence(node)
            else:
                self._indented(node)
        elif kind in _CODE:
            self._silence(node)
        else:
            return kind == "pipe_table_delimiter_row"
        return True

    def _silence(self, node: Node) -> None:
        self.silent.append((node.start_byte, node.end_byte))

    def _row(self, start: int, end: int, pieces: Sequence[Piece], detail: str = "file name") -> None:
        pieces = stripped(templated(pieces))
        text, segments, names = joined(pieces, self.places)
        if any(character.isalnum() for character in text):
            span = self.places.span(start, end)
            self.rows.strings.append(StringRow(text, span, segments, names, surface=self.surface, detail=detail))

    # ------------------------------------------------------------------------------------------------------- blocks

    def _inline(self, node: Node, *, is_heading: bool) -> None:
        """Write down a paragraph or heading."""
        end = node.end_byte
        if is_heading:
            closing = _CLOSING_MARKS.search(self.source, node.start_byte, end)
            end = closing.start() if closing is not None else end
        self._row(node.start_byte, end, self._text(node.start_byte, end, node))

    def _text(self, start: int, end: int, node: Node) -> list[Piece]:
        """Return a stretch without comments and without what repeats a container's marks on its lines."""
        marks = {child.start_byte: child.end_byte for child in node.children if child.type == "block_continuation"}
        if b"<!--" not in self.source[start:end]:
            return list(self._lines(start, end, marks))
        found: list[Piece] = []
        at = start
        for match in _COMMENT.finditer(self.source, start, end):
            if match[1] is None:
                found += self._lines(at, match.start(), marks)
                found.append(Piece("", match.start(), match.end(), ESCAPE))
                self.silent.append(match.span())
                at = match.end()
        return [*found, *self._lines(at, end, marks)]

    def _lines(self, start: int, end: int, marks: dict[int, int]) -> Iterator[Piece]:
        at = start
        while at < end:
            stop = self.source.find(b"\n", at, end)
            if stop < 0:
                yield from verbatim(self.source, at, end)
                return
            following = stop + 1
            while marks.get(following, following) > following:
                following = marks[following]
            while following < end and self.source[following] in b" \t":
                following += 1
            if stop > at and self.source[stop - 1 : stop] == b"\r":
                stop -= 1
            yield from verbatim(self.source, at, stop)
            yield piece(self.source, "\n", stop, min(following, end))
            at = min(following, end)

    def _table_row(self, node: Node) -> None:
        """Write down a row of a table, its cells joined by ` | `."""
        pieces: list[Piece] = []
        cells = [child for child in node.named_children if child.type == "pipe_table_cell"]
        at = node.start_byte
        for index, cell in enumerate(cells):
            written = self.source[cell.start_byte : cell.end_byte]
            start = cell.start_byte + len(written) - len(written.lstrip())
            end = max(start, cell.start_byte + len(written.rstrip()))
            if index:
                pieces.append(piece(self.source, " | ", at, start))
            pieces += verbatim(self.source, start, end)
            at = end
        self._row(node.start_byte, node.end_byte, pieces)

    def _html(self, node: Node) -> None:
        """Write down an HTML block as it stands, unless it is code."""
        start, end = node.start_byte, node.end_byte
        if _CODE_TAGS.match(self.source, start, end):
            self._silence(node)
            return
        end = start + len(self.source[start:end].rstrip())
        self._row(start, end, self._text(start, end, node))

    def _indented(self, node: Node) -> None:
        """Write down the paragraphs and list items of an indented block that is no code."""
        marks = {child.start_byte: child.end_byte for child in node.children if child.type == "block_continuation"}
        for start, end in blocks.paragraphs(self.source, node.start_byte, node.end_byte):
            item = _ITEM.match(self.source, start, end)
            begin = item.end() if item is not None else start
            self._row(begin, end, list(self._lines(begin, end, marks)))

    def _front_matter(self, node: Node) -> None:
        self._silence(node)
        for span, pieces in front_matter.descriptions(self.source[: node.end_byte]):
            self._row(*span, pieces, "front matter")


def _outside(tags: Sequence[tuple[int, int]], silent: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the stretches that start in none of others."""
    ends = iter(sorted(silent))
    current = next(ends, None)
    for start, end in tags:
        while current is not None and current[1] <= start:
            current = next(ends, None)
        if current is None or start < current[0]:
            yield start, end
