"""The facts of headings: of a symbol's risk, what is known. Nothing stands for what is not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from scaup.pipeline.pack.candidates import rows

if TYPE_CHECKING:
    import duckdb

_NAMES = (
    "tested", "tested_by", "tested_by_capped", "test_distance", "nearest_test", "tests",
    "purity", "effect_kinds", "churn", "amp", "callers", "cochange_files", "cyclomatic", "reach", "reach_capped",
)  # fmt: skip
# Tests that are named: the nearest ones; `scaup calls` lists all.
_TESTS = 3


def facts(con: duckdb.DuckDBPyConnection, symbol_ids: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Return the facts of symbols by id."""
    found = {}
    for symbol_id, *values in rows(con, "facts", symbols=sorted(set(symbol_ids))):
        known = {name: value for name, value in zip(_NAMES, values, strict=True) if value is not None}
        for capped in ("tested_by_capped", "reach_capped"):
            if not known.get(capped, True):
                del known[capped]
        if not known.get("tested"):
            known.pop("tested_by", None)
        if "tests" in known:
            known["tests"] = known["tests"][:_TESTS]
        if not known.get("effect_kinds"):
            known.pop("effect_kinds", None)
        found[symbol_id] = known
    return found
