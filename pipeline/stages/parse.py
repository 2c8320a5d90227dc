"""Stage parse: definitions, calls, imports and words of the files that changed.

Rows of unchanged files are kept: a file whose stat data is as it was is not even read, and one whose content is as it
was is read but not parsed.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scaup.pipeline import languages
from scaup.pipeline.languages.extract import NULL_INT, NULLABLE
from scaup.pipeline.stages.discover import File, Scan
from scaup.pipeline.stages.jobs import Job, Parsed
from scaup.pipeline.stages.pool import Pool
from scaup.pipeline.stages.worker import parse_batch
from scaup.pipeline.store import Writer

# Tables whose rows belong to a file, and how they name it.
BY_PATH = (
    "symbols",
    "calls",
    "imports",
    "internal.symbol_shape",
    "internal.bases",
    "internal.bindings",
    "internal.requests",
    "internal.effects",
    "internal.strings",
    "internal.text_references",
    "internal.handlers",
    "internal.embeds",
    "internal.suppressions",
    "internal.swallows",
)
# What is not worth the start of a process.
FEW_BYTES = 60_000
# No time that a file could have: it is read again by the next ingest.
NEVER = -2
GAPS = frozenset({"unreadable", "timeout", "changed"})


@dataclass
class Plan:
    """What an ingest has to do: files to read, and files whose rows go."""

    scan: Scan
    jobs: list[tuple[Job, int]]
    kept: dict[str, tuple[Any, ...]]
    gone: list[str]
    width: int
    surfaces: Mapping[str, str]
    results: dict[str, Parsed] = field(default_factory=dict)

    @property
    def changed(self) -> list[str]:
        """Paths whose old rows are out of date."""
        return [path for path, parsed in self.results.items() if not parsed.unchanged]


def plan(writer: Writer, scan: Scan, surfaces: Mapping[str, str]) -> Plan:
    """Compare a scan with the store, and lay out what has to be read; `surfaces` are those that configuration gives."""
    known = {
        row[0]: row
        for row in writer.con.execute(
            "SELECT s.path, s.size, s.mtime_ns, s.ctime_ns, s.inode, s.parse_key, f.content_hash, f.lines, "
            "f.parse_errors, f.role, f.excluded_reason FROM internal.file_stat s JOIN files f USING (path)"
        ).fetchall()
    }
    jobs: list[tuple[Job, int]] = []
    kept: dict[str, tuple[Any, ...]] = {}
    width = len(scan.listing.head.sha or "") or 40
    for file in scan.files:
        entry = file.entry
        if file.excluded_reason is not None:
            continue
        row = known.get(file.path)
        surface = surfaces.get(file.path)
        key = parse_key(file, surface)
        fits = row is not None and row[5] == key
        if row is not None and fits and row[1:5] == (entry.size, entry.mtime_ns, entry.ctime_ns, entry.inode):
            kept[file.path] = row
            continue
        known_hash = row[6] if row is not None and fits and row[10] is None else None
        if row is not None and known_hash:
            kept[file.path] = row
        jobs.append((Job(file.path, entry.raw, str(file.language), file.role, known_hash, surface), entry.size))
    wanted = {file.path for file in scan.files if file.excluded_reason is None}
    gone = [path for path, row in known.items() if path not in wanted and row[10] is None]
    return Plan(scan, jobs, kept, gone, width, surfaces)


def parse_key(file: File, surface: str | None) -> str:
    """Return what, beside the content, decides a file's rows."""
    if not file.language:
        return file.role
    key = f"{languages.digest(file.language)}:{file.language}:{file.role}"
    return f"{key}:{surface}" if surface else key


def start(plan: Plan, limit: int, workers: int | None = None) -> Pool | None:
    """Start the workers; None where the work is done sooner without them."""
    if sum(size for _, size in plan.jobs) <= FEW_BYTES and len(plan.jobs) <= 8:
        return None
    return Pool(plan.scan.listing.root, plan.jobs, plan.width, limit, workers)


def collect(
    writer: Writer, plan: Plan, pool: Pool | None, limit: int, progress: Callable[[int], None] = lambda n: None
) -> None:
    """Take the results of all jobs into the store, old rows of changed files out first."""
    con = writer.con
    con.execute(
        "CREATE OR REPLACE TEMP TABLE word_counts "
        "(word_id BIGINT, symbol_id BIGINT, field TINYINT, occurrences INTEGER)"
    )
    con.execute("CREATE OR REPLACE TEMP TABLE words (word_id BIGINT, word VARCHAR)")
    remove(writer, plan.gone)
    if pool is None:
        results: Iterable[Any] = [parse_batch(plan.scan.listing.root, [j for j, _ in plan.jobs], plan.width, limit)]
    else:
        results = pool
    for parsed, tables in results:
        stale = [p.path for p in parsed if not p.unchanged]
        plan.results.update((p.path, p) for p in parsed)
        if not writer.fresh:
            remove(writer, stale)
        for table, columns in tables.items():
            writer.append(table, {name: _column(name, values) for name, values in _with_ids(table, columns).items()})
        progress(len(parsed))


def remove(writer: Writer, paths: list[str]) -> None:
    """Delete all rows of files."""
    if not paths:
        return
    con = writer.con
    con.execute("CREATE OR REPLACE TEMP TABLE removed AS SELECT unnest(?::VARCHAR[]) AS path", [paths])
    con.execute(
        "DELETE FROM field_uses WHERE symbol_id IN "
        "(SELECT symbol_id FROM symbols WHERE path IN (SELECT path FROM removed))"
    )
    for table in BY_PATH:
        con.execute(f"DELETE FROM {table} WHERE path IN (SELECT path FROM removed)")


def write_files(writer: Writer, plan: Plan) -> None:
    """Write a row of `files` for each file, and its stat data."""
    rows: list[tuple[Any, ...]] = []
    stats: list[tuple[Any, ...]] = []
    for file in plan.scan.files:
        entry, done = file.entry, plan.results.get(file.path)
        row = plan.kept.get(file.path)
        key = parse_key(file, plan.surfaces.get(file.path))
        stat = (entry.size, entry.mtime_ns, entry.ctime_ns, entry.inode)
        if file.excluded_reason is not None:
            rows.append((file.path, file.language, file.role, entry.size, None, None, None, file.excluded_reason))
        elif done is None or done.unchanged:
            assert row is not None  # noqa: S101  # kept and unchanged files come from a row
            rows.append((file.path, file.language, row[9], entry.size, row[7], row[6], row[8], row[10]))
            stat = (done.size, done.mtime_ns, done.ctime_ns, done.inode) if done else stat
        else:
            problem = done.problem
            rows.append((file.path, file.language, done.role, done.size if done.inode else entry.size, done.lines,
                         done.content_hash, done.errors, problem))  # fmt: skip
            stat = (done.size, NEVER if problem in GAPS else done.mtime_ns, done.ctime_ns, done.inode)
        stats.append((file.path, entry.raw, *stat, key))
    writer.con.execute("DELETE FROM files")
    writer.con.execute("DELETE FROM internal.file_stat")
    names = ("path", "language", "role", "size", "lines", "content_hash", "parse_errors", "excluded_reason")
    writer.append_rows("files", names, rows)
    stat_names = ("path", "raw_path", "size", "mtime_ns", "ctime_ns", "inode", "parse_key")
    writer.append_rows("internal.file_stat", stat_names, stats)


def _with_ids(table: str, columns: dict[str, Any]) -> dict[str, Any]:
    """Give calls their ids: a hash of the caller and the number of the call in it, for all rows at once."""
    if table != "calls":
        return columns
    ordinals = np.frombuffer(columns["ordinal"], dtype=np.uint64)
    callers = np.frombuffer(columns["caller"], dtype=np.uint64)
    rest = {name: values for name, values in columns.items() if name != "ordinal"}
    return {"call_id": mix(callers + (ordinals + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)), **rest}


def mix(values: np.ndarray[Any, np.dtype[np.uint64]]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return a well-spread 64-bit hash of each number (splitmix64's finalizer, Steele et al. 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (values ^ (values >> np.uint64(31))).view(np.int64)


def _column(name: str, values: Any) -> Any:
    if not isinstance(values, array):
        return values
    numbers = np.frombuffer(values, dtype=np.int64 if values.typecode == "q" else np.uint16)
    if name in NULLABLE and (absent := numbers == NULL_INT).any():
        return np.ma.masked_array(numbers, mask=absent)
    return numbers
