"""From source bytes to rows: runs a language's query over a file's syntax tree and lays out what it found.

One `Extractor` a language and process. Each node is met once, by the query; all else is lookups by position.
The rows of a file depend on its bytes, path and role alone, so they can be kept until the file changes.
"""

from __future__ import annotations

import functools
import re
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, NamedTuple

from tree_sitter import Node, Parser, Query, QueryCursor
from tree_sitter_language_pack import get_language

from scaup.pipeline import languages
from scaup.pipeline.languages import embedded
from scaup.pipeline.languages.complexity import Branch, measure
from scaup.pipeline.languages.tokens import hash64, words

NULL_INT = -(1 << 63)
SIGNATURE_LENGTH = 300
# What stands between a signature and the body, and belongs to neither.
SIGNATURE_END = re.compile(r"(?:[\s{:=]|=>)+$")
DOC_LENGTH = 4000
TEXT_LENGTH = 200
MODULE = "<module>"
DYNAMIC = "<expression>"
# Deeper receivers are no names that anything could resolve.
RECEIVER_DEPTH = 12
LEADS = {
    "definition": "definition",
    "scope": "definition",
    "branch": "branch",
    "nesting": "branch",
    "comment": "comment",
    "embedded": "embedded",
    **dict.fromkeys(("span", "extends", "test", "fixture", "reference", "import", "binding", "field", "effect"), "fact"),
}

Captures = dict[str, list[Node]]

# Columns of each table that a file yields, and their array types: q 64-bit, H 16-bit, O any object.
TABLES: dict[str, dict[str, str]] = {
    "symbols": {
        "symbol_id": "q", "path": "O", "language": "O", "name": "O", "qualname": "O", "kind": "O", "start_line": "q",
        "end_line": "q", "span_start": "q", "signature": "O", "doc": "O", "is_test": "O", "parent_id": "q",
    },
    "calls": {"ordinal": "q", "caller": "q", "path": "O", "callee": "O", "receiver": "O", "line": "q", "arity": "q"},
    "imports": {"path": "O", "scope": "q", "line": "q", "module": "O", "name": "O", "alias": "O", "target": "O"},
    "field_uses": {"symbol_id": "q", "field": "O", "use": "O", "line": "q"},
    "internal.symbol_shape": {
        "symbol_id": "q", "path": "O", "owner": "O", "min_arity": "q", "max_arity": "q", "is_static": "O", "is_fixture": "O", "returns": "O",
        "cyclomatic": "q", "cognitive": "q",
    },
    "internal.bases": {"symbol_id": "q", "path": "O", "position": "q", "base": "O"},
    "internal.bindings": {"symbol_id": "q", "path": "O", "name": "O", "type": "O", "via": "O"},
    "internal.requests": {"symbol_id": "q", "path": "O", "name": "O", "line": "q"},
    "internal.effects": {"symbol_id": "q", "path": "O", "kind": "O", "line": "q"},
    "word_counts": {"word_id": "q", "symbol_id": "q", "field": "q", "occurrences": "q"},
    "words": {"word_id": "q", "word": "O"},
}  # fmt: skip
NULLABLE = frozenset({"scope", "parent_id", "arity", "min_arity", "max_arity", "cyclomatic", "cognitive", "symbol_id"})
# Numbers of the fields in word_counts; index.sql has the same.
FIELDS = ("name", "path", "signature", "doc", "body", "callees")


class Rows:
    """Rows of all tables that files yield."""

    def __init__(self, sent: set[int] | None = None) -> None:
        self.tables: dict[str, list[tuple[Any, ...]]] = {table: [] for table in TABLES if not table.startswith("word")}
        # The largest table by far is filled by columns: word, symbol, field, occurrences.
        self.words: tuple[array[int], array[int], array[int], array[int]] = tuple(array("q") for _ in range(4))  # type: ignore[assignment]
        self.new_words: list[tuple[int, str]] = []
        # Words that the reader of these rows has had before.
        self.sent = set() if sent is None else sent

    def columns(self) -> dict[str, dict[str, Any]]:
        """Return the tables by column; numbers in arrays, so that a process sends bytes and not objects."""
        found: dict[str, dict[str, Any]] = {}
        for table, rows in [*self.tables.items(), ("words", self.new_words)]:
            if rows:
                found[table] = {
                    name: list(values) if kind == "O" else array(kind, [NULL_INT if v is None else v for v in values])
                    for (name, kind), values in zip(TABLES[table].items(), zip(*rows, strict=True), strict=True)
                }
        if self.words[0]:
            found["word_counts"] = dict(zip(TABLES["word_counts"], self.words, strict=True))
        return found


@dataclass(slots=True, eq=False)
class Definition:
    """A symbol or a scope while its file is worked out."""

    start: int
    end: int
    kind: str
    name: str
    node: Node | None
    captures: Captures = field(default_factory=dict)
    line: int = 1
    span_start: int = 0
    span_byte: int = 0
    is_test: bool = False
    is_fixture: bool = False
    parent: Definition | None = None
    qualname: str = ""
    owner: str | None = None
    symbol_id: int = 0
    index: int = -1
    callees: list[str] = field(default_factory=list)
    body: Counter[str] = field(default_factory=Counter)
    params: list[tuple[str, str | None]] = field(default_factory=list)

    @property
    def is_symbol(self) -> bool:
        """Whether it is a symbol; a scope only qualifies names."""
        return self.kind != "scope"


class Pattern(NamedTuple):
    """What a match of one pattern of the query is: its leading capture, the part behind the dot, and who takes it."""

    lead: str
    kind: str
    group: str


def _patterns(query: Query, source: str) -> list[Pattern]:
    """Return for each pattern its leading capture, read from the pattern's own text."""
    data = source.encode()
    found = []
    for index in range(query.pattern_count):
        text = data[query.start_byte_for_pattern(index) : query.end_byte_for_pattern(index)].decode()
        captures = re.findall(r"@([a-z_.]+)", re.sub(r"(?m);.*$|\"(?:\\.|[^\"\\])*\"", "", text))
        lead = next((name for name in reversed(captures) if name.split(".")[0] in LEADS), None)
        if lead is None:
            raise ValueError(f"a pattern has no leading capture: {text}")
        head, _, kind = lead.partition(".")
        found.append(Pattern(lead, kind or head, LEADS[head]))
    return found


def fold(text: str, limit: int) -> str:
    """Fold white space to single blanks and cut at `limit` characters."""
    folded = " ".join(text.split())
    return folded if len(folded) <= limit else folded[: limit - 1] + "…"


class Extractor:
    """Extracts the rows of files of one language."""

    def __init__(self, language: languages.Language) -> None:
        self.language = language
        table = language.table
        grammar = get_language(language.grammar)  # type: ignore[arg-type]  # a name that its Literal type does not list
        source = language.tags()
        self.parser = Parser(grammar)
        self.query = Query(grammar, source)
        self.errors = Query(grammar, "(ERROR) @e (MISSING) @e")
        self.patterns = _patterns(self.query, source)
        parameters = table.get("parameters", {})
        self.optional = frozenset(parameters.get("optional", ()))
        self.required = frozenset(parameters.get("required", ()))
        self.variadic = frozenset(parameters.get("variadic", ()))
        self.unnamed = bool(parameters.get("unnamed", False))
        self.receivers = frozenset(parameters.get("receivers", ()))
        self.spread = frozenset(parameters.get("spread", ()))
        # Bytes without which a list of arguments holds neither a spread nor a comment.
        self.argument_marks = tuple(
            mark.encode() for mark in (*parameters.get("spread_marks", ()), *table.get("comments", {}).get("marks", ()))
        )
        classes = table.get("classes", {})
        self.self_names = frozenset(classes.get("self", ()))
        # Where no parameter stands for the object, a method is static only if the syntax says so.
        self.implicit_self = bool(classes.get("implicit_self", False))
        # A bare call of one of these is a call of the base's constructor.
        self.super_calls = dict(classes.get("super_calls", ()))
        # Nodes at the start of a definition that stand before its own first line: decorators.
        self.prefixes = frozenset(table.get("definitions", {}).get("prefixes", ()))
        expressions = table.get("expressions", {})
        self.members = {row[0]: (row[1], row[2]) for row in expressions.get("member", ())}
        self.call_nodes = {row[0]: row[1] for row in expressions.get("call", ())}
        self.construct_nodes = {row[0]: row[1] for row in expressions.get("construct", ())}
        self.macro_nodes = {row[0]: row[1] for row in expressions.get("macro", ())}
        self.results: dict[str, str] = dict(expressions.get("results", {}))
        # Methods, and nodes, that pass a value on as it is, or open it: `x?` is what x holds.
        self.passing = {
            **dict.fromkeys(expressions.get("passing", ()), False),
            **dict.fromkeys(expressions.get("opening", ()), True),
        }
        # Functions whose result can be taken for their argument, and those whose result holds it.
        self.wrapping = re.compile(expressions.get("wrapping", r"(?!)"))
        self.holding = re.compile(expressions.get("holding", r"(?!)"))
        self.relative = tuple(expressions.get("relative", ()))
        self.generic = frozenset(expressions.get("generic", ()))
        self.makers = frozenset(name.encode() for name in expressions.get("makers", ()))
        self.transparent = frozenset(expressions.get("transparent", ()))
        self.plain = frozenset(expressions.get("plain", ("identifier",)))
        self.literals: dict[str, str] = dict(table.get("literals", {}))
        self.own_types = tuple(classes.get("own_type", ()))
        self.token_receiver = re.compile(table.get("tokens", {}).get("receiver", r"(?!)"))
        self.token_definition = re.compile(table.get("tokens", {}).get("definition", r"(?!)"))
        self.marks = tuple(sorted(table.get("comments", {}).get("marks", ()), key=len, reverse=True))
        self.tests_in_test_files = bool(table.get("tests", {}).get("in_test_files", False))
        self.default_arms = tuple(table.get("complexity", {}).get("default_arms", ()))
        self.breaks_run = frozenset(table.get("complexity", {}).get("breaks_run", ()))
        self.top_level_bindings = bool(table.get("bindings", {}).get("top_level", False))
        self.keywords = frozenset(table.get("index", {}).get("keywords", ()))
        self.signature_prefix: dict[str, str] = dict(table.get("signatures", {}).get("prefix", {}))
        types = table.get("types", {})
        self.type_noise = re.compile(types.get("noise", r"(?!)"))
        self.held_noise = re.compile(types["held"]) if "held" in types else self.type_noise
        # Blanks in a type go; between two words one can stay for the patterns to see.
        self.type_joint = " " if types.get("blanks", False) else ""
        # Patterns of types that have another name to be looked up by, and that name.
        self.type_names = [(re.compile(pattern), name) for pattern, name in types.get("names", ())]
        # The field beside the parameters that holds the type of the result, where no capture says it.
        self.returns_field: str = types.get("returns", "")
        self.separator = language.separator
        # Ids of the words that were met.
        self.word_ids: dict[str, int] = {}
        names = language.names()
        self.import_target: Callable[[str, str, str], str] = names.import_target
        self.expand_import: Callable[..., Iterator[tuple[str, str | None, str | None]]] | None = getattr(
            names, "expand_import", None
        )
        # Rewrites, in place, a source that the grammar has errors with.
        self.repair: Callable[[bytes], bytes | None] | None = getattr(names, "repair", None)
        self.relative_receiver: Callable[[str, str], str | None] | None = getattr(names, "relative_receiver", None)
        self.generic_bounds: Callable[[Node], dict[str, Node]] | None = getattr(names, "generic_bounds", None)

    def extract(self, path: str, role: str, source: bytes, rows: Rows) -> int:
        """Add the rows of one file to `rows` and return the number of error nodes in its tree."""
        tree = self.parser.parse(source)
        root = tree.root_node
        errors = self.count_errors(root)
        if errors and self.repair is not None and (repaired := self.repair(source)) is not None:
            second = self.parser.parse(repaired).root_node
            fewer = self.count_errors(second)
            if fewer < errors:
                root, errors = second, fewer
        _File(self, path, role, source, root, rows).run()
        return errors

    def count_errors(self, root: Node) -> int:
        """Return the number of error and missing nodes below a node."""
        if not root.has_error:
            return 0
        return sum(len(nodes) for nodes in QueryCursor(self.errors).captures(root).values())

    def receiver(self, node: Node | None, depth: int = RECEIVER_DEPTH) -> str:
        """Return an expression in normal form: a.b, T(), <str> for a literal, <expression> for what has no name."""
        suffix = ""
        while node is not None and depth:
            depth -= 1
            kind = node.type
            if kind in self.plain:
                return (node.text or b"").decode("utf-8", "replace")[:TEXT_LENGTH] + suffix
            if member := self.members.get(kind):
                name = node.child_by_field_name(member[1])
                node = node.child_by_field_name(member[0])
                if name is None:
                    return DYNAMIC
                join = self.separator_of(kind)
                suffix = join + (name.text or b"").decode("utf-8", "replace") + suffix
                if node is None:  # a path from the root of all names
                    return suffix.removeprefix(join)
            elif called := self.call_nodes.get(kind):
                function = node.child_by_field_name(called)
                if self.makers and function is not None and function.text in self.makers:
                    arguments = node.child_by_field_name("arguments")
                    first = arguments.named_children[:1] if arguments is not None else []
                    return f"<{self.type_name(first[0])}>{suffix}" if first else DYNAMIC
                if function is not None and function.type in self.generic:
                    function = function.named_children[0]
                if (passed := self.passed(node, function)) is not None:
                    node, opens = passed
                    suffix = opened(suffix) if opens else suffix
                else:
                    node, suffix = function, "()" + suffix.removeprefix("?")
            elif constructed := self.construct_nodes.get(kind):
                made = node.child_by_field_name(constructed)
                return f"<{self.type_name(made)}>{suffix.removeprefix('?')}" if made is not None else DYNAMIC
            elif kind in self.transparent:
                suffix = opened(suffix) if self.passing.get(kind) else suffix
                node = node.child_by_field_name("value") or (node.named_children[0] if node.named_child_count else None)
            elif macro := self.macro_nodes.get(kind):
                name = node.child_by_field_name(macro)
                text = (name.text or b"").decode("utf-8", "replace") + "!" if name is not None else DYNAMIC
                return (f"<{self.results[text]}>" if text in self.results else text + "()") + suffix.removeprefix("?")
            elif literal := self.literals.get(kind):
                return f"<{literal}>{suffix}"
            else:
                return DYNAMIC
        return DYNAMIC

    def passed(self, call: Node, function: Node | None) -> tuple[Node, bool] | None:
        """Return the value that a call only passes on (a clone, the content of an option), and whether it opens it."""
        if not self.passing or function is None:
            return None
        if self.wrapping.match((function.text or b"").decode("utf-8", "replace")):
            value = first_argument(call)
            return (value, False) if value is not None else None
        if function.type not in self.members:
            return None
        object_field, name_field = self.members[function.type]
        value, name = function.child_by_field_name(object_field), function.child_by_field_name(name_field)
        if value is None or name is None:
            return None
        opens = self.passing.get((name.text or b"").decode("utf-8", "replace"))
        return None if opens is None else (value, opens)

    def held(self, node: Node) -> Node:
        """Return the value that an expression puts into another one, or else the expression."""
        function = node.child_by_field_name(self.call_nodes.get(node.type, ""))
        text = (function.text or b"").decode("utf-8", "replace") if function is not None else ""
        value = first_argument(node) if self.wrapping.match(text) or self.holding.match(text) else None
        return self.held(value) if value is not None else node

    def separator_of(self, kind: str) -> str:
        """Return what joins the parts of a member expression of that node type."""
        return str(self.language.table.get("expressions", {}).get("joins", {}).get(kind, "."))

    def type_name(self, node: Node | None, *, held: bool = False) -> str | None:
        """Return an annotation as the name that it can be looked up by, or None where it has none.

        `held` asks for the type of what a value of that type holds.
        """
        if node is None:
            return None
        text = self.type_joint.join((node.text or b"").decode("utf-8", "replace").split())[:TEXT_LENGTH]
        previous = None
        while previous != text:
            text = re.sub(r"(?<!\w) | (?!\w)", "", text)
            previous = text
            for pattern, name in self.type_names:
                text = pattern.sub(name, text)
            text = (self.held_noise if held else self.type_noise).sub("", text)
        return text.replace(" ", "") or None


def opened(suffix: str) -> str:
    """Return what stands behind a name whose value is opened."""
    return suffix if suffix.startswith("?") else "?" + suffix


def first_argument(call: Node) -> Node | None:
    """Return the first argument of a call."""
    arguments = call.child_by_field_name("arguments")
    return arguments.named_children[0] if arguments is not None and arguments.named_child_count else None


class _File:
    """The extraction of one file: state that does not outlive it."""

    def __init__(self, ex: Extractor, path: str, role: str, source: bytes, root: Node, rows: Rows) -> None:
        self.ex, self.path, self.role, self.source, self.root, self.rows = ex, path, role, source, root, rows
        self.definitions: dict[tuple[int, int, str], Definition] = {}
        self.leads: dict[str, list[Captures]] = {}
        self.branches: dict[tuple[int, int], tuple[str, Node]] = {}
        self.comments: dict[int, tuple[int, Node, bool]] = {}
        self.embedded: set[embedded.Place] = set()
        self.looks_called: dict[int, Node] = {}
        self.no_code: list[embedded.Place] = []
        self.test_macros: set[str] = set()
        self.module: Definition | None = None
        self.symbols: list[Definition] = []
        self.imported_by_call: set[tuple[Definition | None, str]] = set()
        self.import_rows: list[tuple[Definition | None, int, str, str | None, str | None, str]] = []

    def run(self) -> None:
        """Work out the file and add its rows."""
        self.collect()
        self.nest()
        self.positions()
        self.extend()
        roots = self.calls()
        self.imports()
        self.bindings(roots)
        self.results_and_effects()
        self.identify()
        self.write_symbols()
        self.write_index()

    # Collecting -----------------------------------------------------------------------------------------------

    def collect(self) -> None:
        """Sort the query's matches by what they are, in the file and in what its macros hold."""
        self.match(self.root)
        damaged: set[embedded.Place] = set()
        for _ in range(embedded.DEPTH):
            if not self.embedded:
                break
            places, self.embedded = sorted(self.embedded), set()
            root = self.ex.parser.parse(embedded.only(self.source, places)).root_node
            damaged |= embedded.damaged(root, self.ex.errors, places)
            self.match(root)
        if damaged:
            calls = [*self.leads.get("reference.call", ()), *self.leads.get("reference.macro", ())]
            known = {captures["name"][0].start_byte for captures in calls if "name" in captures}
            definition = self.ex.token_definition
            names = embedded.outside(self.looks_called, self.no_code)
            for name in embedded.calls_by_looks(self.source, damaged, names, known, definition):
                captures = {"reference.call": [name], "name": [name], "tokens": [name]}
                self.leads.setdefault("reference.call", []).append(captures)

    def match(self, root: Node) -> None:
        patterns = self.ex.patterns
        for index, captures in QueryCursor(self.ex.query).matches(root):
            lead, kind, group = patterns[index]
            if lead == "reference.tokens":
                self.looks_called[captures["name"][0].start_byte] = captures["name"][0]
            elif lead == "embedded.none":
                self.no_code.append((captures[lead][0].start_byte, captures[lead][0].end_byte))
            elif lead == "test.macro":
                self.test_macros.add(self.text(captures["name"][0]))
            elif group == "fact":
                self.leads.setdefault(lead, []).append(captures)
            elif group == "embedded":
                self.embedded.add((captures[lead][0].start_byte, captures[lead][0].end_byte))
            elif group == "branch":
                self.add_branch(lead, captures[lead][0])
            elif group == "comment":
                self.add_comment(captures["comment"][0], "attached" not in captures)
            else:
                self.add_definition(lead, kind, captures)

    def add_branch(self, lead: str, node: Node) -> None:
        key = (node.start_byte, node.end_byte)
        known = self.branches.get(key)
        # A node that the query calls a branch in general and an else-if in particular is an else-if.
        if known is None or known[0] == "branch":
            if lead == "branch.flat" and self.is_default_arm(node):
                return
            self.branches[key] = (lead, node)

    def is_default_arm(self, node: Node) -> bool:
        arms = self.ex.default_arms
        return bool(arms) and self.source[node.start_byte : node.start_byte + 40].decode("utf-8", "replace").startswith(
            arms
        )

    def add_comment(self, node: Node, is_doc: bool) -> None:
        start = node.start_point[0]
        end_row, end_column = node.end_point
        if end_column == 0 and end_row > start:  # a grammar that takes the line break into the comment
            end_row -= 1
        line = self.source[max(self.source.rfind(b"\n", 0, node.start_byte) + 1, 0) : node.start_byte]
        if end_column:  # what stands behind it on its last line
            after = self.source.find(b"\n", node.end_byte)
            line += self.source[node.end_byte : after if after >= 0 else None]
        if not line.strip():  # a comment beside code belongs to that code
            self.comments[end_row] = (start, node, is_doc)

    def add_definition(self, lead: str, kind: str, captures: Captures) -> None:
        node = captures[lead][0]
        name = ""
        if "name" in captures:  # a scope can have none: it takes its definitions in, and adds nothing to their names
            name_node = captures["name"][0]
            name = (name_node.text or b"").decode("utf-8", "replace")
            if kind == "test":
                name = fold(name.strip("\"'`"), 120)
            elif kind == "macro":
                name, kind = name + "!", "function"
            elif kind == "scope":
                name = self.ex.type_name(name_node) or name
        first = node
        if self.ex.prefixes:
            first = next((child for child in node.children if child.type not in self.ex.prefixes), node)
        key = (first.start_byte, node.end_byte, "scope" if kind == "scope" else "symbol")
        known = self.definitions.get(key)
        if known is None or len(captures) > len(known.captures):
            self.definitions[key] = Definition(
                first.start_byte, node.end_byte, kind, name, node, captures, first.start_point[0] + 1
            )

    # Nesting --------------------------------------------------------------------------------------------------

    def nest(self) -> None:
        """Give each definition its parent, qualified name, span and comments."""
        ex, separator = self.ex, self.ex.separator
        found = sorted(self.definitions.values(), key=lambda d: (d.start, -d.end, d.is_symbol))
        spans = {}
        for captures in self.leads.get("span", ()):
            outer, inner = captures["span"][0], captures["inner"][0]
            spans[inner.start_byte, inner.end_byte] = outer
        tests = set()
        if self.role == "test" or not ex.tests_in_test_files:
            for captures in self.leads.get("test", ()):
                node = captures["test"][0]
                tests.add((node.start_byte, node.end_byte))
        fixtures = {self.place(captures["fixture"][0]) for captures in self.leads.get("fixture", ())}
        # A macro writes a test where its definition, in this file, has the mark of one.
        found = [d for d in found if "macro" not in d.captures or self.text(d.captures["macro"][0]) in self.test_macros]
        constants: set[tuple[str, str]] = set()
        signatures: dict[tuple[str, str], Definition] = {}
        stack: list[Definition] = []
        kept: list[Definition] = []
        for definition in found:
            while stack and stack[-1].end <= definition.start:
                stack.pop()
            parent = stack[-1] if stack else None
            if parent is not None and "definition.macro" in parent.captures:
                continue  # what a macro writes is defined where the macro is called
            if definition.kind == "constant":
                place = (parent.qualname if parent else "", definition.name)
                if (parent is not None and parent.is_symbol) or place in constants:
                    continue
                constants.add(place)
            if "within" in definition.captures and (
                parent is None
                or parent.kind != "scope"
                or parent.end != definition.captures["within"][0].end_byte
                or parent.start != definition.captures["within"][0].start_byte
            ):
                continue
            if "factory" in definition.captures and (parent is None or parent.kind not in ("function", "method")):
                continue
            if "self" in definition.captures:
                parent = self.class_around(parent)
            definition.parent = parent
            prefix = parent.qualname if parent else ""
            if owner := definition.captures.get("owner"):
                definition.owner = ex.type_name(owner[0])
                prefix = prefix or definition.owner or ""
                definition.kind = "method" if definition.kind == "function" else definition.kind
            elif (parent is not None and parent.kind == "scope" and "base" in parent.captures) or (
                parent and parent.captures.get("type")
            ):
                definition.owner = parent.name
            definition.qualname = separator.join(part for part in (prefix, definition.name) if part)
            if definition.kind == "function" and parent is not None and (parent.kind == "class" or definition.owner):
                definition.kind = "method"
            whole = spans.get((definition.start, definition.end), definition.node)
            definition.is_test = definition.kind == "test" or (
                whole is not None and not tests.isdisjoint({(definition.start, definition.end), (whole.start_byte, whole.end_byte)})
            )
            definition.is_fixture = (definition.start, definition.end) in fixtures
            self.span(definition, spans)
            key = (definition.qualname, definition.kind)
            if declared := signatures.get(key):
                # One definition for all its declarations: the one with a body, with what stands above the first.
                if "signature" in definition.captures:
                    continue
                kept.remove(declared)
                del signatures[key]
                definition.span_start = min(definition.span_start, declared.span_start)
                if not definition.captures["above"]:
                    definition.captures["above"] = declared.captures["above"]
            elif "signature" in definition.captures:
                signatures[key] = definition
            if definition.kind != "constant":
                stack.append(definition)
            kept.append(definition)
        self.definitions_sorted = kept
        self.symbols = [d for d in kept if d.is_symbol]

    def class_around(self, definition: Definition | None) -> Definition | None:
        """Return the class around a definition; where there is none, the definition itself."""
        outer = definition
        while outer is not None and outer.kind != "class":
            outer = outer.parent
        return outer or definition

    def span(self, definition: Definition, spans: dict[tuple[int, int], Node]) -> None:
        """Set where the definition starts with its decorators, attributes and the comments directly above."""
        node = definition.node
        assert node is not None  # noqa: S101  # only the module body has none, and it is made later
        outer = spans.get((node.start_byte, definition.end), node)
        row = outer.start_point[0]
        definition.span_byte = outer.start_byte
        docs = []
        while (above := self.comments.get(row - 1)) is not None and above[0] < row:
            row = above[0]
            definition.span_byte = above[1].start_byte
            if above[2]:
                docs.append(above[1])
        definition.span_start = row + 1
        definition.captures.setdefault("above", docs[::-1])

    # Positions ------------------------------------------------------------------------------------------------

    def positions(self) -> None:
        """Lay out which definition owns which bytes: the innermost symbol around them."""
        bounds: list[int] = [0]
        owners: list[Definition | None] = [None]
        stack: list[Definition] = []

        def close(until: int) -> None:
            while stack and stack[-1].end <= until:
                closed = stack.pop()
                bounds.append(closed.end)
                owners.append(stack[-1] if stack else None)

        for definition in self.symbols:
            close(definition.start)
            bounds.append(definition.start)
            owners.append(definition)
            stack.append(definition)
        close(len(self.source) + 1)
        self.bounds, self.owners = bounds, owners

    def owner_at(self, byte: int) -> Definition | None:
        """Return the innermost symbol around a byte; constants own nothing but their text."""
        return self.owners[bisect_right(self.bounds, byte) - 1]

    def code_owner(self, byte: int) -> Definition:
        """Return the symbol that runs the code at a byte; the module body where no other does."""
        owner = self.owner_at(byte)
        while owner is not None and owner.kind == "constant":
            owner = owner.parent
        while owner is not None and not owner.is_symbol:
            owner = owner.parent
        return owner if owner is not None else self.module_body()

    def module_body(self) -> Definition:
        if self.module is None:
            lines = self.root.end_point[0] + (1 if self.root.end_point[1] else 0)
            self.module = Definition(0, len(self.source), "module", MODULE, None, qualname=MODULE, span_start=1)
            self.module.callees = []
            self.module_lines = max(lines, 1)
        return self.module

    # Facts ----------------------------------------------------------------------------------------------------

    def extend(self) -> None:
        """Give classes the bases that stand in their bodies: embedded types."""
        for captures in self.leads.get("extends", ()):
            node = captures["base"][0]
            owner = self.owner_at(node.start_byte)
            if owner is not None and owner.kind == "class":
                owner.captures.setdefault("base", []).append(node)

    def place(self, node: Node) -> tuple[int, int]:
        return node.start_byte, node.end_byte

    def text(self, node: Node) -> str:
        return (node.text or b"").decode("utf-8", "replace")

    def calls(self) -> set[str]:
        """Collect call sites; return the first names of all callees and receivers, for which bindings matter."""
        ex, roots = self.ex, set()
        self.call_rows: list[tuple[Definition, str, str | None, int, int | None]] = []
        sites = []
        for lead in ("reference.call", "reference.macro"):
            for captures in self.leads.get(lead, ()):
                sites.append((captures[lead][0].start_byte, -captures[lead][0].end_byte, lead, captures))
        sites.sort(key=lambda site: site[:2])
        for start, _, lead, captures in sites:
            names = captures.get("name")
            if names:
                name, line = self.text(names[0])[:TEXT_LENGTH], names[0].start_point[0] + 1
                start = names[0].start_byte
            else:
                name, line = DYNAMIC, captures[lead][0].start_point[0] + 1
            if lead == "reference.macro":
                name += "!"
            receiver = None
            if node := captures.get("receiver"):
                receiver = self.relative(ex.receiver(node[0]), start)
            elif "tokens" in captures and (path := ex.token_receiver.search(embedded.before(self.source, start))):
                receiver = self.relative(path[1] or DYNAMIC, start)
            elif name in ex.super_calls:
                receiver, name = name, ex.super_calls[name]
            if receiver is None:
                roots.add(name)
            else:
                roots.update(re.match(r"(\w*)(?:\?|)", receiver).group(0, 1))  # type: ignore[union-attr]  # it always matches
            arity: int | None = 1 if "arguments" not in captures else 0
            if "tokens" in captures or (lead == "reference.macro" and arity):
                arity = None
            for arguments in captures.get("arguments", ()):
                arity = self.count_arguments(arguments)
            self.call_rows.append((self.code_owner(start), name, receiver, line, arity))
        return roots

    def relative(self, receiver: str, byte: int) -> str | None:
        """Return a receiver that is written from inside of an inline module as seen from the top of the file."""
        if self.ex.relative_receiver is None or not receiver.startswith(self.ex.relative):
            return receiver
        return self.ex.relative_receiver(receiver, self.scope_path(byte))

    def count_arguments(self, arguments: Node) -> int | None:
        """Return how many arguments a call passes, or None where a spread hides it."""
        text = self.source[arguments.start_byte : arguments.end_byte]
        if not any(mark in text for mark in self.ex.argument_marks):
            return arguments.named_child_count
        children = arguments.named_children
        if any(child.type in self.ex.spread for child in children):
            return None
        return sum(1 for child in children if not child.is_extra)

    def imports(self) -> None:
        """Add the names that imports bind."""
        ex = self.ex
        for captures in self.leads.get("import", ()):
            node = captures["import"][0]
            line = node.start_point[0] + 1
            owner = self.owner_at(node.start_byte)
            while owner is not None and owner.kind not in ("function", "method", "test"):
                owner = owner.parent
            inside = self.scope_path(node.start_byte)
            if ex.expand_import:
                bound = list(ex.expand_import(captures, self.text))
            else:
                module = self.text(captures["module"][0])
                name = "*" if "wildcard" in captures else self.text(captures["name"][0]) if "name" in captures else None
                alias = self.text(captures["alias"][0]) if "alias" in captures else name
                bound = [(module, name, None if name == "*" else alias)]
            for module, name, alias in bound:
                target = ex.import_target(self.path, module, inside)
                self.import_rows.append((owner, line, module, name, alias, target))
                if "call" in captures and alias:
                    self.imported_by_call.add((owner, alias))

    def scope_path(self, byte: int) -> str:
        """Return the qualified name of the scopes that are no symbols around a byte: inline modules."""
        inner = ""
        for definition in self.definitions_sorted:
            if definition.start > byte:
                break
            if (
                definition.kind == "scope"
                and definition.start <= byte < definition.end
                and not definition.captures.keys() & {"base", "type"}
            ):
                inner = definition.qualname
        return inner

    def bindings(self, roots: set[str]) -> None:
        """Collect the names of values that calls go through, with a type where something tells it."""
        ex = self.ex
        self.binding_rows: set[tuple[Definition | None, str, str | None, str]] = set()
        # What an import by a call binds, its own row says.
        imported = self.imported_by_call
        # The type of a literal that has functions of its own is not the one that the language gives all literals.
        scopes = [d.parent for d in self.symbols if d.parent is not None and not d.parent.is_symbol]
        singletons = {self.place(scope.node) for scope in scopes if scope.node is not None}
        self.globals_written()
        for definition in self.symbols:
            self.parameters(definition, roots)
        for captures in self.leads.get("binding", ()):
            node = captures["binding"][0]
            type_name = ex.type_name(captures["type"][0]) if "type" in captures else None
            via = "annotation"
            if type_name is None and "value" in captures and self.place(captures["value"][0]) not in singletons:
                value = self.relative(ex.receiver(captures["value"][0]), node.start_byte) or DYNAMIC
                if value.endswith("()") or (value[0] == "<" and value != DYNAMIC):
                    type_name, via = value, "value"
                elif value.isidentifier():
                    type_name, via = self.parameter_type(node.start_byte, value), "parameter"
            around = self.owner_at(node.start_byte)
            type_name, held = self.known_type(type_name, around), self.known_type(self.held_type(captures), around)
            if "member" in captures:
                if "self" in captures and self.text(captures["self"][0]) not in ex.self_names:
                    continue
                owner: Definition | None = self.owner_at(node.start_byte)
                while owner is not None and owner.kind != "class" and owner.owner is None:
                    owner = owner.parent
                if owner is None or type_name is None:
                    continue
                self.add_binding(owner, self.text(captures["member"][0]), type_name, held, via)
                continue
            for name_node in captures.get("name", ()):
                name = self.text(name_node)
                if name not in roots and name not in self.written and not ex.top_level_bindings:
                    continue
                owner = self.owner_at(name_node.start_byte)
                if name in self.written and owner is not None and owner.kind != "constant" and "assigned" not in captures:
                    self.declared.add((owner, name))
                if name not in roots and (owner is None or owner.kind != "constant" or owner.name != name):
                    continue
                if owner is not None and owner.kind != "constant" and name_node in owner.captures.get("name", ()):
                    continue  # the name of a definition is no variable in it
                if owner is not None and owner.kind == "constant":
                    if type_name is None:
                        continue
                    owner = owner.parent
                while owner is not None and not owner.is_symbol:
                    owner = owner.parent
                if (owner is None and type_name is None) or (owner, name) in imported:
                    continue
                self.add_binding(owner, name, type_name, held if name + "?" in roots else None, via)

    def held_type(self, captures: Captures) -> str | None:
        """Return the type of what a bound value holds, where it tells: T of an Option<T>."""
        ex = self.ex
        if not ex.passing:
            return None
        if "type" in captures:
            return ex.type_name(captures["type"][0], held=True)
        if "value" not in captures:
            return None
        value = self.relative(ex.receiver(ex.held(captures["value"][0])), captures["value"][0].start_byte) or DYNAMIC
        return value if value.endswith("()") or (value[0] == "<" and value != DYNAMIC) else None

    def add_binding(
        self, owner: Definition | None, name: str, type_name: str | None, held: str | None, via: str
    ) -> None:
        """Add the row of a name; what its value holds has a row of its own."""
        self.binding_rows.add((owner, name, type_name, via))
        if held is not None and (held != type_name or via == "value"):
            self.binding_rows.add((owner, name + "?", held, via))

    def globals_written(self) -> None:
        """Note the names at the top of the file that code assigns to; `declared` is to say where they mean a local."""
        self.written: dict[str, list[Node]] = {}
        self.declared: set[tuple[Definition, str]] = set()
        matches = [m for m in self.leads.get("effect.global_state", ()) if "target" in m]
        if not matches:
            return
        names = {d.name for d in self.definitions_sorted if d.kind == "constant"}
        names.update(row[4] for row in self.import_rows if row[4])
        for captures in matches:
            name = self.ex.receiver(captures["target"][0])
            root = re.split(r"\W", name, maxsplit=1)[0]
            if root in names and "(" not in name:
                self.written.setdefault(root, []).append(captures["target"][0])

    def parameter_type(self, byte: int, name: str) -> str | None:
        """Return the annotation of a parameter of the function around a byte."""
        owner = self.owner_at(byte)
        while owner is not None and owner.kind not in ("function", "method"):
            owner = owner.parent
        return dict(owner.params).get(name) if owner is not None else None

    def parameters(self, definition: Definition, roots: set[str]) -> None:
        """Work out the parameters of a definition: names and types that calls need, and how many there are."""
        ex = self.ex
        least = most = 0
        variadic = static = False
        seen_receiver = False
        for node in definition.captures.get("parameters", ()):
            alone = node.type in ex.required or node.type in ex.optional  # x => …: the parameter is the list
            for position, child in enumerate([node] if alone else node.named_children):
                kind = child.type
                pattern = child.child_by_field_name("pattern")
                if kind in ex.receivers or (pattern is not None and pattern.type in ex.receivers):
                    seen_receiver = True
                    continue
                if pattern is not None and pattern.type in ex.variadic:
                    kind, child = pattern.type, pattern
                if kind not in ex.required and kind not in ex.optional and kind not in ex.variadic:
                    continue
                names = self.parameter_names(child)
                if position == 0 and definition.kind == "method" and names and names[0] in ex.self_names:
                    seen_receiver = True
                    continue
                annotation = self.known_type(ex.type_name(child.child_by_field_name("type")), definition)
                held = None
                if ex.passing:
                    held = self.known_type(ex.type_name(child.child_by_field_name("type"), held=True), definition)
                if kind in ex.variadic:
                    variadic, annotation, held = True, None, None
                else:
                    count = max(len(names), 1)
                    most += count
                    if kind in ex.required and child.child_by_field_name("value") is None:
                        least += count
                for name in names:
                    definition.params.append((name, annotation))
                    if name in self.written:
                        self.declared.add((definition, name))
                    if name in roots:
                        opened_type = held if name + "?" in roots else None
                        self.add_binding(definition, name, annotation, opened_type, "annotation")
        if ex.implicit_self:
            static = definition.kind == "method" and "static" in definition.captures
        else:
            static = definition.kind == "method" and not seen_receiver and bool(ex.self_names or ex.receivers)
        definition.captures["shape"] = [least, None if variadic else most, static]  # type: ignore[list-item]

    def known_type(self, name: str | None, definition: Definition | None) -> str | None:
        """Return what a type's name stands for: the type around it, the bound of a parameter, or itself."""
        ex = self.ex
        if name is None or not (ex.own_types or ex.generic_bounds):
            return name
        root = re.split(r"\W", name.lstrip("<"), maxsplit=1)[0]
        while root and definition is not None:
            if root in ex.own_types and (definition.owner or definition.kind == "class"):
                return name.replace(root, definition.owner or definition.name, 1)
            if ex.generic_bounds and definition.node is not None and name == root:
                bound = ex.generic_bounds(definition.node).get(root)
                if bound is not None:
                    return ex.type_name(bound)
            definition = definition.parent
        return name

    def parameter_names(self, node: Node) -> list[str]:
        """Return the names that one parameter binds."""
        if node.type in self.ex.plain:
            return [self.text(node)]
        named = node.children_by_field_name("name") or node.children_by_field_name("pattern")
        if not named and self.ex.unnamed:
            return []
        if not named:
            named = [child for child in node.named_children if child.type in self.ex.plain][:1]
        if not named:
            named = [g for child in node.named_children[:1] for g in child.named_children if g.type in self.ex.plain][
                :1
            ]
        return [self.text(child) for child in named]

    def results_and_effects(self) -> None:
        """Collect members of result objects and effects that are no call."""
        self.field_rows = []
        for lead, use in (("field.produced", "produced"), ("field.read", "read")):
            for captures in self.leads.get(lead, ()):
                for node in captures[lead]:
                    self.field_rows.append(
                        (
                            self.code_owner(node.start_byte),
                            self.text(node)[:TEXT_LENGTH],
                            use,
                            node.start_point[0] + 1,
                        )
                    )
        self.effect_rows = []
        for lead, matches in self.leads.items():
            if lead.startswith("effect."):
                for captures in matches:
                    if "target" in captures:
                        continue
                    node = captures[lead][0]
                    self.effect_rows.append(
                        (self.code_owner(node.start_byte), lead.partition(".")[2], node.start_point[0] + 1)
                    )

        for name, nodes in self.written.items():
            for node in nodes:
                owner = self.code_owner(node.start_byte)
                if owner.start == node.start_byte and owner.node is not None:  # a definition by assignment
                    outer = owner.parent
                    owner = outer if outer is not None and outer.is_symbol else self.module_body()
                around: Definition | None = owner
                while around is not None and (around, name) not in self.declared:
                    around = around.parent
                # Code at the top of a file gives its names their first values.
                if around is None and owner is not self.module:
                    self.effect_rows.append((owner, "global_state", node.start_point[0] + 1))

    # Rows -----------------------------------------------------------------------------------------------------

    def identify(self) -> None:
        """Number the symbols and give them their ids."""
        if self.module is not None:
            self.symbols.insert(0, self.module)
        ordinals: Counter[tuple[str, str]] = Counter()
        for index, definition in enumerate(self.symbols):
            definition.index = index
            ordinal = ordinals[definition.qualname, definition.kind]
            ordinals[definition.qualname, definition.kind] += 1
            definition.symbol_id = hash64(f"{self.path}\0{definition.qualname}\0{definition.kind}\0{ordinal}")

    def write_symbols(self) -> None:
        """Add the rows of symbols and of what belongs to them."""
        path, language, tables = self.path, self.ex.language.name, self.rows.tables

        def add(table: str, *values: Any) -> None:
            tables[table].append(values)

        branches = [
            Branch(
                node.start_byte,
                node.end_byte,
                lead,
                self.code_owner_index(node.start_byte),
                self.starts_run(lead, node),
            )
            for lead, node in self.branches.values()
            if lead != "nesting" or not self.is_definition(node)
        ]
        cyclomatic, cognitive = measure([b for b in branches if b.owner >= 0], len(self.symbols))
        for definition in self.symbols:
            parent = definition.parent
            while parent is not None and not parent.is_symbol:
                parent = parent.parent
            if definition.node is None:
                start, end = 1, self.module_lines
            else:
                start = self.own_line(definition)
                end = self.last_line(definition.node)
            signature, doc = self.signature(definition), self.doc(definition)
            definition.captures["texts"] = [signature or "", doc or ""]  # type: ignore[list-item]
            add(
                "symbols", definition.symbol_id, path, language, definition.name, definition.qualname, definition.kind, start,
                max(end, start), min(definition.span_start, start), signature, doc, definition.is_test, parent.symbol_id if parent else None,
            )  # fmt: skip
            shape = definition.captures.get("shape")
            counted = definition.kind in ("function", "method", "test", "module") and (
                definition.node is None or "body" in definition.captures
            )
            least, most, static = shape if shape and "parameters" in definition.captures else (None, None, None)
            returns = self.returns(definition)
            add(
                "internal.symbol_shape", definition.symbol_id, path, definition.owner, least, most, static, definition.is_fixture, returns,
                cyclomatic[definition.index] if counted else None, cognitive[definition.index] if counted else None,
            )  # fmt: skip
            if definition.is_fixture or definition.is_test:
                for name, _ in definition.params:
                    add("internal.requests", definition.symbol_id, path, name, start)
            for position, base in enumerate(self.bases(definition)):
                add("internal.bases", definition.symbol_id, path, position, base)
        for symbol_id, position, base in self.scope_bases():
            add("internal.bases", symbol_id, path, position, base)
        calls = tables["calls"]
        for owner, name, receiver, line, arity in self.call_rows:
            calls.append((len(owner.callees), owner.symbol_id, path, name, receiver, line, arity))
            owner.callees.append(name)
        for scope, line, module, name_, alias, target in self.import_rows:
            add("imports", path, scope.symbol_id if scope else None, line, module, name_, alias, target)
        for around, name, type_name, via in sorted(
            self.binding_rows, key=lambda r: (r[0].index if r[0] else -1, r[1], r[2] or "", r[3])
        ):
            add("internal.bindings", around.symbol_id if around else None, path, name, type_name, via)
        for owner, field_name, use, line in self.field_rows:
            add("field_uses", owner.symbol_id, field_name, use, line)
        for owner, kind, line in self.effect_rows:
            add("internal.effects", owner.symbol_id, path, kind, line)

    def own_line(self, definition: Definition) -> int:
        """Return the line of the definition itself: where its name's statement starts."""
        return definition.line

    def returns(self, definition: Definition) -> str | None:
        """Return the type of a definition's result, as far as it is written."""
        node = None
        if "returns" in definition.captures:
            node = definition.captures["returns"][0]
        elif self.ex.returns_field and "parameters" in definition.captures:
            parent = definition.captures["parameters"][0].parent
            node = parent.child_by_field_name(self.ex.returns_field) if parent is not None else None
        return self.ex.type_name(node, held=True)

    def last_line(self, node: Node) -> int:
        row, column = node.end_point
        return row if column == 0 and row > node.start_point[0] else row + 1

    def is_definition(self, node: Node) -> bool:
        """Whether a function without a name is the one that its owner defines: it holds the owner's body."""
        owner = self.owner_at(node.start_byte)
        body = owner.captures.get("body") if owner is not None else None
        return body is not None and node.start_byte <= body[0].start_byte and body[0].end_byte <= node.end_byte

    def code_owner_index(self, byte: int) -> int:
        owner = self.owner_at(byte)
        while owner is not None and (owner.kind == "constant" or not owner.is_symbol):
            owner = owner.parent
        if owner is None:
            owner = self.module
        return owner.index if owner is not None else -1

    def starts_run(self, lead: str, node: Node) -> bool:
        """Whether a boolean operator differs from the one that it stands in."""
        if lead != "branch.boolean":
            return True
        parent = node.parent
        if not node.is_named:  # an operator between several operands
            return parent is None or next(child for child in parent.children if child.type == node.type) == node
        while parent is not None and parent.type in self.ex.transparent and parent.type not in self.ex.breaks_run:
            parent = parent.parent
        return parent is None or parent.type != node.type or self.operator(parent) != self.operator(node)

    def operator(self, node: Node) -> bytes | None:
        operator = node.child_by_field_name("operator")
        return operator.text if operator is not None else None

    def signature(self, definition: Definition) -> str | None:
        if definition.node is None or definition.kind == "test":
            return None
        body = definition.captures.get("body")
        end = body[0].start_byte if body else definition.end
        text = self.source[definition.start : min(end, definition.start + 4 * SIGNATURE_LENGTH)].decode(
            "utf-8", "replace"
        )
        if prefix := self.ex.signature_prefix.get(definition.node.type):
            text = f"{prefix} {text}"
        return SIGNATURE_END.sub("", fold(text, SIGNATURE_LENGTH)) or None

    def doc(self, definition: Definition) -> str | None:
        if docs := definition.captures.get("doc"):
            return clean_string(self.text(docs[0])) or None
        above = definition.captures.get("above") or ()
        text = "\n".join(clean_comment(self.text(node), self.ex.marks) for node in above).strip()
        return text[:DOC_LENGTH] or None

    def scope_bases(self) -> Iterator[tuple[int, int, str]]:
        """Yield (symbol of a type, position, base) for the bases that blocks beside a type give to it.

        Where the type stands in another file, it is the symbol of the block's first method: that has the type as owner.
        """
        types = {definition.qualname: definition for definition in self.symbols if definition.kind == "class"}
        methods: dict[int, Definition] = {}
        for definition in self.symbols:
            methods.setdefault(id(definition.parent), definition)
        found: dict[int, list[str]] = {}
        for scope in self.definitions_sorted:
            if not scope.is_symbol and "base" in scope.captures:
                symbol = types.get(scope.qualname) or methods.get(id(scope))
                names = found.setdefault(symbol.symbol_id, []) if symbol else []
                for node in scope.captures["base"]:
                    if (base := self.ex.type_name(node)) is not None and base not in names:
                        names.append(base)
        for symbol_id, names in found.items():
            yield from ((symbol_id, position, base) for position, base in enumerate(names))

    def bases(self, definition: Definition) -> Iterator[str]:
        for node in definition.captures.get("bases", ()):
            for child in node.named_children:
                if (
                    child.type in self.ex.plain
                    or child.type in self.ex.members
                    or child.type in ("subscript", "generic_type")
                ):
                    name = self.ex.type_name(child)
                    if name:
                        yield name
        for node in definition.captures.get("base", ()):
            if name := self.ex.type_name(node):
                yield name

    # Index ----------------------------------------------------------------------------------------------------

    def write_index(self) -> None:
        """Add how often a word stands in each field of each symbol."""
        self.count_bodies()
        path_words = Counter(words(self.path))
        for definition in self.symbols:
            signature, doc = definition.captures.get("texts", ("", ""))
            symbol_id = definition.symbol_id
            self.add_words(symbol_id, 0, Counter(words(definition.qualname)))
            self.add_words(symbol_id, 1, path_words)
            if signature:
                self.add_words(symbol_id, 2, Counter(words(str(signature))))
            if doc:
                self.add_words(symbol_id, 3, Counter(words(str(doc))))
            for keyword in self.ex.keywords.intersection(definition.body):
                del definition.body[keyword]
            self.add_words(symbol_id, 4, definition.body)
            if definition.callees:
                self.add_words(symbol_id, 5, Counter(definition.callees))

    def add_words(self, symbol_id: int, field_number: int, counted: Counter[str]) -> None:
        """Add the counts of one field."""
        ids = self.ex.word_ids
        for word in [word for word in counted if word not in ids]:
            ids[word] = hash64(word)
        found = list(map(ids.__getitem__, counted))
        sent = self.rows.sent
        if not sent.issuperset(found):
            self.rows.new_words.extend((i, word) for i, word in zip(found, counted, strict=True) if i not in sent)
            sent.update(found)
        number = len(counted)
        words_, symbols, fields, occurrences = self.rows.words
        words_.extend(found)
        symbols.extend(repeat(symbol_id, number))
        fields.extend(repeat(field_number, number))
        occurrences.extend(counted.values())

    def count_bodies(self) -> None:
        """Count the words of each symbol's own text: what no symbol in it owns."""
        bounds, owners = self.bounds, self.owners
        for position, start in enumerate(bounds):
            end = bounds[position + 1] if position + 1 < len(bounds) else len(self.source)
            owner = owners[position] or self.module
            if owner is not None and end > start:
                owner.body.update(words(self.source[start:end].decode("utf-8", "replace")))


def clean_string(literal: str) -> str:
    """Return the text of a docstring literal: prefix and quotes off, common indentation off."""
    text = literal.lstrip("rRuUbBfF")
    for quote in ('"""', "'''", '"', "'"):
        if text.startswith(quote):
            text = text[len(quote) :].removesuffix(quote)
            break
    return dedent(text)[:DOC_LENGTH]


def dedent(text: str) -> str:
    """Take common indentation off all lines but the first, and blank lines off both ends."""
    first, *rest = text.expandtabs().split("\n")
    indents = [len(line) - len(line.lstrip()) for line in rest if line.strip()]
    indent = min(indents, default=0)
    return "\n".join([first.strip(), *(line[indent:].rstrip() for line in rest)]).strip()


def clean_comment(comment: str, marks: Sequence[str]) -> str:
    """Return the text of a comment without its marks."""
    if comment.startswith("/*"):
        inner = comment.removeprefix("/*").lstrip("*!").removesuffix("*/").rstrip("*")
        return dedent("\n".join(re.sub(r"^\s*\* ?", "", line) for line in inner.split("\n")))
    lines = []
    for line in comment.removesuffix("\n").split("\n"):
        stripped = line.strip()
        for mark in marks:
            if stripped.startswith(mark):
                stripped = stripped[len(mark) :]
                break
        lines.append(stripped.removeprefix(" ").rstrip())
    return "\n".join(lines)


@functools.cache
def extractor(name: str) -> Extractor:
    """Return the extractor of a language: one a process."""
    return Extractor(languages.load()[name])
