"""Facts of small folders that tests build, and short forms of what is in them."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb

from scaup.pipeline import store
from scaup.pipeline.ingest import ingest, project


def write_files(root: Path, files: Mapping[str, str]) -> Path:
    """Write files, given by path, with common indentation taken off."""
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    return root


class Facts:
    """The facts of a folder after an ingest."""

    def __init__(self, root: Path, files: Mapping[str, str] | None = None) -> None:
        self.root = write_files(root, files or {})
        self.response = ingest(project(root), workers=1)

    def connect(self) -> duckdb.DuckDBPyConnection:
        """Open the published facts."""
        return store.open_read(store.locate(self.root))

    def rows(self, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        con = self.connect()
        try:
            return con.execute(query, list(parameters)).fetchall()
        finally:
            con.close()

    def edges(self) -> set[tuple[str, str, str]]:
        """Return (caller, callee, rung), as path:qualname where it is not the same file."""
        return {
            (f"{sp}:{s}", f"{dp}:{d}", rung)
            for sp, s, dp, d, rung in self.rows(
                "SELECT s.path, s.qualname, d.path, d.qualname, provenance FROM edges e "
                "JOIN symbols s ON s.symbol_id = e.src JOIN symbols d ON d.symbol_id = e.dst"
            )
        }

    def unresolved(self) -> set[tuple[str, str, str, str | None]]:
        """Return (caller, callee with its receiver, reason, target)."""
        return {
            (f"{path}:{caller}", callee, reason, target)
            for path, caller, callee, reason, target in self.rows(
                "SELECT s.path, s.qualname, concat_ws(' ', c.receiver, c.callee), u.reason, u.target "
                "FROM unresolved_calls u JOIN calls c USING (call_id) JOIN symbols s ON s.symbol_id = c.caller"
            )
        }

    def metric(self, name: str) -> dict[str, Any]:
        """Return one column of symbol_risk by path:qualname."""
        return {f"{path}:{q}": value for path, q, value in self.rows(f"SELECT path, qualname, {name} FROM symbol_risk")}
