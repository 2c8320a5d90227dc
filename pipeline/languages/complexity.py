"""Cyclomatic and cognitive complexity of definitions, from the branches that a language's query captures.

Cyclomatic (McCabe 1976): 1 + every branch: if, loop, catch, ternary, arm of a switch or match that is not the
default, loop and condition of a comprehension, boolean operator.
Cognitive (Campbell 2018): a branch costs 1 and 1 more a level of nesting; else, else-if and a jump to a label cost 1;
a run of equal boolean operators costs 1; lambdas nest. Recursion is not charged, and nested definitions are
counted by themselves, not by what contains them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

NESTS = frozenset({"branch", "branch.switch", "nesting"})
BRANCHES = frozenset({"branch", "branch.flat", "branch.elif", "branch.boolean"})


@dataclass(frozen=True, slots=True)
class Branch:
    """A captured branch: byte span, kind (the capture), the owner's index, and whether it starts a run of operators."""

    start: int
    end: int
    kind: str
    owner: int
    starts_run: bool = True


def measure(branches: Iterable[Branch], owners: int) -> tuple[list[int], list[int]]:
    """Return cyclomatic and cognitive complexity for each of `owners` definitions."""
    cyclomatic = [1] * owners
    cognitive = [0] * owners
    nests: list[Branch] = []
    for branch in sorted(branches, key=lambda b: (b.start, -b.end)):
        while nests and nests[-1].end <= branch.start:
            nests.pop()
        owner = branch.owner
        if branch.kind in BRANCHES:
            cyclomatic[owner] += 1
        if branch.kind in ("branch", "branch.switch"):
            cognitive[owner] += 1 + sum(1 for nest in nests if nest.owner == owner)
        elif branch.kind in ("branch.elif", "branch.else", "branch.jump") or (
            branch.kind == "branch.boolean" and branch.starts_run
        ):
            cognitive[owner] += 1
        if branch.kind in NESTS:
            nests.append(branch)
    return cyclomatic, cognitive
