"""The order of hits: the lanes' evidence for each symbol or file, fused, with a total order among equals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scaup.pipeline.search import fusion
from scaup.pipeline.search.lanes import Score
from scaup.pipeline.search.question import Question

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Hit:
    """A symbol, or a file where `symbol_id` is None. `score` is in millionths; `lanes` are those that found it."""

    path: str
    line: int
    qualname: str | None
    kind: str | None
    symbol_id: int | None
    is_test: bool
    score: int
    lanes: list[str]


@dataclass(frozen=True)
class _Symbol:
    symbol_id: int
    path: str
    line: int
    qualname: str
    kind: str
    is_test: bool


def rank(
    con: duckdb.DuckDBPyConnection,
    asked: Question,
    by_symbol: Score,
    by_file: Score,
    history: Score,
    named: list[tuple[str, int | None, int, int]],
    *,
    files: bool,
) -> list[Hit]:
    """Return symbols, and the files that no symbol stands for, or with `files` all files; best first."""
    named_symbols = {symbol: score for _, symbol, _, score in named if symbol is not None}
    symbols = _symbols(con, [*by_symbol.keys() | named_symbols.keys()])
    roles = dict(con.execute("SELECT path, role FROM files").fetchall())
    percents = {path: fusion.percent_of(role, False, asked.asks) for path, role in roles.items()}
    of_symbol = {
        symbol: fusion.percent_of(roles.get(row.path, "source"), row.is_test, asked.asks)
        for symbol, row in symbols.items()
    }
    words = fusion.share_of_best(by_symbol, of_symbol)
    of_file = {"files": fusion.share_of_best(by_file, percents), "history": fusion.share_of_best(history, percents)}
    if files:
        return _files(words, of_file, [(path, score * percents[path] // 100) for path, _, _, score in named], symbols)
    hits = [
        _symbol_hit(
            symbol, symbol.is_test or roles.get(symbol.path) == "test", words, of_file, of_symbol, named_symbols
        )
        for symbol in symbols.values()
    ]
    # A place that the question names, and that no symbol contains.
    for path, symbol_id, line, score in named:
        if symbol_id is None:
            parts = {"mentions": min(score * percents[path] // 100, fusion.ONE)}
            parts |= {lane: scores[path] for lane, scores in of_file.items() if path in scores}
            fused = fusion.fuse(parts, fusion.SYMBOL_SHARES)
            hits.append(Hit(path, max(line, 1), None, None, None, roles[path] == "test", fused, sorted(parts)))
    return sorted(hits, key=_order)


def _files(
    words: Score, of_file: dict[str, Score], named: list[tuple[str, int]], symbols: dict[int, _Symbol]
) -> list[Hit]:
    evidence: dict[str, dict[str, int]] = {}

    def add(path: str, lane: str, part: int) -> None:
        parts = evidence.setdefault(path, {})
        parts[lane] = max(parts.get(lane, 0), part)

    for symbol_id, part in words.items():
        add(symbols[symbol_id].path, "symbols", part)
    for path, part in named:
        add(path, "mentions", min(part, fusion.ONE))
    for lane, scores in of_file.items():
        for path, part in scores.items():
            add(path, lane, part)
    hits = [
        Hit(path, 1, None, None, None, False, fusion.fuse(parts, fusion.FILE_SHARES), sorted(parts))
        for path, parts in evidence.items()
    ]
    return sorted(hits, key=_order)


def _symbol_hit(
    symbol: _Symbol, is_test: bool, words: Score, of_file: dict[str, Score], percents: Score, named: Score
) -> Hit:
    parts = {lane: scores[symbol.path] for lane, scores in of_file.items() if symbol.path in scores}
    if symbol.symbol_id in words:
        parts["symbols"] = words[symbol.symbol_id]
    if symbol.symbol_id in named:
        parts["mentions"] = min(named[symbol.symbol_id] * percents[symbol.symbol_id] // 100, fusion.ONE)
    fused = fusion.fuse(parts, fusion.SYMBOL_SHARES)
    return Hit(
        symbol.path,
        symbol.line,
        symbol.qualname,
        symbol.kind,
        symbol.symbol_id,
        is_test,
        fused,
        sorted(parts),
    )


def _symbols(con: duckdb.DuckDBPyConnection, ids: list[int]) -> dict[int, _Symbol]:
    rows = con.execute(
        "SELECT symbol_id, path, start_line, qualname, kind, is_test FROM symbols "
        "WHERE symbol_id IN (SELECT unnest($ids::BIGINT[]))",
        {"ids": ids},
    ).fetchall()
    return {row[0]: _Symbol(*row) for row in rows}


def _order(hit: Hit) -> tuple[int, str, int, str, int]:
    return (-hit.score, hit.path, hit.line, hit.qualname or "", hit.symbol_id or 0)
