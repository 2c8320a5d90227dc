"""Runs the extraction of a source text and lays the rows out as dicts."""

from __future__ import annotations

from typing import Any

from scaup.pipeline.languages.extract import NULL_INT, Rows, extractor


class Extraction:
    """The rows of one file, by table."""

    def __init__(self, language: str, source: str | bytes, path: str, role: str = "source") -> None:
        rows = Rows()
        data = source.encode() if isinstance(source, str) else source
        self.errors = extractor(language).extract(path, role, data, rows)
        self.tables: dict[str, list[dict[str, Any]]] = {}
        for table, columns in rows.columns().items():
            names = list(columns)
            self.tables[table] = [
                {name: None if value == NULL_INT else value for name, value in zip(names, row, strict=True)}
                for row in zip(*columns.values(), strict=True)
            ]

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Return the rows of a table, in order of extraction."""
        return self.tables.get(table, [])

    def symbols(self, *names: str) -> list[tuple[Any, ...]]:
        """Return the given columns of all symbols."""
        return [tuple(row[name] for name in names) for row in self.rows("symbols")]

    def qualname(self, symbol_id: int | None) -> str | None:
        """Return the qualified name of a symbol; None for the top of the file."""
        return next((row["qualname"] for row in self.rows("symbols") if row["symbol_id"] == symbol_id), None)

    def calls(self) -> list[tuple[str | None, str, str | None, int | None]]:
        """Return (caller, callee, receiver, arity) of all calls."""
        return [(self.qualname(c["caller"]), c["callee"], c["receiver"], c["arity"]) for c in self.rows("calls")]

    def bindings(self) -> set[tuple[str | None, str, str | None]]:
        """Return (scope, name, type) of all bindings."""
        return {(self.qualname(b["symbol_id"]), b["name"], b["type"]) for b in self.rows("internal.bindings")}

    def imports(self) -> list[tuple[str, str | None, str | None]]:
        """Return (module, member, bound name) of all imports."""
        return [(i["target"], i["name"], i["alias"]) for i in self.rows("imports")]

    def complexity(self) -> dict[str, tuple[int | None, int | None]]:
        """Return (cyclomatic, cognitive) by qualified name."""
        return {
            str(self.qualname(s["symbol_id"])): (s["cyclomatic"], s["cognitive"])
            for s in self.rows("internal.symbol_shape")
        }
