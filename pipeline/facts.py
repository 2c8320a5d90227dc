"""How answering commands get at facts: fresh ones where that is possible, else those that there are, and how stale.

with open_facts(project) as facts:
    return facts.answer({"results": search(facts.con, "retry", limit=20)})
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from scaup.pipeline import git, ingest, status, store
from scaup.pipeline.ingest import ANSWER_WAIT, Progress, Project
from scaup.pipeline.response import Gaps, Response, ScaupError, success

if TYPE_CHECKING:
    import duckdb

    from scaup.pipeline.stages.discover import Listing


@dataclass
class Facts:
    """Facts of a project, open for reading. A context manager; `close` ends it.

    `stale` is None where the facts are of the working tree as it is; otherwise it has `changed_files`, `head_moved`
    and `reason`, and the gaps say so too.
    """

    project: Project
    con: duckdb.DuckDBPyConnection
    gaps: Gaps
    stale: dict[str, Any] | None
    folder: str = ""  # relative to the root: where the user stands, from which relative paths count

    @property
    def state(self) -> Literal["fresh", "stale"]:
        """Whether the facts are of the working tree as it is."""
        return "stale" if self.stale else "fresh"

    def answer(self, payload: Mapping[str, Any]) -> Response:
        """Return the response with this payload: the state of the facts before it, and their gaps."""
        state: dict[str, Any] = {"facts": status.facts_of(self.con)}
        if self.stale:
            state["stale"] = self.stale
        return success({**state, **payload}, self.gaps)

    def close(self) -> None:
        """Close the connection."""
        self.con.close()

    def __enter__(self) -> Facts:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()
        if error is not None and _is_damage(error):
            raise ScaupError(
                "facts_unavailable",
                f"{self.project.location.path} cannot be read: {str(error).partition(chr(10))[0]} "
                f"Run `scaup ingest --fresh`.",
            ) from error


def open_facts(
    project: Project,
    *,
    refresh: bool = True,
    wait: float = ANSWER_WAIT,
    progress: Progress | None = None,
    directory: Path | None = None,
) -> Facts:
    """Open the facts of a project, brought up to date first where `refresh` says so.

    Where another process has been writing them for `wait` seconds, the facts are those that are published, with a gap
    that says so. `directory` is where the user stands. Raises `store_locked` or `facts_unavailable` where there are no
    facts, and what an ingest raises.
    """
    shown = progress or ingest.Silent()
    listing = ingest.listed(project, shown)
    folder = _folder(project.root, directory)
    if (con := ingest.open_current(project, listing)) is not None:
        return Facts(project, con, status.stored_gaps(con), None, folder)
    if not refresh and project.location.path is None:
        raise ScaupError(
            "facts_unavailable",
            "Facts are in memory and end with each command, because neither the repository nor the cache folder can be "
            "written to. Make one of them writable, then run `scaup ingest`.",
        )
    locked: ScaupError | None = None
    if refresh:
        try:
            ingest.rebuild(project, listing, fresh=False, wait=wait, progress=shown)
        except ScaupError as error:
            if error.code != "store_locked":
                raise
            locked = error
    try:
        con = store.open_read(project.location)
    except ScaupError as error:
        raise locked or error from None
    gaps = status.stored_gaps(con)
    if refresh and locked is None:
        return Facts(project, con, gaps, None, folder)
    # The writer that held the lock may have published what was asked for.
    if ingest.is_fresh(con, listing, project.settings):
        return Facts(project, con, gaps, None, folder)
    stale = staleness(con, listing)
    if locked is not None:
        stale["reason"] = f"another process is writing the facts; {stale['reason']}"
    gaps.stage("ingest", stale["reason"])
    return Facts(project, con, gaps, stale, folder)


def staleness(con: duckdb.DuckDBPyConnection, listing: Listing) -> dict[str, Any]:
    """Return how facts differ from a working tree, told by stat data: `changed_files`, `head_moved`, `reason`."""
    known = set(con.execute("SELECT path, size, mtime_ns, ctime_ns, inode FROM internal.file_stat").fetchall())
    found = {(entry.path, entry.size, entry.mtime_ns, entry.ctime_ns, entry.inode) for entry in listing.entries}
    changed = len({row[0] for row in known ^ found})
    moved = store.meta(con).get("head") != listing.head.sha
    parts = [f"{changed} file{'s' if changed != 1 else ''} changed"] if changed else []
    if moved:
        parts.append("HEAD moved")
    if not parts:  # the digest differs all the same
        parts.append("the settings, the index of git or the version of Scaup changed")
    return {
        "changed_files": changed,
        "head_moved": moved,
        "reason": f"since the facts were made, {' and '.join(parts)}",
    }


def _folder(root: Path, directory: Path | None) -> str:
    """Return a folder relative to the root as paths are written; empty for the root, and for a folder outside."""
    if directory is None:
        return ""
    inside = os.path.relpath(os.path.realpath(directory), os.path.realpath(root))
    return "" if inside == os.curdir or inside.startswith(os.pardir) else git.encode_path(os.fsencode(inside))


def _is_damage(error: BaseException) -> bool:
    """Return whether DuckDB could not read its file, as opposed to a query that is wrong."""
    import duckdb

    return isinstance(error, duckdb.IOException | duckdb.FatalException | duckdb.InternalException)
