"""What a store says of itself: the state that it is of, how each stage ended, what is missing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scaup.pipeline import store
from scaup.pipeline.response import Gaps
from scaup.pipeline.stages import ORDER

if TYPE_CHECKING:
    import duckdb

# What the facts hold after each stage.
COUNTS = {
    "discover": "SELECT count(*) AS files, count(*) FILTER (excluded_reason IS NULL) AS in_scope FROM files",
    "history": "SELECT (SELECT count(*) FROM commits) AS commits, (SELECT count(*) FROM commit_files) AS commit_files",
    "parse": """SELECT (SELECT count(*) FROM symbols) AS symbols, (SELECT count(*) FROM calls) AS calls,
        (SELECT count(*) FROM imports) AS imports,
        (SELECT coalesce(sum(parse_errors), 0)::BIGINT FROM files) AS parse_errors""",
    "graph": """SELECT (SELECT count(*) FROM edges) AS edges,
        (SELECT count(*) FROM unresolved_calls) AS unresolved_calls""",
    "metrics": """SELECT count(*) AS symbols, count(*) FILTER (tested) AS tested,
        count(*) FILTER (purity = 'pure') AS pure FROM symbol_metrics""",
    "index": "SELECT (SELECT count(*) FROM terms) AS terms, (SELECT count(*) FROM postings) AS postings",
    "text": """SELECT count(*) AS strings, count(*) FILTER (evidence = 'declared') AS declared,
        count(*) FILTER (evidence = 'reachable') AS reachable FROM agent_text""",
}


def stored_gaps(con: duckdb.DuckDBPyConnection) -> Gaps:
    """Return the gaps of the facts in a store."""
    gaps = Gaps()
    for path, reason in con.execute(
        "SELECT path, excluded_reason FROM files WHERE excluded_reason IN ('unreadable', 'timeout', 'changed') "
        "AND language IS NOT NULL ORDER BY path"
    ).fetchall():
        gaps.skip(path, reason)
    for stage, state, reason in con.execute("SELECT stage, state, reason FROM stage_runs").fetchall():
        # A history that does not exist is no gap of an answer; one that could not be read is.
        if state == "failed" or (stage == "discover" and state == "partial"):
            gaps.stage(stage, reason or state)
    row = con.execute("SELECT reason FROM stage_runs WHERE stage = 'discover' AND reason LIKE 'more than%'").fetchone()
    gaps.walk_truncated = row is not None
    gaps.stages.sort(key=lambda gap: ORDER.index(gap["stage"]))
    return gaps


def facts_of(con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Return the state that an answer comes from."""
    meta = store.meta(con)
    return {"state_id": meta.get("state_id"), "head": meta.get("head"), "dirty": meta.get("dirty") == "true"}


def summary(con: duckdb.DuckDBPyConnection, location: store.Location) -> dict[str, Any]:
    """Return the payload of `ingest` and `status`."""
    rows = {
        row[0]: row for row in con.execute("SELECT stage, state, reason, counts, seconds FROM stage_runs").fetchall()
    }
    stages = []
    for name in ORDER:
        if name in rows:
            _, state, reason, counts, seconds = rows[name]
            stages.append(
                {"stage": name, "state": state, **({"reason": reason} if reason else {}),
                 "counts": json.loads(counts or "{}"), "seconds": seconds}
            )  # fmt: skip
    excluded = dict(
        con.execute(
            "SELECT excluded_reason, count(*) FROM files WHERE excluded_reason IS NOT NULL GROUP BY 1 ORDER BY 1"
        ).fetchall()
    )
    languages_ = dict(
        con.execute(
            "SELECT language, count(*) FROM files WHERE excluded_reason IS NULL GROUP BY 1 ORDER BY 2 DESC, 1"
        ).fetchall()
    )
    errors = con.execute("SELECT count(*) FROM files WHERE parse_errors > 0").fetchone()
    provenance = dict(con.execute("SELECT provenance, count(*) FROM edges GROUP BY 1 ORDER BY 1").fetchall())
    unresolved = dict(con.execute("SELECT reason, count(*) FROM unresolved_calls GROUP BY 1 ORDER BY 1").fetchall())
    return {
        "facts": facts_of(con),
        "store": {"place": location.place, "path": str(location.path) if location.path else None},
        "stages": stages,
        "counts": {"languages": languages_, "edges": provenance, "unresolved_calls": unresolved},
        "excluded": excluded,
        "parse_errors": errors[0] if errors else 0,
    }
