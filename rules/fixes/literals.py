"""The string, scalar, block or comment that a place of a file is in, and how text is written there."""

from __future__ import annotations

import functools
import re
from array import array
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node, Parser
from tree_sitter_language_pack import get_language

from scaup.pipeline import languages
from scaup.pipeline.text import naming
from scaup.pipeline.text.forms import Forms, forms
from scaup.pipeline.text.found import Lines

_OPENING = {
    "python": re.compile(rb"[A-Za-z]{0,3}(?:\"\"\"|'''|\"|')"),
    "javascript": re.compile(rb"[\"'`]"),
    "rust": re.compile(rb"(?:b|c|br|cr|r)?#*\""),
    "go": re.compile(rb"[\"`]"),
    "toml": re.compile(rb"\"\"\"|'''|\"|'"),
}
_YAML = {
    "plain_scalar": "plain",
    "single_quote_scalar": "single",
    "double_quote_scalar": "double",
    "block_scalar": "block",
}
_FLOW = frozenset({"flow_mapping", "flow_sequence"})


class Literal(NamedTuple):
    """Where text stands in a file: bytes `start` to `end`; with its delimiters, `outer_start` to `outer_end`.

    `host` is the language by whose rules it is written, `comment` for any comment. `opening` is what it opens with:
    prefix and quotes; of YAML: plain, single, double or block. `inner` says where it stands: `tagged` in front of a
    template's function, `nested` in the expression of another string, `flow` in brackets of YAML, `tag` of a Go field.
    """

    host: str
    opening: str
    start: int
    end: int
    outer_start: int
    outer_end: int
    inner: frozenset[str] = frozenset()


class Source:
    """One file as it is read for fixes."""

    def __init__(self, path: str, content: bytes) -> None:
        """Raises UnicodeDecodeError for what is no UTF-8: places in it are not certain."""
        content.decode("utf-8")
        self.path, self.content = path, content
        self.language = naming.identify(path) or ""
        self.lines = Lines(content)
        self.ascii = content.isascii()
        self._known: dict[int, array[int]] = {}

    def byte(self, line: int, column: int) -> int:
        """Return the byte of a place; of one beyond the file its end."""
        if line > len(self.lines.starts):
            return len(self.content)
        start = self.lines.starts[line - 1]
        if self.ascii:
            return min(start + column - 1, len(self.content))
        columns = self._columns(line)
        return start + columns[min(column - 1, len(columns) - 1)]

    def _columns(self, line: int) -> array[int]:
        """Return where each character of a line starts, from the line's start, and where the last ends."""
        if line not in self._known:
            start = self.lines.starts[line - 1]
            end = self.lines.starts[line] if line < len(self.lines.starts) else len(self.content)
            found = array("L", [0])
            for character in self.content[start:end].decode("utf-8"):
                found.append(found[-1] + len(character.encode()))
            self._known[line] = found
        return self._known[line]

    @functools.cached_property
    def root(self) -> Node:
        """The syntax tree."""
        return tree(self.language, self.content)

    @functools.cached_property
    def forms(self) -> Forms | None:
        """How strings are written in the language; None for documents."""
        return forms(self.language)

    @functools.cached_property
    def front_matter(self) -> Node | None:
        """The tree of a Markdown file's front matter."""
        first = next(iter(self.root.named_children), None)
        while first is not None and first.type == "section":
            first = next(iter(first.named_children), None)
        if first is None or first.type != "minus_metadata":
            return None
        return tree("yaml", self.content[: first.end_byte])

    def literal(self, start: int, end: int) -> Literal | None:
        """Return what holds the bytes from `start` to `end` as its content; None where nothing does."""
        if self.language == "markdown":
            matter = self.front_matter
            if matter is None or start >= matter.end_byte:
                size = len(self.content)
                return Literal("markdown", "", 0, size, 0, size)
            return self._covering(matter, "yaml", start, end)
        if self.language in ("json", "yaml", "toml"):
            return self._covering(self.root, self.language, start, end)
        return self._covering(self.root, self.forms.escapes, start, end) if self.forms is not None else None

    def _covering(self, root: Node, host: str, start: int, end: int) -> Literal | None:
        # Between two characters, the nodes of both sides count.
        ranges = [(start, end)] if start < end else [(start, start), (start, start + 1), (max(0, start - 1), start)]
        for first, last in ranges:
            for node in _upwards(root.descendant_for_byte_range(first, last)):
                literal = self._literal(node, host)
                if literal is not None and literal.start <= start and end <= literal.end:
                    return literal
        return None

    def _literal(self, node: Node, host: str) -> Literal | None:
        outer = (node.start_byte, node.end_byte)
        if host == "yaml":
            form = _YAML.get(node.type)
            if form is None:
                return None
            cut = 1 if form in ("single", "double") else 0
            flow = frozenset({"flow"} if any(above.type in _FLOW for above in _upwards(node)) else ())
            return Literal(host, form, outer[0] + cut, outer[1] - cut, *outer, flow)
        if host == "json":
            return Literal(host, '"', outer[0] + 1, outer[1] - 1, *outer) if node.type == "string" else None
        if host != "toml" and "comment" in node.type:
            return Literal("comment", "", *outer, *outer)
        if node.type not in ({"string"} if host == "toml" else self.forms.literals if self.forms is not None else ()):
            return None
        match = _OPENING[host].match(self.content, *outer)
        if match is None:
            return None
        closing = match.end() - match.start()
        if host == "python":
            closing = 3 if match[0].endswith((b'"""', b"'''")) else 1
        elif host == "rust":
            closing = 1 + match[0].count(b"#")
        return Literal(
            host, match[0].decode(), match.end(), outer[1] - closing, *outer, frozenset(self._surroundings(node))
        )

    def _surroundings(self, node: Node) -> Iterator[str]:
        above = node.parent
        if above is None or self.forms is None:
            return
        if above.type == "call_expression" and above.child_by_field_name("arguments") == node:
            yield "tagged"
        if above.type == "field_declaration" and above.child_by_field_name("tag") == node:
            yield "tag"
        if any(one.type in self.forms.nodes["interpolation"] for one in _upwards(above)):
            yield "nested"


def _upwards(node: Node | None) -> Iterator[Node]:
    while node is not None:
        yield node
        node = node.parent


def tree(language: str, content: bytes) -> Node:
    """Return the syntax tree of a content."""
    grammar = languages.load()[language].grammar
    return Parser(get_language(grammar)).parse(content).root_node  # type: ignore[arg-type]  # a name it does not list
