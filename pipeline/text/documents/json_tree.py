"""JSON read into maps, lists and strings."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from tree_sitter import Node, Parser
from tree_sitter_language_pack import get_language

from scaup.pipeline.text.documents.pieces import REPLACEMENT, scanned
from scaup.pipeline.text.documents.tree import Document, Grammar, Holder, Scalar, read
from scaup.pipeline.text.found import Piece

# A pair of surrogates is one character; a backslash that starts no escape stays.
_ESCAPE = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[\"\\/bfnrt]")
_BARE = frozenset({"number", "true", "false", "null"})


def document(source: bytes) -> Document:
    """Return a JSON file read; comments and errors are passed over."""
    root = Holder(False)
    tree = Parser(get_language("json")).parse(source)

    def pair(node: Node) -> tuple[Sequence[str], Node | None]:
        key = node.child_by_field_name("key")
        if key is None or key.type != "string":
            return [], None
        return [_text(source, key)], node.child_by_field_name("value")

    read(tree.root_node.named_children, Grammar(_MAPS, _LISTS, _PAIRS, _BARE, _scalar, pair), root)
    return Document(source, [value for _, value in root.members], pieces)


_MAPS, _LISTS, _PAIRS = frozenset({"object"}), frozenset({"array"}), frozenset({"pair"})


def _scalar(node: Node, _: int) -> Scalar | None:
    if node.type == "string":
        return Scalar(node.start_byte, node.end_byte, "string")
    return Scalar(node.start_byte, node.end_byte, "bare") if node.type in _BARE else None


def _text(source: bytes, node: Node) -> str:
    return "".join(part.text for part in pieces(source, Scalar(node.start_byte, node.end_byte, "string")))


def pieces(source: bytes, scalar: Scalar) -> list[Piece]:
    """Return the pieces of a JSON string."""
    return list(scanned(source, scalar.start + 1, scalar.end - 1, _ESCAPE, _escaped))


def _escaped(match: re.Match[bytes]) -> str:
    text = str(json.loads(b'"' + match[0] + b'"'))
    return REPLACEMENT if "\ud800" <= text < "\ue000" else text
