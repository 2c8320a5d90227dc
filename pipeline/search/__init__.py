"""Search: the symbols and files that a question is about, best first. Lanes are .sql files; fusion.py adds them up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scaup.pipeline.response import ScaupError
from scaup.pipeline.search import fusion, lanes, question
from scaup.pipeline.search.ranking import Hit, rank

if TYPE_CHECKING:
    import duckdb

__all__ = ["Hit", "hits", "search"]


def search(
    con: duckdb.DuckDBPyConnection,
    query: str,
    *,
    limit: int = 20,
    path_prefix: str | None = None,
    files: bool = False,
) -> dict[str, Any]:
    """Return the payload of `search`: symbols, or with `files` files, best first.

    Raises `invalid_request` for an empty question and `path_not_found` for a folder or file without facts.
    """
    ranked = hits(con, query, limit=limit, path_prefix=path_prefix, files=files)
    if files:
        return {"results": [{"path": h.path, "score": fusion.shown(h.score), "lanes": h.lanes} for h in ranked]}
    return {
        "results": [
            {
                "path": h.path,
                "line": h.line,
                "qualname": h.qualname,
                "kind": h.kind,
                "score": fusion.shown(h.score),
                "lanes": h.lanes,
            }
            for h in ranked
        ]
    }


def hits(
    con: duckdb.DuckDBPyConnection,
    query: str,
    *,
    limit: int = 20,
    path_prefix: str | None = None,
    files: bool = False,
) -> list[Hit]:
    """Return what `search` does as rows with symbol ids and whole scores."""
    if not query.strip():
        raise ScaupError("invalid_request", "The question is empty. Say in words, or by name, what to look for.")
    if limit < 1:
        raise ScaupError("invalid_request", f"limit is {limit}; it has to be at least 1.")
    prefix = _prefix(con, path_prefix)
    asked = question.read(query)
    terms = lanes.telling(con, asked)
    named = lanes.mentions(con, asked, prefix)
    by_symbol = lanes.symbols(con, terms, prefix) if terms else {}
    by_file = lanes.files(con, asked, terms, prefix) if terms else {}
    return rank(con, asked, by_symbol, by_file, lanes.history(con, asked, prefix), named, files=files)[:limit]


def _prefix(con: duckdb.DuckDBPyConnection, path: str | None) -> str:
    """Return what the paths in scope begin with: a folder with its slash, or one file."""
    folder = (path or "").removesuffix("/")
    if folder in ("", "."):
        return ""
    row = con.execute(
        "SELECT bool_or(path = $path), bool_or(starts_with(path, $path || '/')) FROM files", {"path": folder}
    ).fetchone()
    if row and row[0]:
        return folder
    if row and row[1]:
        return f"{folder}/"
    raise ScaupError("path_not_found", f"No file or folder of the repository is {path}.")
