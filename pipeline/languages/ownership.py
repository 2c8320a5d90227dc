"""Ownership: which definition's text and code stand at a byte of a file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from tree_sitter import Node

from scaup.pipeline.languages.definitions import Definition, symbol_id

MODULE = "<module>"


class Ownership:
    """The definitions of a file by place; the body of the module is one of them as soon as it owns anything."""

    def __init__(self, path: str, source: bytes, root: Node, definitions: Sequence[Definition]) -> None:
        self.path, self.size = path, len(source)
        row, column = root.end_point
        self.lines = max(row + (1 if column else 0), 1)
        self.module: Definition | None = None
        self.definitions = definitions
        self.named = [definition for definition in definitions if definition.is_symbol]
        # Blocks that qualify the names in them: inline modules.
        self.modules = [d for d in definitions if not d.is_symbol and not d.captures.keys() & {"base", "type"}]
        # Stretch i reaches from the bound i to the next one.
        self.bounds: list[int] = [0]
        self.owners: list[Definition | None] = [None]
        stack: list[Definition] = []
        for definition in self.named:
            self._close(stack, definition.start)
            self.bounds.append(definition.start)
            self.owners.append(definition)
            stack.append(definition)
        self._close(stack, self.size + 1)
        self.code_owners = [_running(owner) for owner in self.owners]

    def _close(self, stack: list[Definition], until: int) -> None:
        while stack and stack[-1].end <= until:
            self.bounds.append(stack.pop().end)
            self.owners.append(stack[-1] if stack else None)

    @property
    def symbols(self) -> list[Definition]:
        """The symbols of the file, the body of the module first."""
        return self.named if self.module is None else [self.module, *self.named]

    def owner_at(self, byte: int) -> Definition | None:
        """Return the innermost symbol around a byte; constants own nothing but their text."""
        return self.owners[bisect_right(self.bounds, byte) - 1]

    def runner_at(self, byte: int) -> Definition | None:
        """Return the symbol that runs the code at a byte, None where it is the body of the module."""
        return self.code_owners[bisect_right(self.bounds, byte) - 1]

    def code_owner(self, byte: int) -> Definition:
        """Return the symbol that runs the code at a byte; the module body where no other does."""
        return self.code_owners[bisect_right(self.bounds, byte) - 1] or self.module_body()

    def module_body(self) -> Definition:
        """Return the symbol that stands for the code at the top of the file."""
        if self.module is None:
            self.module = Definition(0, self.size, "module", MODULE, None, qualname=MODULE, index=0)
            self.module.symbol_id = symbol_id(self.path, MODULE, "module")
        return self.module

    def scope_path(self, byte: int) -> str:
        """Return the qualified name of the scopes that are no symbols around a byte: inline modules."""
        inner = ""
        for scope in self.modules:
            if scope.start > byte:
                break
            if byte < scope.end:
                inner = scope.qualname
        return inner


def _running(definition: Definition | None) -> Definition | None:
    while definition is not None and (definition.kind == "constant" or not definition.is_symbol):
        definition = definition.parent
    return definition
