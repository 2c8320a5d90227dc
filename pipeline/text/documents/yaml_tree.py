"""YAML read into maps, lists and strings. Aliases are not followed: a text counts where it is written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node, Parser
from tree_sitter_language_pack import get_language

from scaup.pipeline.text.documents.tree import Document, Grammar, Holder, Scalar, read
from scaup.pipeline.text.documents.yaml_scalars import pieces

# The scanner of the grammar holds 250 levels of block collections and breaks beyond: each takes a column or a mark.
DEEPEST = 200
_DEEP = re.compile(rb"(?m)^(?:[ \t]|[-?:](?=[ \t\r\n])){%d}" % DEEPEST)
# A comment behind the header of a block scalar, which the grammar takes for the text at some indentations.
_HEADER_COMMENT = re.compile(rb"(?<=[ \t])[|>][-+0-9]{0,2}[ \t]+(?P<comment>#[^\n]*)")
_FORMS = {"double_quote_scalar": "double", "single_quote_scalar": "single", "block_scalar": "block"}
_MAPS = frozenset({"block_mapping", "flow_mapping"})
_LISTS = frozenset({"block_sequence", "flow_sequence"})
_PAIRS = frozenset({"block_mapping_pair", "flow_pair"})


def document(source: bytes) -> Document:
    """Return a YAML file read, its documents as several roots; nothing of one that is nested too deep."""
    root = Holder(False)
    if _DEEP.search(source) is None:
        tree = Parser(get_language("yaml")).parse(_HEADER_COMMENT.sub(_without_comment, source))

        def pair(node: Node) -> tuple[Sequence[str], Node | None]:
            key = node.child_by_field_name("key")
            scalar = _content(key) if key is not None else None
            if scalar is None:
                return [], None
            return ["".join(piece.text for piece in pieces(source, scalar))], node.child_by_field_name("value")

        read(tree.root_node.children, Grammar(_MAPS, _LISTS, _PAIRS, frozenset(), _scalar, pair), root)
    return Document(source, [value for _, value in root.members], pieces)


def _without_comment(match: re.Match[bytes]) -> bytes:
    return match[0].replace(match["comment"], b" " * len(match["comment"]))


def _content(node: Node) -> Scalar | None:
    """Return the scalar in a node, behind its tag and anchor."""
    while node.type in ("flow_node", "block_node"):
        inner = next((child for child in node.named_children if child.type not in ("anchor", "tag", "comment")), None)
        if inner is None:
            return None
        node = inner
    scalar = _scalar(node, 0)
    if scalar is not None and scalar.form == "bare" and node.type == "plain_scalar":
        # Numbers and words like `on` are keys as they are written.
        return Scalar(scalar.start, scalar.end, "plain")
    return scalar


def _scalar(node: Node, indent: int) -> Scalar | None:
    kind = node.type
    if kind in _FORMS:
        return Scalar(node.start_byte, node.end_byte, _FORMS[kind], indent)
    if kind == "plain_scalar":
        text = any(child.type == "string_scalar" for child in node.named_children)
        return Scalar(node.start_byte, node.end_byte, "plain" if text else "bare")
    return None
