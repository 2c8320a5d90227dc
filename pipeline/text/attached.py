"""Texts that are attached to definitions: doc comments and attributes of tools and parameters, tags of fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from scaup.pipeline.text.escapes import decode
from scaup.pipeline.text.found import ESCAPE, VERBATIM, Piece
from scaup.pipeline.text.strings import Strings

# A member of a Go struct tag: a key, and a quoted string.
_TAG = re.compile(rb'(\w+):"((?:[^"\\]|\\.)*)"')
_DESCRIBES = frozenset((b"description", b"jsonschema_description", b"desc", b"doc"))
# Escapes in a tag; a comma that is no separator has two backslashes.
_ESCAPE = re.compile(rb"\\(?:\\,|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3}|.)")
# Within a jsonschema tag: `required,description=Some text`, or the text alone.
_SCHEMA_PART = re.compile(rb"(?:^|,)description=((?:[^,\\]|\\.|,(?!\w+=))*)")
# A field's name in JSON, in the attributes of Rust.
_RENAMED = re.compile(rb'\b(?:serde|schemars)\((?:[^)]*,)?\s*rename\s*=\s*"([^"]+)"')
_SETTING = re.compile(rb"^(?:\w+(?:=[^,]*)?)(?:,\w+(?:=[^,]*)?)*$")


def tag_texts(source: bytes, node: Node) -> Iterator[tuple[str | None, list[Piece]]]:
    """Yield (parameter, pieces) of the descriptions in a struct tag; the parameter is the field's name in JSON."""
    start, end = node.start_byte + 1, node.end_byte - 1
    raw = source[node.start_byte : node.start_byte + 1] == b"`"
    members = {match[1]: match for match in _TAG.finditer(source, start, end)} if raw else {}
    named = members[b"json"][2].split(b",")[0].decode("utf-8", "replace") if b"json" in members else ""
    field = node.parent.child_by_field_name("name") if node.parent is not None else None
    if not named and field is not None:
        named = source[field.start_byte : field.end_byte].decode("utf-8", "replace")
    for key, match in members.items():
        at, upto = match.span(2)
        if key == b"jsonschema":
            part = _SCHEMA_PART.search(source[at:upto])
            if part is not None:
                at, upto = at + part.start(1), at + part.end(1)
            elif b" " not in source[at:upto] or _SETTING.match(source[at:upto]):
                continue
        elif key not in _DESCRIBES:
            continue
        if b" " in source[at:upto]:
            yield named or None, list(_unquoted(source, at, upto))


def _unquoted(source: bytes, start: int, end: int) -> Iterator[Piece]:
    at = start
    for match in _ESCAPE.finditer(source[start:end]):
        place = start + match.start()
        if place > at:
            yield Piece(source[at:place].decode("utf-8", "replace"), at, place, VERBATIM)
        written = match[0].decode("utf-8", "replace")
        text = "," if written == "\\\\," else decode(written, "go")
        yield Piece(text, place, place + len(match[0]), ESCAPE)
        at = place + len(match[0])
    if at < end:
        yield Piece(source[at:end].decode("utf-8", "replace"), at, end, VERBATIM)


def renamed(strings: Strings, attribute: Node) -> str | None:
    """Return the name that an attribute of serde gives to what another attribute stands above."""
    definition = definition_behind(attribute)
    return renamed_field(strings.source, definition) if definition is not None else None


def renamed_field(source: bytes, field: Node) -> str | None:
    """Return the name that serde gives to a field."""
    above = field.prev_named_sibling
    while above is not None and (above.type == "attribute_item" or "comment" in above.type):
        match = _RENAMED.search(source, above.start_byte, above.end_byte)
        if match is not None:
            return match[1].decode("utf-8", "replace")
        above = above.prev_named_sibling
    return None


def definition_behind(attribute: Node) -> Node | None:
    """Return the definition that an attribute stands above."""
    node = attribute.next_named_sibling
    while node is not None and (node.type == attribute.type or "comment" in node.type):
        node = node.next_named_sibling
    return node


def doc_pieces(source: bytes, definition: Node) -> list[Piece]:
    """Return the doc comment above a definition, one line behind another, without marks."""
    found: list[Node] = []
    node = definition.prev_named_sibling
    while node is not None and ("comment" in node.type or node.type == "attribute_item"):
        doc = next((child for child in node.named_children if child.type == "doc_comment"), None)
        if doc is not None:
            found.append(doc)
        elif node.type != "attribute_item":
            break
        node = node.prev_named_sibling
    return list(_lines(source, list(reversed(found))))


def _lines(source: bytes, docs: Sequence[Node]) -> Iterator[Piece]:
    for index, doc in enumerate(docs):
        start, end = doc.start_byte, doc.end_byte
        while end > start and source[end - 1 : end] in (b"\n", b"\r"):
            end -= 1
        if source[start : start + 1] == b" ":
            start += 1
        if index:
            yield Piece("\n", start, start, ESCAPE)
        if end > start:
            yield Piece(source[start:end].decode("utf-8", "replace"), start, end, VERBATIM)


def field_types(model: Node) -> Iterator[Node]:
    """Yield the types of the fields of a struct."""
    pending = [model]
    while pending:
        node = pending.pop()
        for child in node.named_children:
            kind = child.child_by_field_name("type") if child.type == "field_declaration" else None
            if kind is not None:
                yield kind
            elif child.type in ("struct_type", "field_declaration_list"):
                pending.append(child)
