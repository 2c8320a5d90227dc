"""The context packer: the code around a question or a symbol, within a budget of lines, in one deterministic answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scaup.pipeline.facts import Facts
from scaup.pipeline.lookup import find_place, find_symbol
from scaup.pipeline.pack import candidates as found
from scaup.pipeline.pack import heading
from scaup.pipeline.pack.candidates import Candidate, Member, Seeds
from scaup.pipeline.pack.commands import calls_command
from scaup.pipeline.pack.degradation import degradations
from scaup.pipeline.pack.layout import MOST, Layout, Section, lay_out
from scaup.pipeline.pack.source import Source
from scaup.pipeline.response import ScaupError

__all__ = ["BUDGET", "SEEDS", "degradations", "pack"]

BUDGET = 400  # lines: about what an agent reads in one call without losing the thread
SEEDS = 15  # beyond, a budget of 400 leaves each less than its least share of ten lines and its heading
STUBS = 100  # lines below the pack: beyond, counts say as much


def pack(
    facts: Facts,
    *,
    query: str | None = None,
    symbol: str | None = None,
    path: str | None = None,
    budget: int = BUDGET,
    include_tests: bool = False,
    degraded: Sequence[str] = (),
    seeds: int = SEEDS,
) -> dict[str, Any]:
    """Return the payload of `pack`, in question mode (`query`) or symbol mode (`symbol`).

    `path` narrows a question to a folder or file, and a symbol to its file. `degraded` are names to put before those
    that the facts themselves yield. Raises `invalid_request` for both modes or neither and for numbers out of range,
    and what finding a symbol or a path raises.
    """
    if (query is None) == (symbol is None):
        raise ScaupError("invalid_request", "A pack is about a question or about one symbol: give one of the two.")
    if budget < 1:
        raise ScaupError("invalid_request", f"The budget is {budget} lines. It has to be at least 1.")
    if not 1 <= seeds <= SEEDS:
        raise ScaupError("invalid_request", f"The number of seeds is {seeds}. It can be 1 to {SEEDS}.")
    lacking = list(dict.fromkeys([*degraded, *degradations(facts)]))
    if symbol is not None:
        one = find_symbol(facts, symbol, path)
        begun = found.of_symbol(facts.con, one.symbol_id, "asked for")
        asked = f"{one.path}::{one.qualname}"
    else:
        asked = query or ""
        prefix = find_place(facts, path).path if path is not None else None
        begun = found.of_question(facts.con, asked, prefix=prefix or None, limit=seeds, include_tests=include_tests)
    mode = "question" if symbol is None else "symbol"
    return answer(facts, gather(facts, begun, mode, asked, include_tests=include_tests), budget, lacking)


@dataclass(frozen=True)
class Gathered:
    """All that a pack of any budget is made of."""

    mode: str
    asked: str
    begun: Seeds
    neighbors: list[Candidate]
    left_out: int  # tests
    members: dict[int, list[Member]]
    unresolved: dict[str, Any]
    source: Source


def gather(facts: Facts, begun: Seeds, mode: str, asked: str, *, include_tests: bool) -> Gathered:
    """Collect what stands around the seeds."""
    con, seeds = facts.con, begun.candidates
    neighbors, left_out = found.neighbors(con, seeds, tests=include_tests)
    hashes = dict(con.execute("SELECT path, content_hash FROM files").fetchall())
    return Gathered(
        mode=mode,
        asked=asked,
        begun=begun,
        neighbors=neighbors,
        left_out=left_out,
        members=found.members(con, [*seeds, *neighbors]),
        unresolved=found.unresolved(con, seeds),
        source=Source(facts.project.root, hashes),
    )


def answer(facts: Facts, gathered: Gathered, budget: int, lacking: Sequence[str]) -> dict[str, Any]:
    """Return the payload of a pack of that budget; what could not be read becomes a gap of the facts."""
    seeds, source, lacking = gathered.begun.candidates, gathered.source, list(lacking)
    limit = min(budget, MOST)
    layout = lay_out([*seeds, *gathered.neighbors], limit, source.read, gathered.members)
    for file in sorted(source.changed | source.unreadable):
        if not any(gap["file"] == file for gap in facts.gaps.skipped_files):
            facts.gaps.skip(file, "changed" if file in source.changed else "unreadable")
        if "facts-stale" not in lacking:
            lacking.insert(0, "facts-stale")
    shown = [s.candidate.symbol_id for s in layout.sections if s.candidate.symbol_id is not None]
    known = heading.facts(facts.con, shown)
    payload: dict[str, Any] = {
        "mode": gathered.mode,
        "query": gathered.asked,
        "budget": limit,
        "used": layout.used,
        "seeds": len(seeds),
        "neighbors": len(gathered.neighbors),
        "sections": [_section(section, known, source) for section in layout.sections],
        **_beyond(layout, seeds),
        "unresolved_calls": gathered.unresolved,
        "degraded": lacking,
        "low_confidence": gathered.begun.is_flat,
    }
    payload["est_tokens"] = estimate_tokens(payload)
    if budget > limit:
        payload["budget_asked"] = budget
    if layout.needs is not None:
        payload["first_body_needs"] = layout.needs
    if gathered.left_out:
        payload["tests_left_out"] = gathered.left_out
    return payload


def _section(section: Section, known: dict[int, dict[str, Any]], source: Source) -> dict[str, Any]:
    candidate = section.candidate
    member: dict[str, Any] = {
        "path": candidate.path,
        "line": candidate.line,
        "start_line": section.start_line,
        "end_line": section.end_line,
        "qualname": candidate.qualname,
        "kind": candidate.kind,
        "language": candidate.language,
        "reason": candidate.reason,
        "facts": known.get(candidate.symbol_id or 0, {}),
        "text": "\n".join(section.lines),
        "cut": section.cut,
    }
    if section.contains:
        member["contains"] = [_stub(inner) for inner in section.contains]
    if candidate.path in source.changed:
        member["changed"] = True
    return member


def _stub(candidate: Candidate) -> dict[str, Any]:
    return {
        "path": candidate.path,
        "line": candidate.line,
        "qualname": candidate.qualname,
        "kind": candidate.kind,
        "reason": candidate.reason,
    }


def _beyond(layout: Layout, seeds: list[Candidate]) -> dict[str, Any]:
    """Return what had no room: stubs, beyond them counts by file, and the commands that list what is counted."""
    stubs, counted = layout.beyond[:STUBS], layout.beyond[STUBS:]
    members: dict[str, Any] = {"beyond_budget": [_stub(candidate) for candidate in stubs]}
    if counted:
        files = sorted(Counter(candidate.path for candidate in counted).items(), key=lambda item: (-item[1], item[0]))
        of_seeds = {candidate.seed for candidate in counted}
        members["beyond_counts"] = [{"path": path, "symbols": number} for path, number in files]
        members["beyond_commands"] = [calls_command(seed) for seed in seeds if seed.seed in of_seeds]
    return members


def estimate_tokens(payload: dict[str, Any]) -> int:
    """Return an estimate: a token for four characters of bodies, names and reasons, rounded up to hundreds.

    Four is the usual figure for English and code in the common tokenizers; headings' facts come to 80 characters.
    """
    rows = [*payload["sections"], *payload["beyond_budget"]]
    characters = sum(len(row["path"]) + len(row["qualname"] or "") + len(row["reason"]) + 10 for row in rows)
    characters += sum(len(section["text"]) + 80 for section in payload["sections"]) + len(payload["query"]) + 150
    return -(-characters // 400) * 100
