"""Cyclomatic and cognitive complexity of definitions, from the branches that a language's query captures.

Cyclomatic (McCabe 1976): 1 + every branch: if, loop, catch, ternary, arm of a switch or match that is not the
default, loop and condition of a comprehension, boolean operator.
Cognitive (Campbell 2018): a branch costs 1 and 1 more a level of nesting; else, else-if and a jump to a label cost 1;
a run of equal boolean operators costs 1; lambdas nest. Recursion is not charged, and nested definitions are
counted by themselves, not by what contains them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from scaup.pipeline.languages.syntax import Syntax
from scaup.pipeline.languages.unit import Unit

NESTS = frozenset({"branch", "branch.switch", "nesting"})
BRANCHES = frozenset({"branch", "branch.flat", "branch.elif", "branch.boolean"})
# How far a default arm is looked at, in bytes.
ARM_LENGTH = 40


class Branch(NamedTuple):
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


def branches(unit: Unit) -> Iterator[Branch]:
    """Yield the branches of a file that a symbol owns."""
    syntax, ownership = unit.syntax, unit.ownership
    found: dict[tuple[int, int], tuple[str, Node]] = {}
    for index, captures in unit.matches.of("branch"):
        lead = syntax.patterns[index].lead
        node = captures[lead][0]
        key = (node.start_byte, node.end_byte)
        known = found.get(key)
        # A node that the query calls a branch in general and an else-if in particular is an else-if.
        if known is None or known[0] == "branch":
            if lead == "branch.flat" and syntax.default_arms:
                arm = unit.source[key[0] : key[0] + ARM_LENGTH].decode("utf-8", "replace")
                if arm.startswith(syntax.default_arms):
                    continue
            found[key] = (lead, node)
    for (start, end), (lead, node) in found.items():
        owner = ownership.runner_at(start) or ownership.module
        if owner is not None and (lead != "nesting" or not _is_definition(unit, node)):
            starts_run = lead != "branch.boolean" or _starts_run(syntax, node)
            yield Branch(start, end, lead, owner.index, starts_run)


def _is_definition(unit: Unit, node: Node) -> bool:
    """Whether a function without a name is the one that its owner defines: it holds the owner's body."""
    owner = unit.ownership.owner_at(node.start_byte)
    body = owner.captures.get("body") if owner is not None else None
    return body is not None and node.start_byte <= body[0].start_byte and body[0].end_byte <= node.end_byte


def _starts_run(syntax: Syntax, node: Node) -> bool:
    """Whether a boolean operator differs from the one that it stands in."""
    parent = node.parent
    if not node.is_named:  # an operator between several operands
        return parent is None or next(child for child in parent.children if child.type == node.type) == node
    while parent is not None and parent.type in syntax.expressions.transparent and parent.type not in syntax.breaks_run:
        parent = parent.parent
    return parent is None or parent.type != node.type or _operator(parent) != _operator(node)


def _operator(node: Node) -> bytes | None:
    operator = node.child_by_field_name("operator")
    return operator.text if operator is not None else None
