"""Stage history: the commits of 18 months, or the last 4,000, and the files that each touched under today's names.

One `git log` is read as it streams; its exit status is checked, and what was written before a failure is taken back.
The rows depend on nothing but HEAD (and on what a shallow or partial clone has): HEAD unchanged means rows unchanged.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from scaup.pipeline import git
from scaup.pipeline.stages.renames import Change, Names

if TYPE_CHECKING:
    import duckdb

MONTHS = 18  # the longest window of a metric (co-change)
COMMITS = 4000  # in a quiet repository 18 months can be ten commits: then older ones are worth their reading
# Commits older than the window, one after the other, after which the walk is taken to have left it for good. Dates are
# not in order: one commit made with a wrong clock, or an import, would end `--since` in the middle of the history.
_OUT_OF_ORDER = 1000
# Candidates on each side for which contents are compared: git's own default since 2.34 (400 before).
_RENAME_LIMIT = 1000
_LAST_SECOND = 253_402_300_799  # of the year 9999: a commit can claim any date
_CHUNK = 8192

_FIELDS = 5
_FORMAT = "--format=%H%x00%P%x00%ct%x00%s%x00%b%x00"


class Writer(Protocol):
    """What the stage needs of the store's writer."""

    con: duckdb.DuckDBPyConnection

    def append(self, table: str, columns: Mapping[str, Sequence[Any] | Any]) -> None:
        """Insert rows, given by columns."""


@dataclass(frozen=True)
class Outcome:
    """How the stage ended: complete, partial, skipped or failed, with the reason where it is not complete."""

    state: str
    reason: str | None = None
    counts: dict[str, int] = field(default_factory=dict)


class Commit(NamedTuple):
    """A commit as `git log` shows it. A change is (status, old name, new name); one of the names can be missing."""

    sha: str
    parents: tuple[str, ...]
    committed_at: int
    subject: str
    body: str
    changes: list[tuple[str, bytes | None, bytes | None]]


def run(writer: Writer, root: Path) -> Outcome:
    """Fill `commits` and `commit_files` anew."""
    _clear(writer)
    try:
        (ended,) = git.execute(root, git.HEAD_QUESTION)
        if git.is_no_repository(ended):
            return Outcome("skipped", "no git repository")
        head = git.head_of(root, ended)
        if head.sha is None or head.committed_at is None:
            return Outcome("skipped", "no commits yet")
        shallow = git.shallow_commits(root) if git.is_shallow(root) else frozenset()
        partial = git.is_partial(root)
        counts, unread = _walk_as_far_as_read(writer, root, head, shallow, partial)
    except git.GitError as error:
        _clear(writer)
        if error.returncode == git.NOT_INSTALLED:
            return Outcome("skipped", "git is not installed")
        return Outcome("failed", error.message)
    reasons = []
    if shallow:
        reasons.append(
            f"shallow clone: the history is cut off at {len(shallow)} commits, and what these changed is not known "
            "(`git fetch --unshallow` brings the rest)"
        )
    if partial:
        reasons.append("partial clone: a file renamed and edited in one commit counts as a new one")
    if unread:
        reasons.append(
            f"a file renamed and edited in one commit counts as a new one, for contents are missing: {unread}"
        )
    return Outcome("partial" if reasons else "complete", "; ".join(reasons) or None, counts)


def cochange(con: duckdb.DuckDBPyConnection) -> None:
    """Fill `cochange` anew: needed after `run`, and when the set of files changed."""
    con.execute(resources.files(__package__).joinpath("cochange.sql").read_text("utf-8"))


def _clear(writer: Writer) -> None:
    writer.con.execute("DELETE FROM commits; DELETE FROM commit_files")


def _cutoff(writer: Writer, committed_at: int) -> int:
    """Return the start of the window, by the same calendar as cochange.sql."""
    microseconds = min(committed_at, _LAST_SECOND) * 1_000_000
    rows = writer.con.execute(
        f"SELECT epoch(make_timestamp(?::BIGINT) - INTERVAL {MONTHS} MONTH)", [microseconds]
    ).fetchall()
    return int(rows[0][0])


def _length(root: Path, head: str, cutoff: int) -> int:
    """Return how many commits of git's walk, merges included, have all that belongs to the history.

    Only dates and parents are read here, which is cheap; the walk that compares trees is then limited by this number.
    """
    total = length = taken = older = 0
    with git.stream(root, "rev-list", "--timestamp", "--parents", head, "--") as output:
        for line in output:
            total += 1
            committed_at, _, *parents = line.split()
            if len(parents) > 1:
                continue
            if taken < COMMITS or int(committed_at) >= cutoff:
                taken += 1
                older = 0
                length = total
                continue
            older += 1
            if older > _OUT_OF_ORDER:
                break
    return length


def _log(head: str, length: int, exact: bool) -> tuple[str, ...]:
    """Return the command: every setting that could change what it prints is given."""
    return (
        *("-c", "i18n.logOutputEncoding=UTF-8", "-c", "log.showRoot=true", "-c", "diff.orderFile=/dev/null"),
        *("log", "-z", "--raw", "--no-abbrev", "--root", "--relative", _FORMAT, f"--max-count={length}"),
        *("-M100%" if exact else "-M50%", f"-l{_RENAME_LIMIT}", "--ignore-submodules=none"),
        *("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-mailmap", "--no-color", "--no-decorate"),
        *("--no-notes", head, "--"),
    )


def _walk_as_far_as_read(
    writer: Writer, root: Path, head: git.Head, shallow: frozenset[str], partial: bool
) -> tuple[dict[str, int], str | None]:
    """Return the counts, and what git said where a copy lacks blobs without being a partial clone.

    Without blobs, which renames with edits need, the trees may still be whole.
    """
    sha, cutoff = head.sha or "", _cutoff(writer, head.committed_at or 0)
    try:
        return _walk(writer, root, sha, cutoff, shallow, exact=partial), None
    except git.GitError as error:
        if partial:
            raise
        _clear(writer)
        try:
            return _walk(writer, root, sha, cutoff, shallow, exact=True), error.message
        except git.GitError:
            raise error from None


def _walk(
    writer: Writer, root: Path, head: str, cutoff: int, shallow: frozenset[str], *, exact: bool
) -> dict[str, int]:
    numbers: dict[bytes, int] = {}  # of names
    commits: dict[str, int] = {}  # of commits, merges included
    parents: list[tuple[str, ...]] = []
    touched = _Touched()
    changes: list[Change] = []
    rows: list[Commit] = []
    taken = 0
    length = _length(root, head, cutoff)
    with git.stream(root, *_log(head, length, exact)) as output:
        for commit in parse_log(output):
            number = commits[commit.sha] = len(commits)
            parents.append(commit.parents)
            if len(commit.parents) > 1:
                continue
            if commit.sha in shallow:
                commit.changes.clear()  # git shows all files of the tree as added
            belongs = taken < COMMITS or commit.committed_at >= cutoff
            for status, old, new in commit.changes:
                before = None if old is None else numbers.setdefault(old, len(numbers))
                after = None if new is None else numbers.setdefault(new, len(numbers))
                if before != after:
                    changes.append(Change(number, before, after))
                if belongs:
                    touched.add(number, before if after is None else after, status)
            if belongs:
                taken += 1
                rows.append(commit)
            if len(rows) >= _CHUNK:
                _append_commits(writer, rows)
                rows.clear()
    _append_commits(writer, rows)
    tree = git.run(root, "ls-tree", "-r", "-z", "--name-only", head)
    today = frozenset(numbers[name] for name in tree.split(b"\0") if name in numbers)
    lines = [[commits[sha] for sha in shas if sha in commits] for shas in parents]
    count = _append_touched(writer, touched, list(commits), list(numbers), Names(lines, changes, today))
    return {"commits": taken, "commit_files": count}


class _Touched:
    """The touched files of the walk as numbers: a million of them take 9 MB."""

    def __init__(self) -> None:
        self.commits = array("I")
        self.names = array("I")
        self.statuses = bytearray()

    def add(self, commit: int, name: int | None, status: str) -> None:
        if name is not None:
            self.commits.append(commit)
            self.names.append(name)
            self.statuses += status.encode("ascii")


def _append_commits(writer: Writer, rows: Sequence[Commit]) -> None:
    seconds = np.array([max(0, min(row.committed_at, _LAST_SECOND)) for row in rows], dtype="datetime64[s]")
    writer.append(
        "commits",
        {
            "sha": [row.sha for row in rows],
            "committed_at": seconds.astype("datetime64[us]"),
            "subject": [row.subject for row in rows],
            "body": [row.body for row in rows],
            "files": np.array([len(row.changes) for row in rows], dtype="int32"),
        },
    )


def _append_touched(
    writer: Writer, touched: _Touched, shas: Sequence[str], names: Sequence[bytes], follow: Names
) -> int:
    """Write the touched files under today's names, each once a commit, and return their number."""
    paths = [git.encode_path(name) for name in names]
    columns: tuple[list[str], list[str], list[str]] = ([], [], [])
    count = 0
    last, seen = -1, set[int]()
    for commit, name, status in zip(touched.commits, touched.names, touched.statuses, strict=True):
        if commit != last:
            last, seen = commit, set()
        today = follow.resolve(name, commit)
        if today in seen:
            continue
        seen.add(today)
        for column, value in zip(columns, (shas[commit], paths[today], chr(status)), strict=True):
            column.append(value)
        if len(columns[0]) >= _CHUNK:
            count += _flush(writer, columns)
    return count + _flush(writer, columns)


def _flush(writer: Writer, columns: tuple[list[str], list[str], list[str]]) -> int:
    count = len(columns[0])
    writer.append("commit_files", dict(zip(("sha", "path", "status"), columns, strict=True)))
    for column in columns:
        column.clear()
    return count


def parse_log(output: IO[bytes]) -> Iterator[Commit]:
    """Yield the commits of a `git log` in `_FORMAT` with `-z --raw`.

    A commit is a fixed number of fields, so nothing in a message, which has no NUL, can pass for the next one.
    Then come its changes: `:MODE MODE BLOB BLOB STATUS`, and one name, or two for a rename or copy.
    """
    fields = _split(output)
    commit: Commit | None = None
    for separated in fields:
        start = separated.lstrip(b"\n")  # between a message and its changes, git prints a NUL, a line end, or both
        if start.startswith(b":") and commit is not None:
            status = start.rpartition(b" ")[2][:1].decode("ascii")
            name = _next(fields)
            old: bytes | None = name
            new: bytes | None = name
            if status in "RC":
                new = _next(fields)
            if status in "AC":
                old = None
            elif status == "D":
                new = None
            commit.changes.append((status, old, new))
        elif start:
            if commit is not None:
                yield commit
            commit = _commit([start, *(_next(fields) for _ in range(_FIELDS - 1))])
    if commit is not None:
        yield commit


def _commit(fields: Sequence[bytes]) -> Commit:
    sha, parents, committed_at, subject, body = (text.decode("utf-8", "replace") for text in fields)
    if len(sha) not in (40, 64) or not committed_at.lstrip("-").isdecimal():
        raise git.GitError(f"git log printed {sha[:80]!r} where a commit was due", 0)
    return Commit(sha, tuple(parents.split()), int(committed_at), subject, body.rstrip("\n"), [])


def _next(fields: Iterator[bytes]) -> bytes:
    for text in fields:
        return text
    raise git.GitError("git log ended in the middle of a commit", 0)


def _split(output: IO[bytes]) -> Iterator[bytes]:
    """Yield the NUL-terminated fields of a stream."""
    rest = b""
    while chunk := output.read(1 << 20):
        *fields, rest = (rest + chunk).split(b"\0")
        yield from fields
    if rest:
        yield rest
