"""TOML read into maps, lists and strings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node, Parser
from tree_sitter_language_pack import get_language

from scaup.pipeline.text.documents.pieces import character, scanned
from scaup.pipeline.text.documents.tree import Document, Grammar, Holder, Scalar, inside, read
from scaup.pipeline.text.found import Piece

# A backslash at the end of a line takes all white space up to the next text with it.
_ESCAPE = re.compile(
    rb"\\[ \t]*\r?\n[ \t\r\n]*|\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\[btnfre\"\\]|\r\n"
)
_BREAK = re.compile(rb"\r\n")
_SIMPLE = {b"b": "\b", b"t": "\t", b"n": "\n", b"f": "\f", b"r": "\r", b"e": "\x1b", b'"': '"', b"\\": "\\"}
_BARE = frozenset({"integer", "float", "boolean", "offset_date_time", "local_date_time", "local_date", "local_time"})
# The grammar knows no blanks behind the backslash: for it they stand in front.
_BLANKS = re.compile(rb"\\([ \t]+)(?=\r?\n)")
_KEYS = frozenset({"bare_key", "quoted_key", "dotted_key"})


def document(source: bytes) -> Document:
    """Return a TOML file read: tables and dotted keys as the maps that they stand for."""
    root = Holder(True)
    tree = Parser(get_language("toml")).parse(_BLANKS.sub(rb"\1\\", source))

    def keys(node: Node) -> list[str]:
        found: list[str] = []
        todo = [node]
        while todo:
            part = todo.pop()
            if part.type == "dotted_key":
                todo.extend(reversed(part.named_children))
            elif part.type == "quoted_key":
                scalar = Scalar(part.start_byte, part.end_byte, "string")
                found.append("".join(piece.text for piece in pieces(source, scalar)))
            elif part.type == "bare_key":
                found.append(source[part.start_byte : part.end_byte].decode("utf-8", "replace"))
        return found

    def pair(node: Node) -> tuple[Sequence[str], Node | None]:
        parts = node.named_children
        values = [part for part in parts[1:] if part.type != "comment"]
        if not values or parts[0].type not in _KEYS:
            return [], None
        return keys(parts[0]), values[0]

    grammar = Grammar(frozenset({"inline_table"}), frozenset({"array"}), frozenset({"pair"}), _BARE, _scalar, pair)
    for node in tree.root_node.named_children:
        if node.type in ("table", "table_array_element"):
            header, *members = node.named_children or [node]
            if header.type in _KEYS:
                read(members, grammar, inside(root, keys(header), item=node.type == "table_array_element"))
        else:
            read([node], grammar, root)
    return Document(source, [root], pieces)


def _scalar(node: Node, _: int) -> Scalar | None:
    if node.type == "string":
        return Scalar(node.start_byte, node.end_byte, "string")
    return Scalar(node.start_byte, node.end_byte, "bare") if node.type in _BARE else None


def pieces(source: bytes, scalar: Scalar) -> list[Piece]:
    """Return the pieces of a TOML string: basic or literal, on one line or several."""
    start, end = scalar.start, scalar.end
    quotes = 3 if end - start >= 6 and source[start : start + 3] in (b'"""', b"'''") else 1
    literal = source[start : start + 1] == b"'"
    start, end = start + quotes, end - quotes
    if quotes == 3:
        # The line break behind the opening quotes is none of the text.
        start += 2 if source[start : start + 2] == b"\r\n" else source[start : start + 1] == b"\n"
    return list(scanned(source, start, max(start, end), _BREAK if literal else _ESCAPE, _escaped))


def _escaped(match: re.Match[bytes]) -> str:
    written = match[0]
    if written == b"\r\n":
        return "\n"
    if (simple := _SIMPLE.get(written[1:2])) is not None and len(written) == 2:
        return simple
    return character(int(written[2:], 16)) if written[1:2] in (b"x", b"u", b"U") else ""
