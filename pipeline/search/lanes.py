"""The lanes: each a .sql file over the facts, run with the question's terms as parameters."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from scaup.pipeline.search.question import Question

if TYPE_CHECKING:
    import duckdb

# Rows that a lane hands on. A symbol or file beyond them in every lane is in no reader's first hundred.
DEPTH = 300
# Postings that a question may touch: about 15 ms of one core. The rarest terms come first.
TOUCHED = 60_000

Score = dict[Any, int]


def telling(con: duckdb.DuckDBPyConnection, question: Question) -> dict[int, float]:
    """Return the terms of a question that symbols have, and what each tells, without those too common to tell."""
    return dict(_run(con, "terms", terms=question.terms, emphasis=question.emphasis, touched=TOUCHED))


def symbols(con: duckdb.DuckDBPyConnection, terms: dict[int, float], prefix: str) -> Score:
    """Return symbols by id."""
    return dict(_run(con, "symbols", terms=list(terms), weights=list(terms.values()), prefix=prefix, depth=DEPTH))


def files(con: duckdb.DuckDBPyConnection, question: Question, terms: dict[int, float], prefix: str) -> Score:
    """Return files by path."""
    asked = {t: e for t, e in zip(question.terms, question.emphasis, strict=True) if t in terms}
    return dict(_run(con, "files", terms=list(asked), emphasis=list(asked.values()), prefix=prefix, depth=DEPTH))


def history(con: duckdb.DuckDBPyConnection, question: Question, prefix: str) -> Score:
    """Return files by path."""
    rows = _run(con, "history", terms=question.terms, emphasis=question.emphasis, prefix=prefix, depth=DEPTH)
    return dict(rows)


def mentions(con: duckdb.DuckDBPyConnection, question: Question, prefix: str) -> list[tuple[str, int | None, int, int]]:
    """Return (path, symbol id or None, line, score) for what the question names outright."""
    if not question.names and not question.paths:
        return []
    return _run(
        con,
        "mentions",
        names=question.names,
        mentions=question.mention,
        paths=question.paths,
        lines=question.lines,
        prefix=prefix,
    )


def _run(con: duckdb.DuckDBPyConnection, lane: str, **parameters: Any) -> list[Any]:
    return con.execute(sql(lane), parameters).fetchall()


@cache
def sql(lane: str) -> str:
    """Return the statement of a lane."""
    return resources.files(__package__).joinpath(f"{lane}.sql").read_text("utf-8")
