"""The candidates of a pack, in its order: all seeds, then seed by seed their callers, then their callees."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from scaup.pipeline.search import Hit, fusion, hits

if TYPE_CHECKING:
    import duckdb

# How many hits are looked through for seeds that are no tests: as many as a lane hands on.
_HITS = 300
# Kinds that are read as they are: what is defined inside is part of how they work.
_OPAQUE = frozenset({"function", "method", "test", "constant", "module"})


@dataclass(frozen=True)
class Candidate:
    """A symbol that the pack may show, or a place that no symbol contains (`symbol_id` is None).

    `span_start` to `end_line` is its text, with decorators and comments; `line` is the definition's own. `focus` are
    the lines that matter most where not all of them have room.
    """

    path: str
    line: int
    qualname: str | None
    kind: str | None
    language: str | None
    span_start: int
    end_line: int
    symbol_id: int | None
    reason: str
    seed: int  # which seed it is, or stands with; from 1
    is_seed: bool
    focus: tuple[int, ...] = ()


@dataclass(frozen=True)
class Member:
    """A definition inside a class or module: a line of its menu."""

    line: int
    span_start: int
    text: str
    end_line: int


@dataclass(frozen=True)
class Seeds:
    """The seeds, and whether their scores are too alike for the order to mean much."""

    candidates: list[Candidate]
    is_flat: bool = False


def of_question(
    con: duckdb.DuckDBPyConnection, query: str, *, prefix: str | None, limit: int, include_tests: bool
) -> Seeds:
    """Return what the search lanes find for a question."""
    found = hits(con, query, limit=_HITS, path_prefix=prefix)
    kept = [hit for hit in found if include_tests or not hit.is_test][:limit]
    spans = _spans(con, [hit.symbol_id for hit in kept if hit.symbol_id is not None])
    return Seeds([_seed(hit, number, spans) for number, hit in enumerate(kept, 1)], _is_flat(kept))


def of_symbol(con: duckdb.DuckDBPyConnection, symbol_ids: list[int], asked: str) -> Seeds:
    """Return the definitions of one symbol as seeds: one, or those that share its name (a property and its setter)."""
    found = con.execute(
        "SELECT path, start_line, qualname, kind, language, span_start, end_line, symbol_id FROM symbols "
        "WHERE symbol_id IN (SELECT unnest($ids::BIGINT[])) ORDER BY path, start_line, span_start, symbol_id",
        {"ids": symbol_ids},
    ).fetchall()
    seeds = []
    for number, (path, line, qualname, kind, language, start, end, symbol_id) in enumerate(found, 1):
        which = f", definition {number} of {len(found)}" if len(found) > 1 else ""
        reason = f"seed {number} ({asked}{which})"
        seeds.append(Candidate(path, line, qualname, kind, language, start, end, symbol_id, reason, number, True))
    return Seeds(seeds)


def neighbors(
    con: duckdb.DuckDBPyConnection, seeds: list[Candidate], *, tests: bool, nearest: bool = False
) -> tuple[list[Candidate], int]:
    """Return the direct callers and callees of the seeds, with `nearest` their nearest tests too.

    The number is that of the tests that were left out.
    """
    ids = [seed.symbol_id for seed in seeds if seed.symbol_id is not None]
    numbers = [seed.seed for seed in seeds if seed.symbol_id is not None]
    names = {seed.seed: seed.qualname for seed in seeds}
    found: list[Candidate] = []
    left_out = 0
    around = rows(con, "neighbors", seeds=ids, tests=tests, nearest=nearest)
    for place, direction, provenance, symbol_id, *symbol, is_left_out in around:
        if is_left_out:
            left_out += 1
            continue
        path, line, qualname, kind, language, start, end = symbol
        seed = numbers[place - 1]
        reason = f"{direction} of {names[seed]} ({provenance})"
        found.append(Candidate(path, line, qualname, kind, language, start, end, symbol_id, reason, seed, False))
    return found, left_out


def members(con: duckdb.DuckDBPyConnection, candidates: list[Candidate]) -> dict[int, list[Member]]:
    """Return the members of classes, and of modules what stands at their top, by symbol id."""
    classes = {c.symbol_id for c in candidates if c.symbol_id is not None and c.kind not in _OPAQUE}
    modules = {c.path: c.symbol_id for c in candidates if c.symbol_id is not None and c.kind == "module"}
    found: dict[int, list[Member]] = defaultdict(list)
    for parent, path, line, start, text, end in rows(con, "members", classes=list(classes), paths=list(modules)):
        found[parent if parent is not None else modules[path]].append(Member(line, start, text, end))
    return dict(found)


def unresolved(con: duckdb.DuckDBPyConnection, seeds: list[Candidate]) -> dict[str, Any]:
    """Return how many calls of the seeds lead out of the facts, by reason, and the names of the external ones."""
    ids = [seed.symbol_id for seed in seeds if seed.symbol_id is not None]
    counts = {"external": 0, "ambiguous": 0, "dynamic": 0}
    names: dict[str, None] = {}
    for reason, name, calls in rows(con, "unresolved", seeds=ids):
        counts[reason] = counts.get(reason, 0) + calls
        if name is not None:
            names[" ".join(name.split())] = None
    return {**counts, "names": list(names)}


def twins(con: duckdb.DuckDBPyConnection, seeds: list[Candidate]) -> set[int]:
    """Return the numbers of the seeds whose path and name another definition has too."""
    ids = [seed.symbol_id for seed in seeds if seed.symbol_id is not None]
    found = con.execute(
        "SELECT s.symbol_id FROM symbols s WHERE s.symbol_id IN (SELECT unnest($ids::BIGINT[])) AND EXISTS ("
        "FROM symbols t WHERE t.path = s.path AND t.qualname = s.qualname AND t.symbol_id <> s.symbol_id)",
        {"ids": ids},
    ).fetchall()
    same = {symbol_id for (symbol_id,) in found}
    return {seed.seed for seed in seeds if seed.symbol_id in same}


def rows(con: duckdb.DuckDBPyConnection, name: str, **parameters: Any) -> list[Any]:
    """Return the rows of one of the .sql files beside this module."""
    return con.execute(_sql(name), parameters).fetchall()


@cache
def _sql(name: str) -> str:
    return resources.files(__package__).joinpath(f"{name}.sql").read_text("utf-8")


def _spans(con: duckdb.DuckDBPyConnection, ids: list[int]) -> dict[int, tuple[str, int, int]]:
    found = con.execute(
        "SELECT symbol_id, language, span_start, end_line FROM symbols "
        "WHERE symbol_id IN (SELECT unnest($ids::BIGINT[]))",
        {"ids": ids},
    ).fetchall()
    return {symbol_id: (language, start, end) for symbol_id, language, start, end in found}


def _seed(hit: Hit, number: int, spans: dict[int, tuple[str, int, int]]) -> Candidate:
    reason = f"seed {number} (score {fusion.shown(hit.score):.3f}, {'+'.join(hit.lanes)})"
    language, start, end = spans[hit.symbol_id] if hit.symbol_id is not None else (None, hit.line, hit.line)
    return Candidate(
        hit.path, hit.line, hit.qualname, hit.kind, language, start, end, hit.symbol_id, reason, number, True
    )


def _is_flat(found: list[Hit]) -> bool:
    """Whether the fifth hit is nearly as good as the first: within a tenth, the order is a matter of chance."""
    return len(found) >= 5 and found[4].score * 10 >= found[0].score * 9
