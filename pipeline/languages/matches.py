"""The matches of a language's query in a file, sorted by what they are: in its tree, and in what its macros hold."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node, QueryCursor

from scaup.pipeline.languages import embedded
from scaup.pipeline.languages.embedded import Place
from scaup.pipeline.languages.expressions import text
from scaup.pipeline.languages.syntax import Syntax

Captures = dict[str, list[Node]]
# The number of a pattern, and what it captured.
Match = tuple[int, Captures]


def place(node: Node) -> Place:
    """Return where a node starts and ends."""
    return node.start_byte, node.end_byte


class Matches:
    """All matches in one file, by the group of their pattern."""

    def __init__(self, syntax: Syntax, source: bytes, root: Node) -> None:
        self.syntax, self.source = syntax, source
        self.groups: dict[str, list[Match]] = {pattern.group: [] for pattern in syntax.patterns}
        # Calls by their looks, where tokens are no code.
        self.looks: list[Captures] = []
        self.find(root)
        self.find_embedded()

    def find(self, root: Node) -> None:
        """Run the query over a tree."""
        sorted_by = [self.groups[pattern.group] for pattern in self.syntax.patterns]
        for match in QueryCursor(self.syntax.query).matches(root):
            sorted_by[match[0]].append(match)

    def of(self, group: str) -> Sequence[Match]:
        """Return the matches of a group, in order."""
        return self.groups.get(group, ())

    def captures(self, group: str) -> list[Captures]:
        """Return what the matches of a group captured."""
        return [captures for _, captures in self.of(group)]

    def places(self, lead: str) -> set[Place]:
        """Return the places of the leading captures of a group."""
        return {place(captures[lead][0]) for _, captures in self.of(lead)}

    def find_embedded(self) -> None:
        """Run the query over the tokens that are mostly code; take calls by their looks where they are none."""
        damaged: set[Place] = set()
        for _ in range(embedded.DEPTH):
            places = sorted(self.places("embedded"))
            if not places:
                break
            self.groups["embedded"].clear()
            root = self.syntax.parser.parse(embedded.only(self.source, places)).root_node
            damaged |= embedded.damaged(root, self.syntax.errors, places)
            self.find(root)
        if damaged:
            calls = [*self.of("reference.call"), *self.of("reference.macro")]
            known = {captures["name"][0].start_byte for _, captures in calls if "name" in captures}
            names = {node.start_byte: node for node in (c["name"][0] for c in self.captures("reference.tokens"))}
            outside = embedded.outside(names, self.places("embedded.none"))
            definition = self.syntax.token_definition
            for name in embedded.calls_by_looks(self.source, damaged, outside, known, definition):
                self.looks.append({"reference.call": [name], "name": [name]})

    def test_macros(self) -> set[str]:
        """Return the names of the macros that write tests."""
        return {text(captures["name"][0]) for _, captures in self.of("test.macro")}
