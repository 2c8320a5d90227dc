"""The fixes of an audit, file by file: chosen, put in, checked, formatted, written; and what became of each."""

from __future__ import annotations

import difflib
import os
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scaup.pipeline import git
from scaup.pipeline.response import Response, ScaupError
from scaup.rules.fixes import place
from scaup.rules.fixes.hunks import applied as said
from scaup.rules.fixes.literals import Source
from scaup.rules.fixes.plan import Fix, Planner
from scaup.rules.fixes.rewrite import Edit


@dataclass(frozen=True)
class Wanted:
    """Which fixes are to be made: the safe ones, with `unsafe` all; `dry_run` only shows what would change."""

    unsafe: bool = False
    dry_run: bool = False


def apply(planner: Planner, diagnostics: Sequence[Mapping[str, Any]], wanted: Wanted) -> dict[str, Any]:
    """Make the fixes of findings, in their order, and return the members `fixed`, `fixes` and, of a dry run, `diff`.

    `fixed` has a row for each file with a proposal; `fixes` counts findings, what was applied, and unsafe ones left.
    """
    by_path: dict[str, list[Fix]] = defaultdict(list)
    counted = 0
    for row in diagnostics:
        if row["suppressed"]:
            continue
        counted += 1
        fix = planner.fixes.get(row["fingerprint"])
        if fix is not None:
            by_path[fix.path].append(fix)
    tracked = _tracked(planner.root) if by_path else frozenset()
    rows, diffs = [], []
    for path, fixes in sorted(by_path.items()):
        file = _File(planner, path, wanted)
        rows.append(file.fixed(fixes, is_tracked=git.decode_path(path) in tracked))
        diffs += file.diff
    members: dict[str, Any] = {
        "fixed": rows,
        "fixes": {
            "findings": counted,
            "applied": sum(row["applied"] for row in rows),
            "unsafe_left": sum(skip["reason"] == "unsafe" for row in rows for skip in row["skipped"]),
            "dry_run": wanted.dry_run,
        },
    }
    return {**members, "diff": "".join(diffs)} if wanted.dry_run else members


def repeated(audited: Callable[[Wanted | None], Response], wanted: Wanted | None) -> Response:
    """Return the answer of an audit; where it changed files, that of a second one, with what was fixed.

    What is left decides the exit status, and lines are those of the files as they are now.
    """
    first = audited(wanted)
    if wanted is None or wanted.dry_run or not first["fixes"]["applied"]:
        return first
    return {**audited(None), "fixed": first["fixed"], "fixes": first["fixes"]}


def _tracked(root: Path) -> frozenset[bytes]:
    """Return the files that git knows: what it does not know has no way back."""
    try:
        return frozenset(git.run(root, "ls-files", "-z", "--cached").split(b"\0"))
    except ScaupError:
        return frozenset()


class _File:
    """One file with its fixes."""

    def __init__(self, planner: Planner, path: str, wanted: Wanted) -> None:
        self.planner, self.path, self.wanted = planner, path, wanted
        self.place = planner.root / os.fsdecode(git.decode_path(path))
        self.skipped: list[dict[str, Any]] = []
        self.diff: list[str] = []

    def fixed(self, fixes: Sequence[Fix], *, is_tracked: bool) -> dict[str, Any]:
        """Make the fixes, and return what became of them."""
        chosen = self._chosen(fixes)
        steps: dict[str, Any] = {}
        reason, rolled_back = None, False
        source = self.planner.source(self.path)
        if chosen and isinstance(source, Source):
            try:
                if not is_tracked:
                    raise place.RefusedError("not_in_git")
                place.writable(self.planner.root, self.place)
                if place.read(self.place).content != source.content:
                    raise place.RefusedError("changed_since_audit")
                content = self._edited(source, chosen)
                content, steps = self._finished(source, content, chosen)
                if self.wanted.dry_run:
                    self.diff = list(_diff(self.path, source.content, content))
                else:
                    place.replace(self.place, source.content, content)
            except _RollbackError as error:
                reason, rolled_back = error.reason, True
            except place.RefusedError as error:
                reason = error.reason
        if reason is not None:
            for fix in chosen:
                self._skip(fix, reason)
            chosen, steps = [], {}
        return {
            "path": self.path,
            "applied": len(chosen),
            "skipped": sorted(self.skipped, key=lambda row: (row["line"], row["rule"], row["reason"])),
            "rolled_back": rolled_back,
            "reason": reason,
            **steps,
        }

    def _skip(self, fix: Fix, reason: str) -> None:
        self.skipped.append({"rule": fix.rule, "line": fix.line, "reason": reason})

    def _chosen(self, fixes: Sequence[Fix]) -> list[Fix]:
        """Return the fixes that are wanted and do not overlap with one before them."""
        chosen: list[Fix] = []
        for fix in fixes:
            if fix.reason is not None:
                self._skip(fix, fix.reason)
            elif not fix.safe and not self.wanted.unsafe:
                self._skip(fix, "unsafe")
            elif any(_overlap(fix, other) for other in chosen):
                self._skip(fix, "overlaps_other_fix")
            else:
                chosen.append(fix)
        return chosen

    def _edited(self, source: Source, chosen: Sequence[Fix]) -> bytes:
        """Return the edited content, parsed and read again."""
        from scaup.rules.fixes import check
        from scaup.rules.fixes.rewrite import RewriteError, rewritten

        edits = [edit for fix in chosen for edit in fix.edits]
        try:
            content = rewritten(source.language, source.content, edits)
        except RewriteError as error:
            raise _RollbackError("not_rewritten") from error
        if (problem := check.problem(source.language, source.content, content)) is not None:
            raise _RollbackError(problem)
        self._compare(source, content, chosen)
        return content

    def _compare(self, source: Source, content: bytes, chosen: Sequence[Fix]) -> None:
        """Compare the strings of an edited content with what is meant."""
        from scaup.rules.fixes import check

        surface = chosen[0].text.surface
        meant: dict[check.Said, str] = {}
        for fix in chosen:
            key = check.Said(fix.text.span, fix.text.text)
            meant[key] = said(fix.text.text, [h for f in chosen if f.text.span == fix.text.span for h in f.hunks])
        wanted = check.expected(check.strings(source.language, self.path, source.content, surface), meant)
        if wanted is None:
            raise place.RefusedError("changed_since_audit")
        if [one.text for one in check.strings(source.language, self.path, content, surface)] != wanted:
            raise _RollbackError("says_something_else")

    def _finished(self, source: Source, content: bytes, chosen: Sequence[Fix]) -> tuple[bytes, dict[str, Any]]:
        """Return the content formatted, and the members that say how that and the check went."""
        from scaup.rules.fixes import check, post_steps

        root = self.planner.root
        steps: dict[str, Any] = {}
        formatted = post_steps.format_file(root, self.place, source.language, content)
        reason = formatted.skipped_reason
        if reason is None and formatted.content != content:
            if check.problem(source.language, content, formatted.content) is None:
                content = formatted.content
            else:
                reason = "error"
        if reason is not None:
            steps["format_skipped_reason"] = reason
        checked = post_steps.check_file(root, self.place, source.language, content, source.content)
        if checked.skipped_reason is not None:
            steps["validate_skipped_reason"] = checked.skipped_reason
        else:
            steps["findings_of_checker"] = checked.findings
        return content, steps


class _RollbackError(Exception):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _overlap(one: Fix, other: Fix) -> bool:
    """Whether two fixes change the same: the same bytes or place, or in two wordings the same sentence."""
    worded = not one.safe and not other.safe and one.text.span == other.text.span
    if worded and one.stretch[0] < other.stretch[1] and other.stretch[0] < one.stretch[1]:
        return True
    return any(_touch(a, b) for a in one.edits for b in other.edits)


def _touch(one: Edit, other: Edit) -> bool:
    return one.start <= other.end and other.start <= one.end


def _diff(path: str, before: bytes, after: bytes) -> list[str]:
    """Return a unified diff as git writes it."""
    lines = difflib.unified_diff(_lines(before), _lines(after), f"a/{path}", f"b/{path}")
    return [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines]


def _lines(content: bytes) -> list[str]:
    """Return lines as git counts them, with their ends."""
    parts = content.decode().split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
