"""Whether the code keeps a delivery contract: its symbols exist, and are connected to what gives out the phrase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scaup.pipeline.languages.tokens import terms_of
from scaup.pipeline.text.configuration import Delivery
from scaup.rules.result_gaps import sql

if TYPE_CHECKING:
    import duckdb

_CALLED = """
SELECT count(*) > 0 FROM edges e JOIN symbols s ON s.symbol_id = e.src JOIN files f ON f.path = s.path
WHERE list_contains($1::BIGINT[], e.dst) AND e.src <> e.dst AND NOT s.is_test AND f.role <> 'test'
"""


def broken(con: duckdb.DuckDBPyConnection, delivery: Delivery, emitter: int | None) -> str | None:
    """Return why a contract is broken; None where it holds.

    `emitter` is the symbol around the text with the phrase. Where no function is known to give the text out, what
    persists it has to be called by something at least.
    """
    found: dict[str, list[int]] = {}
    for key in ("persisted_by", "replayed_by", "acknowledged_by", "nudged_by"):
        written: str | None = getattr(delivery, key)
        if written is None:
            continue
        symbols = _symbols(con, written, delivery.origin.rpartition("/")[0])
        if not symbols:
            return f"{key} names no symbol: {written}"
        if len({path for _, path in symbols}) > 1:
            return f"{key} names {len(symbols)} symbols, say which as path::name: {written}"
        found[key] = [symbol for symbol, _ in symbols]
    emitters = _emitters(con, emitter)
    if emitters and not _reaches(con, emitters, found["persisted_by"]):
        return f"the code that gives out the phrase does not reach {delivery.persisted_by} (persisted_by)"
    for key, symbols_of in found.items():
        if (key != "persisted_by" or not emitters) and not _called(con, symbols_of):
            return f"nothing but tests calls {getattr(delivery, key)} ({key})"
    return None


def _symbols(con: duckdb.DuckDBPyConnection, written: str, folder: str) -> list[tuple[int, str]]:
    """Return the symbols that `path::qualname` or a qualified name means; `folder` is that of the configuration."""
    path, separator, qualname = written.partition("::")
    for prefix in (f"{folder}/" if folder else "", "") if separator else ():
        rows = con.execute(
            "SELECT symbol_id, path FROM symbols WHERE path = $1 AND qualname = $2 ORDER BY symbol_id",
            [prefix + path, qualname],
        ).fetchall()
        if rows:
            return rows
    return con.execute(
        "SELECT symbol_id, path FROM symbols WHERE qualname = $1 ORDER BY path, symbol_id", [written]
    ).fetchall()


def _emitters(con: duckdb.DuckDBPyConnection, symbol: int | None) -> list[int]:
    if symbol is None:
        return []
    named = con.execute("SELECT name FROM symbols WHERE symbol_id = $1", [symbol]).fetchone()
    if named is None:
        return []
    return [row[0] for row in con.execute(sql("contract_emitters"), [symbol, list(terms_of(named[0]))]).fetchall()]


def _reaches(con: duckdb.DuckDBPyConnection, sources: list[int], targets: list[int]) -> bool:
    row = con.execute(sql("contract_reach"), [sources, targets]).fetchone()
    return bool(row and row[0])


def _called(con: duckdb.DuckDBPyConnection, symbols: list[int]) -> bool:
    row = con.execute(_CALLED, [symbols]).fetchone()
    return bool(row and row[0])
