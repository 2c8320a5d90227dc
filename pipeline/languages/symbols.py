"""Rows of symbols: where they stand, what they say of themselves, what they return and inherit from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from scaup.pipeline.languages import complexity
from scaup.pipeline.languages.comments import DOC_LENGTH, clean_comment, clean_string
from scaup.pipeline.languages.definitions import Definition, fold
from scaup.pipeline.languages.expressions import Expressions, text
from scaup.pipeline.languages.unit import Unit

SIGNATURE_LENGTH = 300
# What stands between a signature and the body, and belongs to neither.
SIGNATURE_END = re.compile(r"(?:[\s{:=]|=>)+$")
# Kinds whose body is code of their own, which has a complexity.
MEASURED = frozenset({"function", "method", "test", "module"})
_GENERIC_BASES = frozenset({"subscript", "generic_type"})


class Texts(NamedTuple):
    """What a symbol says of itself."""

    signature: str | None
    doc: str | None


def write(unit: Unit) -> list[Texts]:
    """Add the rows of symbols and of their shapes, requests and bases; return the texts of each symbol."""
    path, tables, ownership = unit.path, unit.tables, unit.ownership
    cyclomatic, cognitive = complexity.measure(complexity.branches(unit), len(ownership.named) + 1)
    texts = []
    for definition in ownership.symbols:
        parent, captures, kind = definition.parent, definition.captures, definition.kind
        while parent is not None and not parent.is_symbol:
            parent = parent.parent
        start = definition.line
        end = _last_line(definition.node) if definition.node is not None else ownership.lines
        signature, doc = _signature(unit, definition), _doc(unit, definition)
        texts.append(Texts(signature, doc))
        tables["symbols"].append((
            definition.symbol_id, path, unit.syntax.name, definition.name, definition.qualname, kind, start,
            max(end, start), min(definition.span_start, start), signature, doc, definition.is_test,
            parent.symbol_id if parent else None,
        ))  # fmt: skip
        shape = definition.shape if "parameters" in captures else None
        least, most, static = shape if shape is not None else (None, None, None)
        measured = kind in MEASURED and (definition.node is None or "body" in captures)
        tables["internal.symbol_shape"].append((
            definition.symbol_id, path, definition.owner, least, most, static, definition.is_fixture,
            _returns(unit, definition),
            cyclomatic[definition.index] if measured else None, cognitive[definition.index] if measured else None,
        ))  # fmt: skip
        if definition.is_fixture or definition.is_test:
            requests = tables["internal.requests"]
            requests.extend((definition.symbol_id, path, name, start) for name, _ in definition.parameters)
        if "base" in captures or "bases" in captures:
            for position, base in enumerate(_bases(unit.syntax.expressions, definition)):
                tables["internal.bases"].append((definition.symbol_id, path, position, base))
    for symbol_id, position, base in _scope_bases(unit):
        tables["internal.bases"].append((symbol_id, path, position, base))
    return texts


def extend(unit: Unit) -> None:
    """Give classes the bases that stand in their bodies: embedded types."""
    for _, captures in unit.matches.of("extends"):
        node = captures["base"][0]
        owner = unit.ownership.owner_at(node.start_byte)
        if owner is not None and owner.kind == "class":
            owner.captures.setdefault("base", []).append(node)


def _last_line(node: Node) -> int:
    row, column = node.end_point
    return row if column == 0 and row > node.start_point[0] else row + 1


def _signature(unit: Unit, definition: Definition) -> str | None:
    """Return what stands in front of the body; None for a test block, whose name says all."""
    if definition.node is None or definition.kind == "test":
        return None
    body = definition.captures.get("body")
    end = body[0].start_byte if body else definition.end
    end = min(end, definition.start + 4 * SIGNATURE_LENGTH)
    written = unit.source[definition.start : end].decode("utf-8", "replace")
    if prefixes := unit.syntax.signature_prefix:
        prefix = prefixes.get(definition.node.type)
        written = f"{prefix} {written}" if prefix else written
    return SIGNATURE_END.sub("", fold(written, SIGNATURE_LENGTH)) or None


def _doc(unit: Unit, definition: Definition) -> str | None:
    """Return the docstring, or else the comments directly above."""
    if docs := definition.captures.get("doc"):
        return clean_string(text(docs[0])) or None
    if not definition.above:
        return None
    lines = "\n".join(clean_comment(text(node), unit.syntax.comment_marks) for node in definition.above).strip()
    return lines[:DOC_LENGTH] or None


def _returns(unit: Unit, definition: Definition) -> str | None:
    """Return the type of a definition's result, as far as it is written."""
    captures, node = definition.captures, None
    if "returns" in captures:
        node = captures["returns"][0]
    elif unit.syntax.returns_field and "parameters" in captures:
        parent = captures["parameters"][0].parent
        node = parent.child_by_field_name(unit.syntax.returns_field) if parent is not None else None
    return unit.syntax.expressions.type_name(node, held=True)


def _bases(expressions: Expressions, definition: Definition) -> Iterator[str]:
    for node in definition.captures.get("bases", ()):
        for child in node.named_children:
            kind = child.type
            is_name = kind in expressions.plain or kind in expressions.members or kind in _GENERIC_BASES
            if is_name and (name := expressions.type_name(child)):
                yield name
    for node in definition.captures.get("base", ()):
        if name := expressions.type_name(node):
            yield name


def _scope_bases(unit: Unit) -> Iterator[tuple[int, int, str]]:
    """Yield (symbol of a type, position, base) for the bases that blocks beside a type give to it.

    Where the type stands in another file, it is the symbol of the block's first method: that has the type as owner.
    """
    scopes = [d for d in unit.ownership.definitions if not d.is_symbol and "base" in d.captures]
    if not scopes:
        return
    symbols = unit.ownership.symbols
    types = {definition.qualname: definition for definition in symbols if definition.kind == "class"}
    methods: dict[int, Definition] = {}
    for definition in symbols:
        methods.setdefault(id(definition.parent), definition)
    found: dict[int, list[str]] = {}
    for scope in scopes:
        symbol = types.get(scope.qualname) or methods.get(id(scope))
        names = found.setdefault(symbol.symbol_id, []) if symbol else []
        for node in scope.captures["base"]:
            if (base := unit.syntax.expressions.type_name(node)) is not None and base not in names:
                names.append(base)
    for symbol_id, names in found.items():
        yield from ((symbol_id, position, base) for position, base in enumerate(names))
