"""Groups of tokens, as a grammar leaves the arguments of macros: elements, keys and calls by their looks."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from tree_sitter import Node

from scaup.pipeline.text.forms import Forms

# Tokens that a called path is made of.
_PATH = frozenset({"::", ".", "!", "?"})
_KEYED = frozenset({":", "=", "=>"})


class Element(NamedTuple):
    """What stands between two commas: `key` is the token in front of `:`, `=` or `=>`, `nodes` are the value."""

    key: Node | None
    nodes: list[Node]
    start: int
    end: int


class Tokens:
    """Reads groups of tokens of one file; each is taken apart once."""

    def __init__(self, forms: Forms, source: bytes) -> None:
        self.forms, self.source = forms, source
        self._elements: dict[int, tuple[list[Element], list[int]]] = {}

    def elements(self, group: Node) -> list[Element]:
        """Return what stands between the commas of a group."""
        return self._taken(group)[0]

    def element(self, group: Node, byte: int) -> tuple[int, Element] | None:
        """Return the element of a group that a byte is in, and its position."""
        elements, starts = self._taken(group)
        index = bisect_right(starts, byte) - 1
        return (index, elements[index]) if index >= 0 else None

    def _taken(self, group: Node) -> tuple[list[Element], list[int]]:
        if (found := self._elements.get(group.id)) is None:
            elements: list[Element] = []
            nodes: list[Node] = []
            for child in group.children[1:-1]:
                if child.type in (",", ";"):
                    self._close(elements, nodes)
                    nodes = []
                elif "comment" not in child.type:
                    nodes.append(child)
            self._close(elements, nodes)
            found = self._elements[group.id] = (elements, [element.start for element in elements])
        return found

    @staticmethod
    def _close(elements: list[Element], nodes: list[Node]) -> None:
        if not nodes:
            return
        start, end = nodes[0].start_byte, nodes[-1].end_byte
        offset = 1 if nodes[0].type == "let" else 0
        at = offset + 1
        while at < len(nodes) and at < offset + 4 and nodes[at].type not in _KEYED and nodes[0].type == "let":
            at += 1
        if at + 1 < len(nodes) and nodes[at].type in _KEYED:
            elements.append(Element(nodes[offset], nodes[at + 1 :], start, end))
        else:
            elements.append(Element(None, nodes, start, end))

    def brackets(self, group: Node) -> str:
        """Return what a group opens with: `(`, `[` or `{`."""
        return chr(self.source[group.start_byte]) if group.end_byte > group.start_byte else ""

    def head(self, group: Node) -> str:
        """Return the path in front of a group, which it is the arguments of; empty where there is none."""
        return self._head(group)[0]

    def start(self, group: Node) -> int:
        """Return where the path in front of a group starts."""
        return self._head(group)[1]

    def _head(self, group: Node) -> tuple[str, int]:
        outer = group.parent
        if outer is None or outer.type not in self.forms.nodes["tokens"]:
            # The arguments of a macro or of an attribute.
            named = outer.named_children[0] if outer is not None and outer.named_children else None
            if outer is None or named is None or named == group:
                return "", group.start_byte
            mark = "!" if outer.type in self.forms.nodes["macro"] else ""
            return self._written(named.start_byte, named.end_byte) + mark, outer.start_byte
        found = self.element(outer, group.start_byte)
        if found is None:
            return "", group.start_byte
        nodes = found[1].nodes
        at = next((index for index, node in enumerate(nodes) if node.start_byte == group.start_byte), 0)
        first = at
        while first > 0:
            node = nodes[first - 1]
            if node.type == ">" or node.type == ">>":
                depth = len(node.type)
                first -= 1
                while first > 0 and depth:
                    first -= 1
                    depth += {"<": -1, "<<": -2, ">": 1, ">>": 2}.get(nodes[first].type, 0)
                continue
            # A path has names with marks between; two names that touch are no path.
            is_name = (
                node.is_named and node.type not in self.forms.nodes["tokens"] and node.type not in self.forms.literals
            )
            if not (is_name or node.type in _PATH):
                break
            if is_name and first < at and nodes[first].is_named and nodes[first].type not in _PATH:
                break
            first -= 1
        return self._written(nodes[first].start_byte, group.start_byte), nodes[first].start_byte

    def _written(self, start: int, end: int) -> str:
        return "".join(self.source[start : min(end, start + 400)].decode("utf-8", "replace").split())
