"""Strings of Markdown: a paragraph, list item, table row or heading is one; code is for another reader and is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node, Parser
from tree_sitter_language_pack import get_language

from scaup.pipeline.text.documents import yaml_tree
from scaup.pipeline.text.documents.pieces import stripped, verbatim
from scaup.pipeline.text.documents.places import Places, valid
from scaup.pipeline.text.documents.templates import templated
from scaup.pipeline.text.documents.tree import Scalar, walk
from scaup.pipeline.text.found import ESCAPE, Found, Piece, StringRow, joined

_CODE = frozenset(("fenced_code_block", "indented_code_block", "link_reference_definition", "thematic_break"))
_HEADINGS = frozenset(("atx_heading", "setext_heading"))
_MARKERS = re.compile(
    r"^(?:atx_h\d_marker|setext_h\d_underline|list_marker.*|task_list_marker.*|block_quote_marker|pipe_table_delimiter_row)$"
)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
# Members of the front matter that an agent reads.
_FRONT = frozenset(("description", "when_to_use", "whentouse", "trigger", "instructions", "argument-hint"))


def extract(source: bytes, surface: str) -> Found:
    """Return the strings of a Markdown file."""
    source = valid(source)
    found = Found()
    lines = Places(source)
    root = Parser(get_language("markdown")).parse(source).root_node
    for node in _blocks(root):
        if node.type == "minus_metadata":
            _front_matter(source, node, lines, surface, found)
            continue
        for start, end, pieces in _texts(source, node):
            text, segments, names = joined(templated(stripped(pieces)), lines)
            if any(character.isalpha() for character in text):
                found.strings.append(
                    StringRow(text, lines.span(start, end), segments, names, surface=surface, detail="file name")
                )
    found.strings.sort(key=lambda row: row.span)
    return found


def _blocks(root: Node) -> Iterator[Node]:
    """Yield the blocks that hold text themselves, in order."""
    todo = [root]
    while todo:
        node = todo.pop()
        if node.type in _CODE:
            continue
        if (
            node.type in ("paragraph", "pipe_table_row", "pipe_table_header", "html_block", "minus_metadata")
            or node.type in _HEADINGS
        ):
            yield node
        else:
            todo.extend(reversed(node.named_children))


def _texts(source: bytes, node: Node) -> Iterator[tuple[int, int, list[Piece]]]:
    """Yield start, end and pieces of the texts of a block: marks and the indentation of continued lines left out."""
    if node.type == "html_block":
        for start, end in _without_comments(source, node.start_byte, node.end_byte):
            yield from _paragraphs(source, start, end)
        return
    if node.type in ("pipe_table_row", "pipe_table_header"):
        pieces: list[Piece] = []
        for cell in node.named_children:
            if cell.type == "pipe_table_cell":
                if pieces:
                    pieces.append(Piece(" | ", cell.start_byte, cell.start_byte, ESCAPE))
                pieces += stripped(list(verbatim(source, cell.start_byte, cell.end_byte)))
        yield node.start_byte, node.end_byte, pieces
        return
    dropped = sorted(_dropped(node), key=lambda child: child.start_byte)
    pieces, at = [], node.start_byte
    for child in dropped:
        pieces += verbatim(source, at, child.start_byte)
        if child.end_byte > child.start_byte:
            pieces.append(Piece("", child.start_byte, child.end_byte, ESCAPE))
        at = max(at, child.end_byte)
    pieces += verbatim(source, at, node.end_byte)
    end = node.end_byte
    while end > node.start_byte and source[end - 1 : end].isspace():
        end -= 1
    yield node.start_byte, end, pieces


def _dropped(node: Node) -> Iterator[Node]:
    todo = list(node.children)
    while todo:
        child = todo.pop()
        if child.type == "block_continuation" or _MARKERS.match(child.type):
            yield child
        elif child.type != "inline" or child.child_count:
            todo.extend(child.children)


def _without_comments(source: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for match in _COMMENT.finditer(source, start, end):
        yield at, match.start()
        at = match.end()
    yield at, end


def _paragraphs(source: bytes, start: int, end: int) -> Iterator[tuple[int, int, list[Piece]]]:
    """Yield the paragraphs of markup: between empty lines, and an item of a list or a heading for itself."""
    at = start
    for match in re.finditer(rb"\n[ \t]*(?:\n|(?=[-*+] |\d+[.)] |#{1,6} ))", source[start:end]):
        if source[at : start + match.start()].strip():
            yield at, start + match.start(), list(verbatim(source, at, start + match.start()))
        at = start + match.end()
    if source[at:end].strip():
        yield at, end, list(verbatim(source, at, end))


def _front_matter(source: bytes, node: Node, lines: Places, surface: str, found: Found) -> None:
    """Add the texts of a front matter that an agent reads."""
    # The same bytes without the marks around them keep their places.
    inner = b" " * node.start_byte + re.sub(rb"(?m)^---[ \t]*$", b"   ", source[node.start_byte : node.end_byte])
    document = yaml_tree.document(re.sub(rb"[^\n]", b" ", inner[: node.start_byte]) + inner[node.start_byte :])
    for holder in walk(document.roots):
        for key, value in holder.members:
            if key.lower() in _FRONT and isinstance(value, Scalar) and value.form != "bare":
                text, segments, names = joined(templated(stripped(document.pieces(value))), lines)
                if text:
                    span = lines.span(value.start, value.end)
                    found.strings.append(
                        StringRow(text, span, segments, names, surface=surface, detail=f"front matter {key}")
                    )
