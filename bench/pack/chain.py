#!/usr/bin/env python3
"""One `scaup pack` against the chain of calls that it stands for: search, then outline, show and calls of each hit.

For each question of a file (one a line): the answers of the chain's commands, as text, beside one pack at the default
budget. Counted are calls, lines and bytes, and how many of the chain's symbols the pack holds. The functions behind the
commands are called in one process, and their answers rendered as the commands print them.

    .venv/bin/python bench/pack/chain.py CHECKOUT=QUESTIONS [CHECKOUT=QUESTIONS ...] [--hits 5 15]
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scaup.pipeline import ingest, symbols
from scaup.pipeline.facts import Facts, open_facts
from scaup.pipeline.pack import pack
from scaup.pipeline.response import ScaupError
from scaup.pipeline.search import search
from scaup.reports import pack as pack_report
from scaup.reports import text

RESULTS = Path(__file__).with_name("results")
HOLDS = ("body", "body_cut", "stub", "none")

Name = tuple[str, str]  # path and qualified name


@dataclass
class Chain:
    """What a chain costs its reader, and the symbols in it: those shown, and those that `calls` lists."""

    calls: int = 0
    lines: int = 0
    bytes: int = 0
    refused: int = 0
    shown: set[Name] = field(default_factory=set)
    listed: set[Name] = field(default_factory=set)

    def read(self, rendered: str) -> None:
        """Add the answer of a call."""
        self.calls += 1
        self.lines += rendered.count("\n")
        self.bytes += len(rendered.encode())


def follow(facts: Facts, question: str, hits: int) -> Chain:
    """Make the chain's calls for the first hits of a search."""
    chain = Chain()
    found = facts.answer(search(facts.con, question, limit=hits))
    chain.read(text.render("search", found))
    named = [(hit["path"], hit["qualname"]) for hit in found["results"] if hit["qualname"] is not None]
    for path in dict.fromkeys(hit["path"] for hit in found["results"]):
        _call(chain, facts, "outline", path)
    for path, qualname in dict.fromkeys(named):
        target = f"{path}::{qualname}"
        if _call(chain, facts, "show", target) is not None:
            chain.shown.add((path, qualname))
        calls = _call(chain, facts, "calls", target)
        if calls is not None:
            chain.listed |= {(row["path"], row["qualname"]) for row in [*calls["callers"], *calls["callees"]]}
    chain.listed -= chain.shown
    return chain


def _call(chain: Chain, facts: Facts, command: str, target: str) -> dict[str, Any] | None:
    """Make one call; where it is refused (a name that two definitions share), its message is what is read."""
    try:
        answer = facts.answer(getattr(symbols, command)(facts, target))
    except ScaupError as error:
        chain.refused += 1
        chain.read(error.message + "\n")
        return None
    chain.read(text.render(command, answer))
    return answer


@dataclass(frozen=True)
class Pack:
    """What one pack costs its reader, and how it holds symbols."""

    lines: int
    bytes: int
    bodies: dict[Name, str]  # "body" or "body_cut"
    spans: list[tuple[str, int, int]]  # of bodies that are whole
    stubs: set[Name]

    def holds(self, name: Name, start: int, end: int) -> str:
        """Return how the pack holds a symbol; one inside a whole body counts as a body."""
        if self.bodies.get(name) != "body" and any(
            path == name[0] and first <= start and end <= last for path, first, last in self.spans
        ):
            return "body"
        return self.bodies.get(name) or ("stub" if name in self.stubs else "none")


def packed(facts: Facts, question: str) -> Pack:
    """Make one pack at the default budget."""
    answer = facts.answer(pack(facts, query=question))
    rendered = pack_report.render_text(answer)
    bodies = {}
    spans = []
    for section in answer["sections"]:
        bodies[section["path"], section["qualname"]] = "body_cut" if section["cut"] else "body"
        if not section["cut"]:
            spans.append((section["path"], section["start_line"], section["end_line"]))
    stubs = {(row["path"], row["qualname"]) for row in answer["beyond_budget"] if row["qualname"] is not None}
    return Pack(rendered.count("\n"), len(rendered.encode()), bodies, spans, stubs)


def held(facts: Facts, one: Pack, names: Iterable[Name], tests: set[Name], places: dict[Name, tuple[int, int]]) -> Any:
    """Count symbols by how the pack holds them, and those that it lacks because they are tests."""
    counts = Counter(dict.fromkeys(HOLDS, 0) | {"none_tests": 0})
    for name in names:
        hold = one.holds(name, *places[name])
        counts[hold] += 1
        counts["none_tests"] += hold == "none" and name in tests
    return dict(counts)


def compared(checkout: Path, questions: list[str], hits: list[int]) -> dict[str, Any]:
    """Return the figures of a checkout: for each length of the chain, medians and sums over the questions."""
    with open_facts(ingest.project(checkout)) as facts:
        rows = facts.con.execute(
            "SELECT path, qualname, span_start, end_line, is_test OR role = 'test' FROM symbols JOIN files USING (path)"
        ).fetchall()
        places = {(path, qualname): (start, end) for path, qualname, start, end, _ in rows}
        tests = {(path, qualname) for path, qualname, _, _, is_test in rows if is_test}
        packs = [packed(facts, question) for question in questions]
        chains: dict[str, Any] = {}
        for number in hits:
            made = [follow(facts, question, number) for question in questions]
            chains[str(number)] = {
                "questions": [
                    {
                        "calls": chain.calls,
                        "lines": chain.lines,
                        "bytes": chain.bytes,
                        "refused": chain.refused,
                        "shown": held(facts, one, chain.shown, tests, places),
                        "listed": held(facts, one, chain.listed, tests, places),
                    }
                    for chain, one in zip(made, packs, strict=True)
                ]
            }
            chains[str(number)]["all"] = _summary(chains[str(number)]["questions"])
    return {
        "checkout": checkout.resolve().name.rpartition("+")[2],
        "questions": len(questions),
        "pack": {
            "calls": 1,
            "lines": statistics.median(one.lines for one in packs),
            "bytes": statistics.median(one.bytes for one in packs),
        },
        "chains": chains,
    }


def _summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        **{name: statistics.median(row[name] for row in rows) for name in ("calls", "lines", "bytes")},
        "refused": sum(row["refused"] for row in rows),
        **{
            name: {hold: sum(row[name][hold] for row in rows) for hold in (*HOLDS, "none_tests")}
            for name in ("shown", "listed")
        },
    }


def main() -> None:
    """Compare on the given checkouts, print a table and write results/chain.json."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", nargs="+", metavar="CHECKOUT=QUESTIONS")
    parser.add_argument("--hits", nargs="+", type=int, default=[5, 15], help="lengths of the chain")
    args = parser.parse_args()
    results = []
    print("medians a question; symbols of all questions: body + cut body + stub + not at all (of these tests)")
    for pair in args.pairs:
        checkout, _, file = pair.rpartition("=")
        questions = [line for line in Path(file).read_text("utf-8").splitlines() if line.strip()]
        row = compared(Path(checkout), questions, args.hits)
        results.append(row)
        print(f"{row['checkout']}: pack  1 call, {row['pack']['lines']:.0f} lines, {row['pack']['bytes']:.0f} bytes")
        for number, chain in row["chains"].items():
            every = chain["all"]
            print(
                f"  chain of {number:>2} hits: {every['calls']:.0f} calls, {every['lines']:.0f} lines, "
                f"{every['bytes']:.0f} bytes; shown {_holds(every['shown'])}; listed {_holds(every['listed'])}"
            )
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "chain.json").write_text(json.dumps({"checkouts": results}, indent=1) + "\n")


def _holds(counts: dict[str, int]) -> str:
    return " + ".join(str(counts[hold]) for hold in HOLDS) + f" ({counts['none_tests']})"


if __name__ == "__main__":
    main()
