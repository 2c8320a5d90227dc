"""Definitions of a file: what they are called, what they stand in, and what belongs to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from tree_sitter import Node

from scaup.pipeline.languages import comments
from scaup.pipeline.languages.comments import Comment
from scaup.pipeline.languages.embedded import Place
from scaup.pipeline.languages.expressions import text
from scaup.pipeline.languages.matches import Captures, Matches, place
from scaup.pipeline.languages.syntax import Syntax
from scaup.pipeline.languages.tokens import hash64

TEST_NAME_LENGTH = 120


@dataclass(slots=True, eq=False)
class Definition:
    """A symbol or a scope while its file is worked out."""

    start: int
    end: int
    kind: str
    name: str
    # The body of a module has none.
    node: Node | None
    captures: Captures = field(default_factory=dict)
    line: int = 1
    # First line with decorators, attributes and the comments directly above, and those of these that document it.
    span_start: int = 1
    above: list[Node] = field(default_factory=list)
    is_test: bool = False
    is_fixture: bool = False
    parent: Definition | None = None
    qualname: str = ""
    # The type that a method belongs to, where the syntax does not nest it.
    owner: str | None = None
    symbol_id: int = 0
    # Position among the symbols of the file; 0 is the body of the module.
    index: int = -1
    calls: int = 0
    parameters: list[tuple[str, str | None]] = field(default_factory=list)
    # Least and most arguments, and whether it is a static method.
    shape: tuple[int, int | None, bool] | None = None

    @property
    def is_symbol(self) -> bool:
        """Whether it is a symbol; a scope only qualifies names."""
        return self.kind != "scope"


def collect(path: str, role: str, source: bytes, syntax: Syntax, matches: Matches) -> list[Definition]:
    """Return the symbols and scopes of a file, outer ones first; symbols have their ids."""
    found = sorted(_found(syntax, matches), key=lambda d: (d.start, -d.end, d.is_symbol))
    above = comments.alone(source, matches.captures("comment"))
    kept = Nesting(role, syntax, matches, above).nest(found)
    ordinals: Counter[tuple[str, str]] = Counter()
    for index, definition in enumerate((d for d in kept if d.is_symbol), start=1):
        key = (definition.qualname, definition.kind)
        definition.index = index
        definition.symbol_id = symbol_id(path, *key, ordinals[key])
        ordinals[key] += 1
    return kept


def symbol_id(path: str, qualname: str, kind: str, ordinal: int = 0) -> int:
    """Return the id of a symbol; the ordinal tells those of one name and kind in a file apart."""
    return hash64(f"{path}\0{qualname}\0{kind}\0{ordinal}")


def _found(syntax: Syntax, matches: Matches) -> list[Definition]:
    """Return the definitions that the query found; of several at one place the one that says most."""
    found: dict[tuple[int, int, bool], Definition] = {}
    for index, captures in matches.of("definition"):
        lead, kind, _ = syntax.patterns[index]
        node = first = captures[lead][0]
        if syntax.prefixes and node.child_count:
            first = _behind_prefixes(node, syntax.prefixes)
        start, end = first.start_byte, node.end_byte
        key = (start, end, kind == "scope")
        known = found.get(key)
        if known is None or len(captures) > len(known.captures):
            name = ""
            # A scope can have none: it takes its definitions in, and adds nothing to their names.
            if "name" in captures:
                name_node = captures["name"][0]
                name = text(name_node)
                if kind == "test":
                    name = fold(name.strip("\"'`"), TEST_NAME_LENGTH)
                elif kind == "macro":
                    name, kind = name + "!", "function"
                elif kind == "scope":
                    name = syntax.expressions.type_name(name_node) or name
            found[key] = Definition(start, end, kind, name, node, captures, first.start_point[0] + 1)
    return list(found.values())


def _behind_prefixes(node: Node, prefixes: frozenset[str]) -> Node:
    """Return the first part of a definition that is no prefix; the definition where that is its start."""
    first = node.child(0)
    if first is None or first.type not in prefixes:
        return node
    return next((child for child in node.children if child.type not in prefixes), node)


class Nesting:
    """Gives each definition its parent, qualified name, span and comments; drops what is none where it stands."""

    def __init__(self, role: str, syntax: Syntax, matches: Matches, above: Mapping[int, Comment]) -> None:
        self.syntax, self.above = syntax, above
        self.spans = {place(c["inner"][0]): c["span"][0] for c in matches.captures("span")}
        collects_tests = role == "test" or not syntax.tests_in_test_files
        self.tests = matches.places("test") if collects_tests else set[Place]()
        self.fixtures = matches.places("fixture")
        self.test_macros = matches.test_macros()
        self.constants: set[tuple[str, str]] = set()
        self.signatures: dict[tuple[str, str], Definition] = {}

    def nest(self, found: list[Definition]) -> list[Definition]:
        """Return the definitions that count, of all in order of their places."""
        stack: list[Definition] = []
        kept: list[Definition] = []
        for definition in found:
            # A macro writes a test where its definition, in this file, has the mark of one.
            if "macro" in definition.captures and text(definition.captures["macro"][0]) not in self.test_macros:
                continue
            while stack and stack[-1].end <= definition.start:
                stack.pop()
            parent = stack[-1] if stack else None
            if not self.counts(definition, parent):
                continue
            self.qualify(definition, class_around(parent) if "self" in definition.captures else parent)
            self.span(definition)
            if not self.declared(definition, kept):
                continue
            if definition.kind != "constant":
                stack.append(definition)
            kept.append(definition)
        return kept

    def counts(self, definition: Definition, parent: Definition | None) -> bool:
        """Whether it is a definition where it stands."""
        captures = definition.captures
        if parent is not None and "definition.macro" in parent.captures:
            return False  # what a macro writes is defined where the macro is called
        if definition.kind == "constant":
            key = (parent.qualname if parent else "", definition.name)
            if (parent is not None and parent.is_symbol) or key in self.constants:
                return False
            self.constants.add(key)
        if "within" in captures and (
            parent is None or parent.kind != "scope" or (parent.start, parent.end) != place(captures["within"][0])
        ):
            return False
        return "factory" not in captures or (parent is not None and parent.kind in ("function", "method"))

    def qualify(self, definition: Definition, parent: Definition | None) -> None:
        """Set the parent, the owner, the qualified name and the kind."""
        definition.parent = parent
        prefix = parent.qualname if parent is not None else ""
        if owner := definition.captures.get("owner"):
            definition.owner = self.syntax.expressions.type_name(owner[0])
            prefix = prefix or definition.owner or ""
            definition.kind = "method" if definition.kind == "function" else definition.kind
        elif parent is not None and (
            (parent.kind == "scope" and "base" in parent.captures) or parent.captures.get("type")
        ):
            definition.owner = parent.name
        name = definition.name
        definition.qualname = f"{prefix}{self.syntax.separator}{name}" if prefix and name else prefix or name
        if definition.kind == "function" and parent is not None and (parent.kind == "class" or definition.owner):
            definition.kind = "method"

    def span(self, definition: Definition) -> None:
        """Set where the definition starts with what belongs to it, and whether that makes it a test or a fixture."""
        node, key = definition.node, (definition.start, definition.end)
        assert node is not None  # noqa: S101  # only the module body has none, and it is made later
        whole = self.spans.get(key, node) if self.spans else node
        definition.is_test = definition.kind == "test" or (
            bool(self.tests) and (key in self.tests or place(whole) in self.tests)
        )
        definition.is_fixture = key in self.fixtures
        outer = self.spans.get((node.start_byte, definition.end), node) if self.spans else node
        row = outer.start_point[0]
        while (comment := self.above.get(row - 1)) is not None and comment.row < row:
            row = comment.row
            if comment.is_doc:
                definition.above.append(comment.node)
        definition.above.reverse()
        definition.span_start = row + 1

    def declared(self, definition: Definition, kept: list[Definition]) -> bool:
        """Whether it stands for its name: the one with a body, with what stands above the first of its declarations."""
        if not self.signatures and "signature" not in definition.captures:
            return True
        key = (definition.qualname, definition.kind)
        if first := self.signatures.get(key):
            if "signature" in definition.captures:
                return False
            kept.remove(first)
            del self.signatures[key]
            definition.span_start = min(definition.span_start, first.span_start)
            definition.above = definition.above or first.above
        elif "signature" in definition.captures:
            self.signatures[key] = definition
        return True


def class_around(definition: Definition | None) -> Definition | None:
    """Return the class around a definition; where there is none, the definition itself."""
    outer = definition
    while outer is not None and outer.kind != "class":
        outer = outer.parent
    return outer or definition


def fold(folded: str, limit: int) -> str:
    """Fold white space to single blanks and cut at `limit` characters."""
    folded = " ".join(folded.split())
    return folded if len(folded) <= limit else folded[: limit - 1] + "…"
