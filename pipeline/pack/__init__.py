"""The context packer: the code around a question, a symbol or a change, in one deterministic answer within a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scaup.pipeline.facts import Facts
from scaup.pipeline.lookup import Symbol, find_place, find_symbol, find_symbols
from scaup.pipeline.pack import candidates as found
from scaup.pipeline.pack import revision
from scaup.pipeline.pack.assembly import Gathered, answer, gather
from scaup.pipeline.pack.changed import of_changes
from scaup.pipeline.pack.degradation import degradations
from scaup.pipeline.pack.source import of_facts
from scaup.pipeline.response import ScaupError

__all__ = ["BUDGET", "SEEDS", "answer", "degradations", "gather", "gather_changes", "pack"]

BUDGET = 400  # lines: about what an agent reads in one call without losing the thread
SEEDS = 15  # beyond, a budget of 400 leaves each less than its least share of ten lines and its heading


def pack(
    facts: Facts,
    *,
    query: str | None = None,
    symbol: str | None = None,
    diff: str | None = None,
    path: str | None = None,
    budget: int = BUDGET,
    include_tests: bool = False,
    degraded: Sequence[str] = (),
    seeds: int | None = None,
) -> dict[str, Any]:
    """Return the payload of `pack`: of a question (`query`), a `symbol`, or what differs from a revision (`diff`).

    `path` narrows a question or a change to a folder or file, and a symbol to its file; `seeds` is the most that a
    question has. `degraded` are names to put before those that the facts themselves yield. Raises `invalid_request`
    for several modes or none, for numbers out of range and for a revision that there is not, and what finding a symbol
    or a path raises.
    """
    if sum(asked is not None for asked in (query, symbol, diff)) != 1:
        raise ScaupError(
            "invalid_request",
            "A pack is about a question or about one symbol, or about what differs from a revision: give one of them.",
        )
    if budget < 1:
        raise ScaupError("invalid_request", f"The budget is {budget} lines. It has to be at least 1.")
    if seeds is not None and query is None:
        raise ScaupError("invalid_request", "Only a question has a number of seeds: the others are what they are.")
    if seeds is not None and not 1 <= seeds <= SEEDS:
        raise ScaupError("invalid_request", f"The number of seeds is {seeds}. It can be 1 to {SEEDS}.")
    lacking = list(dict.fromkeys([*degraded, *degradations(facts)]))
    if diff is not None:
        gathered = gather_changes(facts, diff, path, include_tests=include_tests)
    elif symbol is not None:
        same = _definitions(facts, symbol, path)
        begun = found.of_symbol(facts.con, [one.symbol_id for one in same], "asked for")
        asked = f"{same[0].path}::{same[0].qualname}"
        gathered = gather(facts, begun, "symbol", asked, include_tests=include_tests)
    else:
        asked = query or ""
        begun = found.of_question(
            facts.con, asked, prefix=_prefix(facts, path), limit=seeds or SEEDS, include_tests=include_tests
        )
        gathered = gather(facts, begun, "question", asked, include_tests=include_tests)
    return answer(facts, gathered, budget, lacking)


def gather_changes(facts: Facts, diff: str, path: str | None = None, *, include_tests: bool) -> Gathered:
    """Collect what stands around the symbols whose lines differ from a revision, their nearest tests among it."""
    compared = revision.resolve(facts.project.root, diff)
    prefix = _prefix(facts, path) or ""
    changes = [
        change
        for change in revision.changes(facts, compared)
        if change.path.startswith(prefix) and (prefix.endswith("/") or not prefix or change.path == prefix)
    ]
    source = of_facts(facts)
    begun = of_changes(facts.con, changes, source.read)
    return gather(facts, begun, "diff", diff, include_tests=include_tests, rev=compared.sha, source=source)


def _prefix(facts: Facts, path: str | None) -> str | None:
    return (find_place(facts, path).path or None) if path is not None else None


def _definitions(facts: Facts, symbol: str, path: str | None) -> list[Symbol]:
    """Return the one symbol of a name, with all definitions that share path and name (a property and its setter)."""
    same = find_symbols(facts, symbol, path)
    return same if len({(one.path, one.qualname) for one in same}) == 1 else [find_symbol(facts, symbol, path)]
