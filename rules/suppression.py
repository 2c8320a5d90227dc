"""What silences findings: comments beside them, and entries of the configuration for files that have no comments.

A finding that is silenced stays in the answer and says by what. What silences nothing becomes a finding of its own.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from scaup.pipeline.response import ScaupError, names
from scaup.pipeline.text.configuration import Configuration, Globs
from scaup.pipeline.text.rows import AgentText
from scaup.rules.selection import resolve
from scaup.rules.upkeep import (
    ExpiredSuppression,
    SuppressionWithoutReason,
    UnreadableSuppression,
    UnusedSuppression,
    Upkeep,
)

if TYPE_CHECKING:
    import duckdb


class Silenced(NamedTuple):
    """Why a finding does not count: member `suppressed` of a diagnostic."""

    by: str  # comment, configuration or baseline
    reason: str | None
    until: str | None
    path: str
    line: int | None

    def member(self) -> dict[str, Any]:
        """Return it as answers have it."""
        return self._asdict()


@dataclass
class Suppression:
    """One that can be applied: the codes that it covers, until when, and what it silenced so far."""

    path: str  # where it stands
    line: int | None
    codes: frozenset[str]
    reason: str
    until: datetime.date | None
    by: str
    target: int | None = None  # of a comment: the line that it is about
    globs: Globs | None = None  # of an entry: the files that it is about, and a piece of the text
    text: str | None = None
    used: bool = False

    def fits(self, row: Mapping[str, Any], text: AgentText) -> bool:
        """Say whether it is about a finding."""
        if row["rule"] not in self.codes:
            return False
        if self.target is not None:
            # One above a text is about all of it: no comment can stand between the lines of a string.
            span = row["span"]
            return self.target in (text.span.start_line, text.span.end_line) or (
                span["start_line"] <= self.target <= span["end_line"]
            )
        if self.globs is None or not self.globs.fit(row["path"]):
            return False
        return self.text is None or folded(self.text) in folded(text.text)


class Problem(NamedTuple):
    """What is wrong with a suppression."""

    rule: type[Upkeep]
    path: str
    line: int | None
    message: str
    reason: str  # stable short name


class Suppressions:
    """The suppressions of the files in scope. `today` decides which have expired."""

    def __init__(self, comments: Iterable[tuple[Any, ...]], configuration: Configuration, today: datetime.date) -> None:
        self.today = today
        self.problems: list[Problem] = []
        self._by_path: dict[str, list[Suppression]] = defaultdict(list)
        self._configured: dict[str, list[Suppression]] = {}
        for row in comments:
            self._comment(*row)
        for settings in configuration.by_folder.values():
            self._configured[settings.origin] = [
                Suppression(
                    one.origin, one.line, resolve(one.rules, f"{one.origin}: audit.suppressions"), one.reason,
                    one.until, "configuration", globs=one.globs, text=one.text,
                )
                for one in settings.suppressions
            ]  # fmt: skip
        self.configuration = configuration

    def silence(self, row: Mapping[str, Any], text: AgentText) -> Silenced | None:
        """Return what silences a finding; None where nothing does. All that fit count as used."""
        found: Silenced | None = None
        configured = self._configured.get(self.configuration.of(text.path).origin, [])
        for one in (*self._by_path.get(text.path, ()), *configured):
            if not one.fits(row, text):
                continue
            one.used = True
            if found is None and not self._expired(one):
                until = one.until.isoformat() if one.until else None
                found = Silenced(one.by, one.reason, until, one.path, one.line)
        return found

    def unkept(self, in_scope: Callable[[str], frozenset[str]], *, whole: bool) -> list[Problem]:
        """Return what is wrong with suppressions.

        `in_scope` gives the codes that were looked for in a path. `whole` says that the whole repository was judged:
        only then can an entry of the configuration be known to silence nothing.
        """
        problems = list(self.problems)
        for one in self._all():
            if self._expired(one):
                problems.append(
                    Problem(ExpiredSuppression, one.path, one.line, f"It ended on {one.until}: {one.reason}", "expired")
                )
            elif not one.used and (one.by == "comment" or whole) and one.codes <= in_scope(one.path):
                message = f"It silences nothing: no finding of {names(sorted(one.codes), 4)}."
                problems.append(Problem(UnusedSuppression, one.path, one.line, message, "unused"))
        return problems

    def _all(self) -> Iterable[Suppression]:
        for listed in (*self._by_path.values(), *self._configured.values()):
            yield from listed

    def _expired(self, one: Suppression) -> bool:
        return one.until is not None and one.until < self.today

    def _comment(
        self, path: str, line: int, target: int, listed: str, reason: str | None, until: str | None, problem: str | None
    ) -> None:
        codes: frozenset[str] = frozenset()
        if listed:
            try:
                codes = resolve(listed.split(","), "")
            except ScaupError as error:
                problem = error.message.removeprefix(": ")
        if problem is None and reason is not None:
            date = datetime.date.fromisoformat(until) if until else None
            self._by_path[path].append(Suppression(path, line, codes, reason, date, "comment", target))
            return
        kind = SuppressionWithoutReason if listed and codes and reason is None else UnreadableSuppression
        self.problems.append(Problem(kind, path, line, f"It silences nothing: {problem}.", "silences-nothing"))


def comments(con: duckdb.DuckDBPyConnection, paths: Iterable[str] | None = None) -> list[tuple[Any, ...]]:
    """Return the comments that silence the audit, by place: of all files, or of some."""
    columns = "path, line, target, rules, reason, until, problem"
    rows = con.execute(f"SELECT {columns} FROM internal.suppressions ORDER BY ALL").fetchall()
    kept = None if paths is None else set(paths)
    return [row for row in rows if kept is None or row[0] in kept]


def folded(text: str) -> str:
    """Return a text with white space folded, as texts are compared."""
    return " ".join(text.split())
