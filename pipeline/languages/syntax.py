"""What language.toml and tags.scm say of a language, made ready for extraction."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tree_sitter import Node, Parser, Query, QueryCursor
from tree_sitter_language_pack import get_language

from scaup.pipeline.languages import Language
from scaup.pipeline.languages.expressions import Expressions

# Leading captures, up to their dot, and what matches with them are sorted by: all of a group, or one lead alone.
GROUPS = {"definition": "definition", "scope": "definition", "branch": "branch", "nesting": "branch"}
LEADS = frozenset({
    *GROUPS, "comment", "embedded", "span", "extends", "test", "fixture", "reference", "import", "binding", "field",
    "effect",
})  # fmt: skip


class Pattern(NamedTuple):
    """What a match of a pattern is: its leading capture, the part behind the dot, and what it is sorted by."""

    lead: str
    kind: str
    group: str


class Syntax:
    """One language, as extraction needs it."""

    def __init__(self, language: Language, leads: frozenset[str] | None = None) -> None:
        """Compile the language's query; with `leads`, only the patterns with these leading captures up to a dot."""
        self.name, self.separator = language.name, language.separator
        grammar = get_language(language.grammar)  # type: ignore[arg-type]  # a name that its Literal type does not list
        source = language.tags()
        if leads is not None:
            kept = [text for text in split(source) if leading(text).partition(".")[0] in leads]
            source = "\n".join(kept)
        self.parser = Parser(grammar)
        self.query = Query(grammar, source)
        self.errors = Query(grammar, "(ERROR) @e (MISSING) @e")
        self.patterns = _patterns(self.query, source)
        self.expressions = Expressions(language)
        table = language.table
        # Parameters and arguments
        parameters = table.get("parameters", {})
        self.optional = frozenset(parameters.get("optional", ()))
        self.required = frozenset(parameters.get("required", ()))
        self.variadic = frozenset(parameters.get("variadic", ()))
        self.parameters = self.optional | self.required | self.variadic
        self.unnamed = bool(parameters.get("unnamed", False))
        self.receivers = frozenset(parameters.get("receivers", ()))
        self.spread = frozenset(parameters.get("spread", ()))
        comments = table.get("comments", {})
        self.comment_marks = tuple(sorted(comments.get("marks", ()), key=len, reverse=True))
        # Bytes without which a list of arguments holds neither a spread nor a comment.
        marks = (*parameters.get("spread_marks", ()), *self.comment_marks)
        self.argument_marks = re.compile("|".join(map(re.escape, marks)).encode() or rb"(?!)")
        # Classes
        classes = table.get("classes", {})
        self.self_names = frozenset(classes.get("self", ()))
        # Where no parameter stands for the object, a method is static only if the syntax says so.
        self.implicit_self = bool(classes.get("implicit_self", False))
        # A bare call of one of these is a call of the base's constructor.
        self.super_calls: dict[str, str] = dict(classes.get("super_calls", ()))
        self.own_types = tuple(classes.get("own_type", ()))
        # Nodes at the start of a definition that stand before its own first line: decorators.
        self.prefixes = frozenset(table.get("definitions", {}).get("prefixes", ()))
        self.signature_prefix: dict[str, str] = dict(table.get("signatures", {}).get("prefix", {}))
        # The field beside the parameters that holds the type of the result, where no capture says it.
        self.returns_field: str = table.get("types", {}).get("returns", "")
        # Calls, bindings, branches, tests, words
        self.relative = tuple(table.get("expressions", {}).get("relative", ()))
        self.token_receiver = re.compile(table.get("tokens", {}).get("receiver", r"(?!)"))
        self.token_definition = re.compile(table.get("tokens", {}).get("definition", r"(?!)"))
        self.top_level_bindings = bool(table.get("bindings", {}).get("top_level", False))
        self.default_arms = tuple(table.get("complexity", {}).get("default_arms", ()))
        self.breaks_run = frozenset(table.get("complexity", {}).get("breaks_run", ()))
        self.tests_in_test_files = bool(table.get("tests", {}).get("in_test_files", False))
        self.keywords = frozenset(table.get("index", {}).get("keywords", ()))
        # How modules are named, and what a language does on top
        names = language.names()
        self.import_target: Callable[[str, str, str], str] = names.import_target
        self.expand_import: Callable[..., Iterator[tuple[str, str | None, str | None]]] | None = getattr(
            names, "expand_import", None
        )
        # Rewrites, in place, a source that the grammar has errors with.
        self.repair: Callable[[bytes], bytes | None] | None = getattr(names, "repair", None)
        self.relative_receiver: Callable[[str, str], str | None] | None = getattr(names, "relative_receiver", None)
        self.generic_bounds: Callable[[Node], dict[str, Node]] | None = getattr(names, "generic_bounds", None)

    def parse(self, source: bytes) -> tuple[Node, int]:
        """Return the root of a source's tree, repaired where that leaves fewer errors, and their number."""
        root = self.parser.parse(source).root_node
        errors = self.count_errors(root)
        if errors and self.repair is not None and (repaired := self.repair(source)) is not None:
            second = self.parser.parse(repaired).root_node
            fewer = self.count_errors(second)
            if fewer < errors:
                return second, fewer
        return root, errors

    def count_errors(self, root: Node) -> int:
        """Return the number of error and missing nodes below a node."""
        if not root.has_error:
            return 0
        return sum(len(nodes) for nodes in QueryCursor(self.errors).captures(root).values())


def _patterns(query: Query, source: str) -> list[Pattern]:
    """Return for each pattern its leading capture, read from the pattern's own text."""
    data = source.encode()
    found = []
    for index in range(query.pattern_count):
        lead = leading(data[query.start_byte_for_pattern(index) : query.end_byte_for_pattern(index)].decode())
        head, _, kind = lead.partition(".")
        found.append(Pattern(lead, kind or head, GROUPS.get(head, lead)))
    return found


def leading(pattern: str) -> str:
    """Return the leading capture of a pattern."""
    captures: list[str] = re.findall(r"@([a-z_.]+)", re.sub(r"(?m);.*$|\"(?:\\.|[^\"\\])*\"", "", pattern))
    lead = next((name for name in reversed(captures) if name.split(".")[0] in LEADS), None)
    if lead is None:
        raise ValueError(f"a pattern has no leading capture: {pattern}")
    return lead


def split(source: str) -> list[str]:
    """Return the patterns of a query one by one: each an expression in brackets with the captures behind it."""
    found: list[str] = []
    depth = start = 0
    for token in re.finditer(r";[^\n]*|\"(?:\\.|[^\"\\])*\"|[(\[]|[)\]]", source):
        mark = token[0][0]
        if mark in "([":
            if depth == 0:
                found.append(source[start : token.start()])
                start = token.start()
            depth += 1
        elif mark in ")]":
            depth -= 1
    found.append(source[start:])
    # What stands before the first pattern is comments.
    return found[1:]
