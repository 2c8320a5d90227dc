"""One ingest: the stages in order, under the writer's lock, published in one step."""

from __future__ import annotations

import hashlib
import importlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from scaup.pipeline import git, languages, settings, status, store
from scaup.pipeline.response import Gaps, Response, ScaupError, success
from scaup.pipeline.stages import discover
from scaup.pipeline.text import naming
from scaup.pipeline.versions import version

if TYPE_CHECKING:
    import duckdb

# How long `ingest` waits for another writer, and how long an answering command does before it answers from old facts.
INGEST_WAIT = 600.0
ANSWER_WAIT = 2.0


# Whoever waited longer for the lock lists the files again: the writer before may have seen newer ones.
LISTING_LASTS = 0.5


class Progress(Protocol):
    """What an ingest tells of its progress: a stage starts with so many steps; steps are done."""

    def stage(self, name: str, total: int | None) -> None:
        """Say that a stage starts."""

    def advance(self, steps: int) -> None:
        """Say that steps of the current stage are done."""


class Silent:
    """Tells nobody."""

    def stage(self, name: str, total: int | None) -> None:
        """Say nothing."""

    def advance(self, steps: int) -> None:
        """Say nothing."""


@dataclass(frozen=True)
class Project:
    """A repository or folder, its settings, and where its facts are."""

    root: Path
    settings: discover.Settings
    location: store.Location


def project(path: Path) -> Project:
    """Find the project that a path belongs to: the repository around it, or the folder itself."""
    if not path.exists():
        raise ScaupError("path_not_found", f"{path} does not exist")
    if not path.is_dir():
        path = path.parent
    root = git.find_root(path) or path.resolve()
    return Project(root, settings.load(root), store.locate(root))


def ingest(
    project: Project,
    *,
    fresh: bool = False,
    wait: float = INGEST_WAIT,
    progress: Progress | None = None,
    workers: int | None = None,
) -> Response:
    """Bring the facts up to date and return the response of `ingest`. Raises `ScaupError`."""
    shown = progress or Silent()
    started = time.perf_counter()
    listing = listed(project, shown)
    if not fresh and (con := open_current(project, listing)) is not None:
        with con:
            return success(status.summary(con, project.location), status.stored_gaps(con))
    return rebuild(project, listing, fresh=fresh, wait=wait, progress=shown, workers=workers, started=started)


def listed(project: Project, progress: Progress) -> discover.Listing:
    """List the files of the project; raises `facts_unavailable` where the store came with the repository."""
    progress.stage("discover", None)
    # Whatever comes of the listing, DuckDB is needed: it is loaded while git works. Over before a worker can be forked.
    loading = threading.Thread(target=importlib.import_module, args=("duckdb",))
    loading.start()
    try:
        listing = discover.list_files(project.root, project.settings)
    finally:
        loading.join()
    store.refuse_planted(project.root, listing.planted)
    return listing


def rebuild(
    project: Project,
    listing: discover.Listing,
    *,
    fresh: bool,
    wait: float,
    progress: Progress,
    workers: int | None = None,
    started: float | None = None,
) -> Response:
    """Make facts of a listing, publish them, and return the response of `ingest`."""
    started = time.perf_counter() if started is None else started
    asked = time.perf_counter()
    with store.write(project.location, timeout=wait, fresh=fresh) as writer:
        waited = time.perf_counter() - asked
        if waited > LISTING_LASTS:
            listing = discover.list_files(project.root, project.settings)
        scan = discover.scan(
            project.root,
            project.settings,
            identify=naming.identify,
            identify_interpreter=languages.identify_interpreter,
            listing=listing,
        )
        seconds = time.perf_counter() - started - waited
        run = _Run(project, writer, scan, progress)
        run.all(seconds, workers)
        gaps = run.gaps()
        payload = status.summary(writer.con, project.location)
        writer.publish()
    return success(payload, gaps)


def open_current(project: Project, listing: discover.Listing) -> duckdb.DuckDBPyConnection | None:
    """Return a connection to the published facts where they are of the working tree as it is; None otherwise."""
    try:
        con = store.open_read(project.location)
    except ScaupError:
        return None
    if is_fresh(con, listing, project.settings):
        return con
    con.close()
    return None


def is_fresh(con: duckdb.DuckDBPyConnection, listing: discover.Listing, limits: discover.Settings) -> bool:
    """Whether the facts are of the working tree as it is, told by stat data alone."""
    return store.meta(con).get("input_digest") == input_digest(listing, limits)


def input_digest(listing: discover.Listing, limits: discover.Settings) -> str:
    """Return a digest of all that decides the facts: files by stat data, HEAD, settings, and Scaup's own versions."""
    state = hashlib.sha256()
    state.update(f"{store.CONTRACT_VERSION} {version('scaup')} {languages.code_digest()} {limits}\n".encode())
    state.update(f"{listing.head} {listing.shallow} {listing.digest} {listing.truncated}\n".encode())
    for entry in listing.entries:
        state.update(entry.raw + b"\0%d %d %d %d\n" % (entry.size, entry.mtime_ns, entry.ctime_ns, entry.inode))
    return state.hexdigest()


class _Run:
    """The stages of one ingest over one writer."""

    def __init__(self, project: Project, writer: store.Writer, scan: discover.Scan, progress: Progress) -> None:
        self.project, self.writer, self.scan, self.progress = project, writer, scan, progress
        self.con = writer.con
        self.names_changed = True
        self.build_warnings: list[str] = []
        self.configuration_problem: str | None = None
        self.meta = store.meta(writer.con)

    def all(self, discover_seconds: float, workers: int | None) -> None:
        """Run what is needed, in order."""
        from scaup.pipeline.stages import graph, history, index, parse, text

        listing, con = self.scan.listing, self.con
        head = listing.head
        limit = self.project.settings.max_file_bytes
        configured = self.configured()
        plan = parse.plan(self.writer, self.scan, {path: surface for path, surface, _ in configured})
        # The workers start first: they parse while git walks the history.
        pool = parse.start(plan, limit, workers)
        try:
            if pool is not None:
                pool.__enter__()
            store.set_meta(
                con,
                tool_version=version("scaup"),
                head=head.sha,
                head_committed_at=str(head.committed_at) if head.committed_at is not None else None,
                shallow=str(listing.shallow).lower(),
            )
            new_history = self.history_changed(history)
            if new_history:
                with self.stage("history") as ran:
                    outcome = history.run(self.writer, self.project.root)
                    ran(outcome.state, outcome.reason)
            with self.stage("parse", len(plan.jobs)) as ran:
                self.build_facts(ran)
                parse.collect(self.writer, plan, pool, limit, self.progress.advance)
                parse.write_files(self.writer, plan)
                ran(*self.parse_state())
        finally:
            if pool is not None:
                pool.__exit__()
        self.record("discover", *self.discover_state(), discover_seconds)
        changed = bool(plan.changed or plan.gone or self.writer.fresh)
        names_changed = changed or self.names_changed or self.meta.get("code_digest") != languages.code_digest()
        if names_changed:
            with self.stage("graph") as ran:
                graph.run(self.writer)
                ran("complete", None)
        history.cochange(con)
        with self.stage("metrics") as ran:
            con.execute(graph.sql("metrics"))
            ran(*self.metrics_state())
        with self.stage("index") as ran:
            index.run(self.writer, with_history=new_history)
            ran("complete", None)
        with self.stage("text") as ran:
            text.run(self.writer, self.project.root, configured)
            ran("failed" if self.configuration_problem else "complete", self.configuration_problem)
        self.finish()

    def configured(self) -> list[tuple[str, str, str]]:
        """Return (path, surface, origin) of the files to which configuration gives a surface.

        A configuration that is wrong below the root is a problem of the stage that needs it, not of the ingest.
        """
        from scaup.pipeline.text import configuration

        paths = [file.path for file in self.scan.files if file.entry.obstacle is None]
        try:
            found = configuration.load(self.project.root, configuration.paths(paths))
        except ScaupError as error:
            self.configuration_problem = error.message
            return []
        return found.surfaces(paths)

    def history_changed(self, history: Any) -> bool:
        """Whether the history has to be walked again."""
        listing = self.scan.listing
        ran = self.con.execute("SELECT state FROM stage_runs WHERE stage = 'history'").fetchone()
        key = f"{listing.head.sha} {listing.shallow} {listing.digest}"
        known = self.meta.get("history_key")
        store.set_meta(self.con, history_key=key)
        return ran is None or ran[0] == "failed" or known != key

    def build_facts(self, ran: Callable[..., None]) -> None:
        """Read the build files again: they are few."""
        from scaup.pipeline.stages import build_facts

        paths = [file.path for file in self.scan.files if file.entry.obstacle is None]
        facts = build_facts.read(self.project.root, paths)
        before = self.con.execute("SELECT path, kind, key, value FROM internal.build_facts ORDER BY ALL").fetchall()
        rows = sorted(set(facts.rows))
        self.names_changed = rows != before
        self.con.execute("DELETE FROM internal.build_facts")
        self.writer.append_rows("internal.build_facts", ("path", "kind", "key", "value"), rows)
        self.build_warnings = facts.warnings

    @contextmanager
    def stage(self, name: str, total: int | None = None) -> Iterator[Callable[[str, str | None], None]]:
        """Time a stage and record how it ended."""
        self.progress.stage(name, total)
        started = time.perf_counter()
        ended: list[tuple[str, str | None]] = []
        yield lambda state, reason: ended.append((state, reason))
        state, reason = ended[-1] if ended else ("complete", None)
        self.record(name, state, reason, time.perf_counter() - started)

    def record(self, stage: str, state: str, reason: str | None, seconds: float) -> None:
        """Write the row of a stage; its counts are what the facts hold when the ingest ends."""
        self.con.execute("DELETE FROM stage_runs WHERE stage = ?", [stage])
        self.con.execute("INSERT INTO stage_runs VALUES (?, ?, ?, NULL, ?)", [stage, state, reason, round(seconds, 3)])

    def discover_state(self) -> tuple[str, str | None]:
        listing = self.scan.listing
        reasons = []
        if listing.truncated:
            reasons.append(f"more than {self.project.settings.max_files} files: the rest was left out")
        if listing.unreadable:
            reasons.append(f"{len(listing.unreadable)} folders cannot be listed")
        reasons += self.build_warnings[:5]
        partial = listing.truncated or bool(listing.unreadable)
        return ("partial" if partial else "complete"), "; ".join(reasons) or None

    def parse_state(self) -> tuple[str, str | None]:
        rows = self.con.execute(
            "SELECT excluded_reason, count(*) FROM files WHERE excluded_reason IN ('unreadable', 'timeout', 'changed') "
            "AND language IS NOT NULL GROUP BY 1 ORDER BY 1"
        ).fetchall()
        return ("partial", ", ".join(f"{n} {reason}" for reason, n in rows)) if rows else ("complete", None)

    def metrics_state(self) -> tuple[str, str | None]:
        row = self.con.execute("SELECT state, reason FROM stage_runs WHERE stage = 'history'").fetchone()
        if row is None or row[0] == "complete":
            return "complete", None
        return "partial", f"history {row[0]}: {row[1]}"

    def finish(self) -> None:
        """Write counts, state id and whether the tree is dirty."""
        from scaup.pipeline.stages import dirty

        con = self.con
        for stage, query in status.COUNTS.items():
            row = con.execute(query).fetchone() or ()
            names = [column[0] for column in con.description or ()]
            con.execute(
                "UPDATE stage_runs SET counts = ? WHERE stage = ?",
                [json.dumps(dict(zip(names, row, strict=True))), stage],
            )
        racy = any(row[0] for row in con.execute("SELECT bool_or(mtime_ns = -1) FROM internal.file_stat").fetchall())
        hashes = dict(con.execute("SELECT path, content_hash FROM files WHERE content_hash IS NOT NULL").fetchall())
        state = hashlib.sha256(f"{store.CONTRACT_VERSION} {languages.code_digest()}\n".encode())
        state.update(f"{self.scan.listing.head.sha} {self.scan.listing.shallow}\n".encode())
        for row in con.execute(
            "SELECT path, coalesce(content_hash, excluded_reason, '') FROM files ORDER BY path"
        ).fetchall():
            state.update("\0".join(row).encode() + b"\n")
        store.set_meta(
            con,
            code_digest=languages.code_digest(),
            state_id=state.hexdigest()[:16],
            dirty=str(dirty.is_dirty(self.scan.listing, hashes)).lower(),
            # A file that was written just before may be written again without a trace in its stat data.
            input_digest=None if racy else input_digest(self.scan.listing, self.project.settings),
        )

    def gaps(self) -> Gaps:
        """Return what this ingest could not read."""
        return status.stored_gaps(self.con)
