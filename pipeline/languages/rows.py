"""The tables that files yield rows for, and the rows that were found."""

from __future__ import annotations

from array import array
from typing import Any

NULL_INT = -(1 << 63)

# Columns of each table that a file yields, and their array types: q 64-bit, O any object.
TABLES: dict[str, dict[str, str]] = {
    "symbols": {
        "symbol_id": "q", "path": "O", "language": "O", "name": "O", "qualname": "O", "kind": "O", "start_line": "q",
        "end_line": "q", "span_start": "q", "signature": "O", "doc": "O", "is_test": "O", "parent_id": "q",
    },
    "calls": {"ordinal": "q", "caller": "q", "path": "O", "callee": "O", "receiver": "O", "line": "q", "arity": "q"},
    "imports": {"path": "O", "scope": "q", "line": "q", "module": "O", "name": "O", "alias": "O", "target": "O"},
    "field_uses": {"symbol_id": "q", "field": "O", "use": "O", "line": "q", "value": "O"},
    "internal.symbol_shape": {
        "symbol_id": "q", "path": "O", "owner": "O", "min_arity": "q", "max_arity": "q", "is_static": "O",
        "is_fixture": "O", "returns": "O", "cyclomatic": "q", "cognitive": "q",
    },
    "internal.bases": {"symbol_id": "q", "path": "O", "position": "q", "base": "O"},
    "internal.bindings": {"symbol_id": "q", "path": "O", "name": "O", "type": "O", "via": "O"},
    "internal.requests": {"symbol_id": "q", "path": "O", "name": "O", "line": "q"},
    "internal.effects": {"symbol_id": "q", "path": "O", "kind": "O", "line": "q"},
    "internal.strings": {
        "path": "O", "symbol_id": "q", "start_line": "q", "start_column": "q", "end_line": "q", "end_column": "q",
        "segments": "O", "text": "O", "placeholders": "O", "context": "O", "name": "O", "branch": "O", "surface": "O",
        "tool": "O", "parameter": "O", "detail": "O",
    },
    "internal.text_references": {
        "path": "O", "symbol_id": "q", "name": "O", "surface": "O", "tool": "O", "parameter": "O", "detail": "O",
    },
    "internal.handlers": {"path": "O", "symbol_id": "q", "name": "O", "tool": "O"},
    "internal.swallows": {"path": "O", "symbol_id": "q", "line": "q"},
    "internal.suppressions": {
        "path": "O", "line": "q", "target": "q", "rules": "O", "reason": "O", "until": "O", "problem": "O",
    },
    "internal.embeds": {"path": "O", "target": "O", "name": "O", "surface": "O"},
    "word_counts": {"word_id": "q", "symbol_id": "q", "field": "q", "occurrences": "q"},
    "words": {"word_id": "q", "word": "O"},
}  # fmt: skip
NULLABLE = frozenset({"scope", "parent_id", "arity", "min_arity", "max_arity", "cyclomatic", "cognitive", "symbol_id"})
# Numbers of the fields in word_counts; index.sql has the same, and works out path and callees itself.
FIELDS = ("name", "path", "signature", "doc", "body", "callees")


class Rows:
    """Rows of all tables that files yield."""

    def __init__(self, sent: set[int] | None = None) -> None:
        self.tables: dict[str, list[tuple[Any, ...]]] = {table: [] for table in TABLES if not table.startswith("word")}
        # The largest table by far is filled by columns: word, symbol, field, occurrences.
        self.words: tuple[array[int], array[int], array[int], array[int]] = tuple(array("q") for _ in range(4))  # type: ignore[assignment]  # four, as range says
        self.new_words: list[tuple[int, str]] = []
        # Words that the reader of these rows has had before.
        self.sent = set() if sent is None else sent

    def columns(self) -> dict[str, dict[str, Any]]:
        """Return the tables by column; numbers in arrays, so that a process sends bytes and not objects."""
        found: dict[str, dict[str, Any]] = {}
        for table, rows in [*self.tables.items(), ("words", self.new_words)]:
            if rows:
                columns = zip(TABLES[table].items(), zip(*rows, strict=True), strict=True)
                found[table] = {name: _column(name, kind, values) for (name, kind), values in columns}
        if self.words[0]:
            found["word_counts"] = dict(zip(TABLES["word_counts"], self.words, strict=True))
        return found


def _column(name: str, kind: str, values: tuple[Any, ...]) -> Any:
    if kind == "O":
        return list(values)
    return array(kind, [NULL_INT if v is None else v for v in values] if name in NULLABLE else values)
