"""A unit of compilation, which is a file, while its rows are worked out: what the parts of extraction share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tree_sitter import Node

from scaup.pipeline.languages.definitions import Definition
from scaup.pipeline.languages.expressions import DYNAMIC
from scaup.pipeline.languages.matches import Matches
from scaup.pipeline.languages.ownership import Ownership
from scaup.pipeline.languages.syntax import Syntax


@dataclass(slots=True)
class Unit:
    """A file: its bytes, what the query found in them, and who owns which of them."""

    path: str
    source: bytes
    syntax: Syntax
    matches: Matches
    ownership: Ownership
    # Rows by table: this file's go to their ends.
    tables: dict[str, list[tuple[Any, ...]]]
    # First names of all callees and receivers, for which bindings matter; with a `?` where the value is opened.
    roots: set[str] = field(default_factory=set)
    # Names that imports bind, and those that an import by a call binds, with the function around it.
    imported: set[str] = field(default_factory=set)
    required: set[tuple[Definition | None, str]] = field(default_factory=set)

    def relative(self, receiver: str, byte: int) -> str | None:
        """Return a receiver that is written from inside of an inline module as seen from the top of the file."""
        if self.syntax.relative_receiver is None or not receiver.startswith(self.syntax.relative):
            return receiver
        return self.syntax.relative_receiver(receiver, self.ownership.scope_path(byte))

    def receiver(self, node: Node, byte: int) -> str:
        """Return an expression in normal form, as seen from the top of the file."""
        return self.relative(self.syntax.expressions.receiver(node), byte) or DYNAMIC
