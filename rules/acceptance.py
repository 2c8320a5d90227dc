"""Which findings count: those that no suppression silences, no baseline accepts, and that a change touched."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scaup.pipeline.response import ScaupError
from scaup.pipeline.text.configuration import Configuration
from scaup.pipeline.text.rows import AgentText
from scaup.rules import baseline, known_rules
from scaup.rules.baseline import Baseline
from scaup.rules.suppression import Problem, Suppressions

if TYPE_CHECKING:
    from scaup.pipeline.facts import Facts

Lines = Sequence[tuple[int, int]]  # first and last of each stretch


@dataclass(frozen=True)
class Accepting:
    """What an audit was asked to accept. `baseline` is a path from the root; None leaves it to the configuration."""

    baseline: str | None = None
    use_baseline: bool = True
    write_baseline: bool = False
    today: datetime.date = field(default_factory=datetime.date.today)


@dataclass
class Scope:
    """What was audited: paths, comments that silence, whether it is the whole repository and its code was known.

    `changed` are the lines of each path that a change touched; None where the audit is not of a change.
    """

    root: Path
    paths: Sequence[str]
    comments: Sequence[tuple[Any, ...]] = ()
    whole: bool = True
    knows_code: bool = True
    changed: Mapping[str, Lines] | None = None

    def touches(self, path: str, first: int, last: int) -> bool:
        """Say whether lines of a path are among those that count."""
        if self.changed is None:
            return True
        return any(low <= last and first <= high for low, high in self.changed.get(path, ()))


def settle(
    findings: Sequence[tuple[dict[str, Any], AgentText]],
    scope: Scope,
    settings: Configuration,
    accepting: Accepting,
    selected: Callable[[str], frozenset[str]],
) -> tuple[list[tuple[dict[str, Any], AgentText]], list[Problem], dict[str, Any]]:
    """Say of each finding what silences it; return those that a change touched, what is wrong, and members.

    Findings are rows of diagnostics with their texts, those that are `hidden` among them. `selected` gives the codes
    that count for a path.
    """
    suppressions = Suppressions(scope.comments, settings, accepting.today)
    for row, text in findings:
        if (silenced := suppressions.silence(row, text)) is not None:
            row["suppressed"] = silenced.member()
    members = _baselines([row for row, _ in findings], scope, settings, accepting, selected)
    needing_code = frozenset(rule.code for rule in known_rules() if rule.needs_code)

    def looked_for(path: str) -> frozenset[str]:
        return selected(path) if scope.knows_code else selected(path) - needing_code

    problems = [
        problem
        for problem in suppressions.unkept(looked_for, whole=scope.whole)
        if problem.rule.code in selected(problem.path)
        and scope.touches(problem.path, problem.line or 1, problem.line or 1)
    ]
    kept = [(row, text) for row, text in findings if scope.touches(text.path, text.span.start_line, text.span.end_line)]
    if scope.changed is not None:
        members["outside_change"] = len(findings) - len(kept)
    return kept, problems, members


def _baselines(
    rows: Iterable[dict[str, Any]],
    scope: Scope,
    settings: Configuration,
    accepting: Accepting,
    selected: Callable[[str], frozenset[str]],
) -> dict[str, Any]:
    """Say of findings that a baseline accepts them; return what the answer says of it."""
    if not accepting.use_baseline:
        return {}
    path = accepting.baseline or settings.of("").baseline
    rows = [row for row in rows if row["suppressed"] is None and not row["hidden"]]
    written: int | None = None
    if accepting.write_baseline:
        path = path or baseline.NAME
        written = baseline.write(scope.root, path, rows)
    elif path is None and (scope.root / baseline.NAME).is_file():
        path = baseline.NAME
    if path is None:
        return {}
    accepted: Baseline = baseline.read(scope.root, path)
    for row in rows:
        if (silenced := accepted.silence(row)) is not None:
            row["suppressed"] = silenced.member()
    judged = frozenset(scope.paths)

    def in_scope(rule: str, place: str) -> bool:
        looked_at = place in judged or (scope.whole and place not in judged)
        return looked_at and rule in selected(place) and (scope.knows_code or not _needs_code(rule))

    member = accepted.member(in_scope)
    return {"baseline": {**member, **({"written": written} if written is not None else {})}}


def _needs_code(code: str) -> bool:
    return any(rule.code == code and rule.needs_code for rule in known_rules())


def changed_lines(facts: Facts, revision: str) -> dict[str, Lines]:
    """Return the lines of each file that differ from a revision; where lines only went, those around them.

    Raises `invalid_request` for a revision that git does not know.
    """
    from scaup.pipeline.pack import revision as revisions

    found: dict[str, Lines] = {}
    for change in revisions.changes(facts, revisions.resolve(facts.project.root, revision)):
        if change.is_new:
            found[change.path] = [(1, 1 << 31)]
            continue
        found[change.path] = [
            (hunk.first, hunk.last) if hunk.first <= hunk.last else (hunk.last, hunk.first) for hunk in change.hunks
        ]
    return found


def check(accepting: Accepting, *, limited: bool) -> None:
    """Raise `invalid_request` for a baseline that would be made of a part of the findings."""
    if accepting.write_baseline and limited:
        raise ScaupError(
            "invalid_request",
            "A baseline accepts all findings of a repository: --write-baseline goes with no PATH, --select, --ignore "
            "or --diff.",
        )
