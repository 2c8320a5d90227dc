"""Expressions and types in normal form: the names that resolution looks them up by."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from tree_sitter import Node

from scaup.pipeline.languages import Language

TEXT_LENGTH = 200
# What has no name.
DYNAMIC = "<expression>"
# Deeper receivers are no names that anything could resolve.
RECEIVER_DEPTH = 12
# Annotations repeat; so many different ones are worth their room.
TYPES_KEPT = 1 << 16
_BLANKS = re.compile(r"(?<!\w) | (?!\w)")


def text(node: Node) -> str:
    """Return the text of a node."""
    return (node.text or b"").decode("utf-8", "replace")


class Expressions:
    """Brings expressions and types of one language into normal form, as the tables of its language.toml say."""

    def __init__(self, language: Language) -> None:
        expressions: dict[str, Any] = language.table.get("expressions", {})
        joins = expressions.get("joins", {})
        # Node type -> field of the object, field of the name, and what joins the two.
        self.members: dict[str, tuple[str, str, str]] = {
            row[0]: (row[1], row[2], str(joins.get(row[0], "."))) for row in expressions.get("member", ())
        }
        self.calls: dict[str, str] = {row[0]: row[1] for row in expressions.get("call", ())}
        self.constructs: dict[str, str] = {row[0]: row[1] for row in expressions.get("construct", ())}
        self.macros: dict[str, str] = {row[0]: row[1] for row in expressions.get("macro", ())}
        # Types that macros make.
        self.results: dict[str, str] = dict(expressions.get("results", {}))
        # Methods, and nodes, that pass a value on as it is, or open it: `x?` is what x holds.
        self.passing: dict[str, bool] = {
            **dict.fromkeys(expressions.get("passing", ()), False),
            **dict.fromkeys(expressions.get("opening", ()), True),
        }
        # Functions whose result can be taken for their argument, and those whose result holds it.
        self.wrapping = re.compile(expressions.get("wrapping", r"(?!)"))
        self.holding = re.compile(expressions.get("holding", r"(?!)"))
        self.generic = frozenset(expressions.get("generic", ()))
        self.makers = frozenset(name.encode() for name in expressions.get("makers", ()))
        self.transparent = frozenset(expressions.get("transparent", ()))
        self.plain = frozenset(expressions.get("plain", ("identifier",)))
        self.literals: dict[str, str] = dict(language.table.get("literals", {}))
        types: dict[str, Any] = language.table.get("types", {})
        self.type_noise = re.compile(types.get("noise", r"(?!)"))
        self.held_noise = re.compile(types["held"]) if "held" in types else self.type_noise
        # Blanks in a type go; between two words one can stay for the patterns to see.
        self.type_joint = " " if types.get("blanks", False) else ""
        # Patterns of types that have another name to be looked up by, and that name.
        self.type_names = [(re.compile(pattern), name) for pattern, name in types.get("names", ())]
        self.looked_up = lru_cache(TYPES_KEPT)(self._looked_up)

    # Expressions ----------------------------------------------------------------------------------------------

    def receiver(self, node: Node | None, depth: int = RECEIVER_DEPTH) -> str:
        """Return an expression in normal form: a.b, T(), <str> for a literal, <expression> for what has no name."""
        suffix = ""
        while node is not None and depth:
            depth -= 1
            kind = node.type
            if kind in self.plain:
                return text(node)[:TEXT_LENGTH] + suffix
            if member := self.members.get(kind):
                object_field, name_field, join = member
                name = node.child_by_field_name(name_field)
                node = node.child_by_field_name(object_field)
                if name is None:
                    return DYNAMIC
                suffix = join + text(name) + suffix
                if node is None:  # a path from the root of all names
                    return suffix.removeprefix(join)
            elif called := self.calls.get(kind):
                function = node.child_by_field_name(called)
                if self.makers and function is not None and function.text in self.makers:
                    first = first_argument(node)
                    return f"<{self.type_name(first)}>{suffix}" if first is not None else DYNAMIC
                if function is not None and function.type in self.generic:
                    function = function.named_children[0]
                if (passed := self.passed(node, function)) is not None:
                    node, opens = passed
                    suffix = opened(suffix) if opens else suffix
                else:
                    node, suffix = function, "()" + suffix.removeprefix("?")
            elif constructed := self.constructs.get(kind):
                made = node.child_by_field_name(constructed)
                return f"<{self.type_name(made)}>{suffix.removeprefix('?')}" if made is not None else DYNAMIC
            elif kind in self.transparent:
                suffix = opened(suffix) if self.passing.get(kind) else suffix
                node = node.child_by_field_name("value") or (node.named_children[0] if node.named_child_count else None)
            elif macro := self.macros.get(kind):
                name = node.child_by_field_name(macro)
                called_macro = text(name) + "!" if name is not None else DYNAMIC
                made_by_macro = self.results.get(called_macro)
                return (f"<{made_by_macro}>" if made_by_macro else called_macro + "()") + suffix.removeprefix("?")
            elif literal := self.literals.get(kind):
                return f"<{literal}>{suffix}"
            else:
                return DYNAMIC
        return DYNAMIC

    def passed(self, call: Node, function: Node | None) -> tuple[Node, bool] | None:
        """Return the value that a call only passes on (a clone, the content of an option), and whether it opens it."""
        if not self.passing or function is None:
            return None
        if self.wrapping.match(text(function)):
            value = first_argument(call)
            return (value, False) if value is not None else None
        member = self.members.get(function.type)
        if member is None:
            return None
        value, name = function.child_by_field_name(member[0]), function.child_by_field_name(member[1])
        if value is None or name is None:
            return None
        opens = self.passing.get(text(name))
        return None if opens is None else (value, opens)

    def held(self, node: Node) -> Node:
        """Return the value that an expression puts into another one, or else the expression."""
        called = self.calls.get(node.type)
        function = node.child_by_field_name(called) if called else None
        if function is None:
            return node
        name = text(function)
        value = first_argument(node) if self.wrapping.match(name) or self.holding.match(name) else None
        return self.held(value) if value is not None else node

    # Types ----------------------------------------------------------------------------------------------------

    def type_name(self, node: Node | None, *, held: bool = False) -> str | None:
        """Return an annotation as the name that it can be looked up by, or None where it has none.

        `held` asks for the type of what a value of that type holds.
        """
        return None if node is None else self.looked_up(node.text or b"", held)

    def _looked_up(self, annotation: bytes, held: bool) -> str | None:
        name = self.type_joint.join(annotation.decode("utf-8", "replace").split())[:TEXT_LENGTH]
        noise = self.held_noise if held else self.type_noise
        previous = None
        while previous != name:
            previous = name = _BLANKS.sub("", name)
            for pattern, other in self.type_names:
                name = pattern.sub(other, name)
            name = noise.sub("", name)
        return name.replace(" ", "") or None


def opened(suffix: str) -> str:
    """Return what stands behind a name whose value is opened."""
    return suffix if suffix.startswith("?") else "?" + suffix


def first_argument(call: Node) -> Node | None:
    """Return the first argument of a call."""
    arguments = call.child_by_field_name("arguments")
    return arguments.named_children[0] if arguments is not None and arguments.named_child_count else None
