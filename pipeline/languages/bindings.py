"""Bindings: names of values that calls go through, with a type where something tells it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from scaup.pipeline.languages import parameters
from scaup.pipeline.languages.definitions import Definition
from scaup.pipeline.languages.expressions import DYNAMIC, text
from scaup.pipeline.languages.matches import Captures, place
from scaup.pipeline.languages.parameters import known_type
from scaup.pipeline.languages.unit import Unit

_BEHIND_ROOT = re.compile(r"\W")
# Where a name is bound (None: at the top of the file), and the name.
Target = tuple[Definition | None, str]
# A type, that of what a value of it holds, and what says so: an annotation, a value or a parameter.
Told = tuple[str | None, str | None, str]


class Bindings:
    """The bindings of a file, and the names at its top that code writes to."""

    def __init__(self, unit: Unit) -> None:
        self.unit, self.syntax, self.roots = unit, unit.syntax, unit.roots
        self.found: set[tuple[Definition | None, str, str | None, str]] = set()
        # Names at the top of the file that code assigns to, and where such a name means a local of a definition.
        self.written = self._written()
        self.declared: set[tuple[Definition, str]] = set()
        for definition in unit.ownership.symbols:
            self._add_parameters(definition)
        # The type of a literal that has functions of its own is not the one that the language gives all literals.
        scopes = [d.parent for d in unit.ownership.symbols if d.parent is not None and not d.parent.is_symbol]
        self.singletons = {place(scope.node) for scope in scopes if scope.node is not None}
        for captures in unit.matches.captures("binding"):
            if "member" in captures:
                self._add_member(captures)
            elif targets := list(self._targets(captures)):
                self._add_names(captures, targets)

    def write(self) -> None:
        """Add the rows of bindings."""
        rows, path = self.unit.tables["internal.bindings"], self.unit.path
        for owner, name, type_name, via in sorted(
            self.found, key=lambda row: (row[0].index if row[0] else -1, row[1], row[2] or "", row[3])
        ):
            rows.append((owner.symbol_id if owner else None, path, name, type_name, via))

    def _written(self) -> dict[str, list[Node]]:
        """Return the nodes that are assigned to, by the name at the top of the file that they begin with."""
        written: dict[str, list[Node]] = {}
        matches = [c for c in self.unit.matches.captures("effect.global_state") if "target" in c]
        if matches:
            names = {d.name for d in self.unit.ownership.definitions if d.kind == "constant"} | self.unit.imported
            for captures in matches:
                name = self.syntax.expressions.receiver(captures["target"][0])
                root = _BEHIND_ROOT.split(name, maxsplit=1)[0]
                if root in names and "(" not in name:
                    written.setdefault(root, []).append(captures["target"][0])
        return written

    def _add_parameters(self, definition: Definition) -> None:
        for names, annotation, held in parameters.read(self.syntax, definition):
            for name in names:
                if name in self.written:
                    self.declared.add((definition, name))
                if name in self.roots:
                    self._add(definition, name, (annotation, held if name + "?" in self.roots else None, "annotation"))

    def _add_member(self, captures: Captures) -> None:
        """Add the type of a member to the class around."""
        if "self" in captures and text(captures["self"][0]) not in self.syntax.self_names:
            return
        owner = self.unit.ownership.owner_at(captures["binding"][0].start_byte)
        while owner is not None and owner.kind != "class" and owner.owner is None:
            owner = owner.parent
        if owner is not None and (told := self._told(captures))[0] is not None:
            self._add(owner, text(captures["member"][0]), told)

    def _targets(self, captures: Captures) -> Iterator[Target]:
        """Yield (owner, name) of the names that matter; the owner of a constant is the constant."""
        source, roots, written = self.unit.source, self.roots, self.written
        for node in captures.get("name", ()):
            start = node.start_byte
            name = source[start : node.end_byte].decode("utf-8", "replace")
            if name not in roots and name not in written and not self.syntax.top_level_bindings:
                continue
            owner = self.unit.ownership.owner_at(start)
            is_constant = owner is not None and owner.kind == "constant"
            if name in written and owner is not None and not is_constant and "assigned" not in captures:
                self.declared.add((owner, name))
            if name not in roots and (owner is None or not is_constant or owner.name != name):
                continue
            if owner is not None and not is_constant and node in owner.captures.get("name", ()):
                continue  # the name of a definition is no variable in it
            yield owner, name

    def _add_names(self, captures: Captures, targets: list[Target]) -> None:
        type_name, held, via = self._told(captures)
        for owner, name in targets:
            around = owner
            if around is not None and around.kind == "constant":
                if type_name is None:
                    continue
                around = around.parent
            while around is not None and not around.is_symbol:
                around = around.parent
            if (around is not None or type_name is not None) and (around, name) not in self.unit.required:
                self._add(around, name, (type_name, held if name + "?" in self.roots else None, via))

    def _add(self, owner: Definition | None, name: str, told: Told) -> None:
        """Add a name; what its value holds is a binding of its own."""
        type_name, held, via = told
        self.found.add((owner, name, type_name, via))
        if held is not None and (held != type_name or via == "value"):
            self.found.add((owner, name + "?", held, via))

    # Types ----------------------------------------------------------------------------------------------------

    def _told(self, captures: Captures) -> Told:
        """Return what annotation, value or parameter tell of a binding's type."""
        expressions = self.syntax.expressions
        start = captures["binding"][0].start_byte
        type_name = expressions.type_name(captures["type"][0]) if "type" in captures else None
        via = "annotation"
        if type_name is None and "value" in captures and place(captures["value"][0]) not in self.singletons:
            value = self.unit.receiver(captures["value"][0], start)
            if _tells(value):
                type_name, via = value, "value"
            elif value.isidentifier():
                type_name, via = self._parameter_type(start, value), "parameter"
        held = self._held(captures) if expressions.passing else None
        if type_name is not None or held is not None:
            around = self.unit.ownership.owner_at(start)
            type_name, held = known_type(self.syntax, type_name, around), known_type(self.syntax, held, around)
        return type_name, held, via

    def _held(self, captures: Captures) -> str | None:
        """Return the type of what a bound value holds, where it tells: T of an Option<T>."""
        expressions = self.syntax.expressions
        if "type" in captures:
            return expressions.type_name(captures["type"][0], held=True)
        if "value" not in captures:
            return None
        node = captures["value"][0]
        value = self.unit.receiver(expressions.held(node), node.start_byte)
        return value if _tells(value) else None

    def _parameter_type(self, byte: int, name: str) -> str | None:
        """Return the annotation of a parameter of the function around a byte."""
        owner = self.unit.ownership.owner_at(byte)
        while owner is not None and owner.kind not in ("function", "method"):
            owner = owner.parent
        return dict(owner.parameters).get(name) if owner is not None else None


def _tells(value: str) -> bool:
    """Whether a value in normal form tells its type: a call, a construction or a literal."""
    return value.endswith("()") or (value[0] == "<" and value != DYNAMIC)
