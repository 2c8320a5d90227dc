"""Parameters of definitions: their names and types, and how many arguments a call may pass."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from scaup.pipeline.languages.definitions import Definition
from scaup.pipeline.languages.expressions import text
from scaup.pipeline.languages.syntax import Syntax

_BEHIND_ROOT = re.compile(r"\W")
# A parameter: its names, its type, and the type of what a value of that type holds.
Parameter = tuple[list[str], str | None, str | None]


def read(syntax: Syntax, definition: Definition) -> list[Parameter]:
    """Return the parameters of a definition but the one for the object; set its parameters and its shape."""
    found: list[Parameter] = []
    least = most = 0
    variadic = seen_receiver = False
    is_method = definition.kind == "method"
    for position, node in _nodes(syntax, definition):
        kind = node.type
        simple = kind in syntax.expressions.plain
        pattern = None if simple else node.child_by_field_name("pattern")
        if kind in syntax.receivers or (pattern is not None and pattern.type in syntax.receivers):
            seen_receiver = True
            continue
        if pattern is not None and pattern.type in syntax.variadic:
            kind, node = pattern.type, pattern
        if kind not in syntax.parameters:
            continue
        names = [text(node)] if simple else _names(syntax, node)
        if position == 0 and is_method and names and names[0] in syntax.self_names:
            seen_receiver = True
            continue
        annotation = held = None
        if kind in syntax.variadic:
            variadic = True
        else:
            count = max(len(names), 1)
            most += count
            if kind in syntax.required and (simple or node.child_by_field_name("value") is None):
                least += count
            if not simple and (written := node.child_by_field_name("type")) is not None:
                annotation = known_type(syntax, syntax.expressions.type_name(written), definition)
                if syntax.expressions.passing:
                    held = known_type(syntax, syntax.expressions.type_name(written, held=True), definition)
        definition.parameters.extend((name, annotation) for name in names)
        found.append((names, annotation, held))
    if syntax.implicit_self:
        static = is_method and "static" in definition.captures
    else:
        static = is_method and not seen_receiver and bool(syntax.self_names or syntax.receivers)
    definition.shape = (least, None if variadic else most, static)
    return found


def _nodes(syntax: Syntax, definition: Definition) -> Iterator[tuple[int, Node]]:
    """Yield the nodes in the lists of parameters, each with its position in its list."""
    for node in definition.captures.get("parameters", ()):
        if node.type in syntax.required or node.type in syntax.optional:  # x => …: the parameter is the list
            yield 0, node
        else:
            yield from enumerate(node.named_children)


def _names(syntax: Syntax, node: Node) -> list[str]:
    """Return the names that one parameter binds."""
    plain = syntax.expressions.plain
    if node.type in plain:
        return [text(node)]
    named = node.children_by_field_name("name") or node.children_by_field_name("pattern")
    if not named and syntax.unnamed:
        return []
    if not named:
        named = [child for child in node.named_children if child.type in plain][:1]
    if not named:
        named = [g for child in node.named_children[:1] for g in child.named_children if g.type in plain][:1]
    return [text(child) for child in named]


def known_type(syntax: Syntax, name: str | None, definition: Definition | None) -> str | None:
    """Return what a type's name stands for: the type around it, the bound of a parameter, or itself."""
    if name is None or not (syntax.own_types or syntax.generic_bounds):
        return name
    root = _BEHIND_ROOT.split(name.lstrip("<"), maxsplit=1)[0]
    while root and definition is not None:
        if root in syntax.own_types and (definition.owner or definition.kind == "class"):
            return name.replace(root, definition.owner or definition.name, 1)
        if syntax.generic_bounds and definition.node is not None and name == root:
            bound = syntax.generic_bounds(definition.node).get(root)
            if bound is not None:
                return syntax.expressions.type_name(bound)
        definition = definition.parent
    return name
