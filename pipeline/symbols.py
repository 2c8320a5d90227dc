"""Answers about symbols: what a file defines, the text of a definition, who calls whom, and risk facts.

Each function takes open facts and returns the payload of its command; raises what `lookup` raises.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Any

from scaup.pipeline import git, languages
from scaup.pipeline.facts import Facts
from scaup.pipeline.lookup import Place, Symbol, find, find_file, find_symbol, find_symbols
from scaup.pipeline.response import ScaupError
from scaup.pipeline.stages.dirty import blob_id
from scaup.pipeline.stages.discover import open_file

METRICS_LIMIT = 50  # rows that fit a person's patience; the total stands beside them
METRICS_SORT = "amp"
_ASCENDING = frozenset({"path", "line", "qualname", "kind", "language", "role", "purity", "nearest_test", "effect_via"})


def outline(facts: Facts, path: str) -> dict[str, Any]:
    """Return the symbols of a file in order of their place; `depth` counts the symbols around one.

    A file that was not parsed becomes a gap of the facts, with its reason.
    """
    file = find_file(facts, path)
    reason, language = _one(facts, "SELECT excluded_reason, language FROM files WHERE path = $path", path=file)
    if reason is not None and not any(gap["file"] == file for gap in facts.gaps.skipped_files):
        facts.gaps.skip(file, reason)
    elif language is not None and languages.load()[language].table.get("documents"):
        facts.gaps.skip(file, "unsupported_language")  # read for its texts; it has no definitions
    rows = facts.con.execute(
        "SELECT symbol_id, parent_id, span_start, start_line, end_line, qualname, kind, signature, doc, is_test "
        "FROM symbols WHERE path = $path AND kind <> 'module' "
        "ORDER BY start_line, end_line DESC, qualname, symbol_id",
        {"path": file},
    ).fetchall()
    parents = {row[0]: row[1] for row in rows}
    symbols = []
    for symbol_id, _, start, line, end, qualname, kind, signature, doc, is_test in rows:
        symbols.append(
            {
                "path": file, "line": line, "qualname": qualname, "kind": kind, "start_line": start, "end_line": end,
                "depth": _depth(parents, symbol_id), "signature": signature, "doc": doc, "is_test": is_test,
            }
        )  # fmt: skip
    return {"path": file, "language": language, "symbols": symbols}


def show(facts: Facts, target: str) -> dict[str, Any]:
    """Return the text of a symbol as it stands in the working tree, with its decorators and comments.

    Definitions that share path and qualified name (a property and its setter) are shown together. `changed` says that
    the file is not the one that the facts were made of, so that the lines may be off.
    """
    found = find_symbols(facts, target)
    if len({(symbol.path, symbol.qualname) for symbol in found}) > 1:
        found = [find_symbol(facts, target)]
    path = found[0].path
    content = _read(facts, path)
    (known,) = _one(facts, "SELECT content_hash FROM files WHERE path = $path", path=path)
    changed = known is not None and blob_id(content, known) != known
    if changed:
        facts.gaps.skip(path, "changed")
    lines = content.split(b"\n")
    symbols = []
    for symbol in found:
        text = b"\n".join(lines[symbol.span_start - 1 : symbol.end_line])
        ended = symbol.end_line < len(lines)
        symbols.append(
            {
                **symbol.member(),
                "start_line": symbol.span_start,
                "end_line": symbol.end_line,
                "changed": changed,
                "text": text.decode("utf-8", "backslashreplace") + ("\n" if ended else ""),
            }
        )
    return {"symbols": symbols}


def calls(facts: Facts, target: str) -> dict[str, Any]:
    """Return who calls a symbol, whom it calls, and the calls in it that were not resolved."""
    symbol = find_symbol(facts, target)
    names = ("path", "line", "qualname", "kind", "provenance", "call_lines")
    rows = facts.con.execute(
        "SELECT c.line, c.callee, c.receiver, u.reason, u.target FROM calls c JOIN unresolved_calls u USING (call_id) "
        "WHERE c.caller = $symbol ORDER BY c.line, c.callee, c.call_id",
        {"symbol": symbol.symbol_id},
    ).fetchall()
    return {
        "symbol": symbol.member(),
        "callers": _members(names, _query(facts, "callers", symbol)),
        "callees": _members(names, _query(facts, "callees", symbol)),
        "unresolved": _members(("line", "callee", "receiver", "reason", "target"), rows),
    }


def metrics(
    facts: Facts, target: str | None = None, *, sort: str = METRICS_SORT, limit: int = METRICS_LIMIT
) -> dict[str, Any]:
    """Return rows of `symbol_risk`: of one symbol, of a file or folder, or of all; `limit` 0 means all of them.

    Numbers sort from the highest down, texts from A to Z; what is unavailable comes last. `reach` and `tested_by` of
    one symbol are exact, also above the cap.
    """
    columns = [name for (name,) in facts.con.execute(_COLUMNS).fetchall()]
    if sort not in columns:
        near = difflib.get_close_matches(sort, columns, 3)
        raise ScaupError(
            "invalid_request",
            f"{sort} is no column of metrics. Known are {', '.join(columns)}.",
            nearest=near,
        )
    found = find(facts, target) if target is not None else Place("")
    if isinstance(found, Symbol):
        return {"total": 1, "sort": sort, "symbols": [_exact(facts, found, columns)]}
    scope = "starts_with(path, $path)" if found.path.endswith("/") or not found.path else "path = $path"
    (total,) = _one(facts, f"SELECT count(*) FROM symbol_risk WHERE {scope}", path=found.path)
    order = "ASC" if sort in _ASCENDING else "DESC"
    rows = facts.con.execute(
        f'SELECT * FROM symbol_risk WHERE {scope} ORDER BY "{sort}" {order} NULLS LAST, path, line, qualname, symbol_id'
        + (f" LIMIT {limit:d}" if limit > 0 else ""),
        {"path": found.path},
    ).fetchall()
    return {"total": total, "sort": sort, "symbols": _members(columns, rows)}


_COLUMNS = (
    "SELECT column_name FROM duckdb_columns() WHERE table_name = 'symbol_risk' AND database_name = current_database() "
    "ORDER BY column_index"
)


def _exact(facts: Facts, symbol: Symbol, columns: list[str]) -> dict[str, Any]:
    row = _one(facts, "SELECT * FROM symbol_risk WHERE symbol_id = $symbol", symbol=symbol.symbol_id)
    member = dict(zip(columns, row, strict=True))
    if member["reach_capped"] or member["tested_by_capped"]:
        ((member["reach"], member["tested_by"]),) = _query(facts, "reach", symbol)
    return member


def _depth(parents: dict[int, int | None], symbol: int) -> int:
    depth, above = 0, parents.get(symbol)
    while above in parents and depth < len(parents):  # the body of the module counts for nothing
        depth, above = depth + 1, parents[above]
    return depth


def _read(facts: Facts, path: str) -> bytes:
    """Return the content of a file of the working tree; raises `path_not_found` where it cannot be read."""
    try:
        with os.fdopen(open_file(facts.project.root, git.decode_path(path)), "rb") as file:
            return file.read()
    except OSError as error:
        raise ScaupError(
            "path_not_found", f"{path} cannot be read any more: {error.strerror}. Run `scaup ingest`."
        ) from error


def _query(facts: Facts, name: str, symbol: Symbol) -> list[tuple[Any, ...]]:
    text = Path(__file__).with_name(f"{name}.sql").read_text("utf-8")
    return facts.con.execute(text, {"symbol": symbol.symbol_id}).fetchall()


def _one(facts: Facts, query: str, **values: Any) -> tuple[Any, ...]:
    row = facts.con.execute(query, values).fetchone()
    if row is None:
        raise ScaupError("facts_unavailable", "The facts are damaged: a row is missing. Run `scaup ingest --fresh`.")
    return row


def _members(names: tuple[str, ...] | list[str], rows: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=True)) for row in rows]
