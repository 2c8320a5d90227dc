"""A pack as a payload: what stands around the seeds, laid out within a budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scaup.pipeline.facts import Facts
from scaup.pipeline.pack import candidates as found
from scaup.pipeline.pack import heading
from scaup.pipeline.pack.candidates import Candidate, Member, Seeds
from scaup.pipeline.pack.commands import calls_command, diff_command, target
from scaup.pipeline.pack.layout import MOST, Layout, Section, lay_out
from scaup.pipeline.pack.source import Source, of_facts

STUBS = 100  # lines below the pack: beyond, counts say as much


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
    twins: set[int]  # numbers of the seeds that share path and name with another definition
    source: Source
    rev: str | None


def gather(
    facts: Facts,
    begun: Seeds,
    mode: str,
    asked: str,
    *,
    include_tests: bool,
    rev: str | None = None,
    source: Source | None = None,
) -> Gathered:
    """Collect what stands around the seeds; `rev` is the revision that they differ from, and adds nearest tests."""
    con, seeds = facts.con, begun.candidates
    neighbors, left_out = found.neighbors(con, seeds, tests=include_tests, nearest=rev is not None)
    return Gathered(
        mode=mode,
        asked=asked,
        begun=begun,
        neighbors=neighbors,
        left_out=left_out,
        members=found.members(con, [*seeds, *neighbors]),
        unresolved=found.unresolved(con, seeds),
        twins=found.twins(con, seeds),
        source=source or of_facts(facts),
        rev=rev,
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
        **({"rev": gathered.rev} if gathered.rev is not None else {}),
        "budget": limit,
        "used": layout.used,
        "seeds": len(seeds),
        "neighbors": len(gathered.neighbors),
        "sections": [_section(section, known, source) for section in layout.sections],
        **_beyond(layout, gathered),
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
        "target": target(candidate),
        "reason": candidate.reason,
    }


def _beyond(layout: Layout, gathered: Gathered) -> dict[str, Any]:
    """Return what had no room: stubs, beyond them counts by file, and the commands that list what is counted."""
    stubs, counted = layout.beyond[:STUBS], layout.beyond[STUBS:]
    members: dict[str, Any] = {"beyond_budget": [_stub(candidate) for candidate in stubs]}
    if counted:
        files = sorted(Counter(candidate.path for candidate in counted).items(), key=lambda item: (-item[1], item[0]))
        of_seeds = {candidate.seed for candidate in counted}
        members["beyond_counts"] = [{"path": path, "symbols": number} for path, number in files]
        members["beyond_commands"] = _commands(gathered, of_seeds)
    return members


def _commands(gathered: Gathered, numbers: set[int]) -> list[str]:
    """Return the commands that list what stands with seeds: their calls, or in a diff a pack of each seed's file."""
    seeds = [seed for seed in gathered.begun.candidates if seed.seed in numbers]
    if gathered.rev is not None:
        return list(dict.fromkeys(diff_command(gathered.asked, seed.path) for seed in seeds))
    return [
        calls_command(seed, is_alone=seed.seed not in gathered.twins) for seed in seeds if seed.symbol_id is not None
    ]


def estimate_tokens(payload: dict[str, Any]) -> int:
    """Return an estimate: a token for four characters of bodies, names and reasons, rounded up to hundreds.

    Four is the usual figure for English and code in the common tokenizers; headings' facts come to 80 characters.
    """
    rows = [*payload["sections"], *payload["beyond_budget"]]
    characters = sum(len(row["path"]) + len(row["qualname"] or "") + len(row["reason"]) + 10 for row in rows)
    characters += sum(len(section["text"]) + 80 for section in payload["sections"]) + len(payload["query"]) + 150
    return -(-characters // 400) * 100
