"""Agent-facing text of single files, read now: nothing is written; cross-file facts are those of the store.

The files' own rows stand beside those of all other files of the store, so that the same text.sql tells what is
agent-facing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scaup.pipeline import git, store
from scaup.pipeline.ingest import Project
from scaup.pipeline.languages.rows import NULL_INT
from scaup.pipeline.response import Gaps, ScaupError
from scaup.pipeline.settings import FILES
from scaup.pipeline.stages import graph
from scaup.pipeline.stages.jobs import Job, Parsed
from scaup.pipeline.stages.roles import role
from scaup.pipeline.text import configuration, naming

if TYPE_CHECKING:
    import duckdb

    from scaup.pipeline.stages.pool import Worker

# What text.sql and the rules read of a file; the rest of its rows is for the graph and the index.
NEEDED = (
    "symbols",
    "imports",
    "field_uses",
    "internal.strings",
    "internal.text_references",
    "internal.handlers",
    "internal.suppressions",
    "internal.swallows",
)


@dataclass
class Files:
    """Files that were read: their connection has the facts of the store with these files' own rows in place."""

    con: duckdb.DuckDBPyConnection
    configuration: configuration.Configuration
    gaps: Gaps
    read: list[str] = field(default_factory=list)
    excluded: dict[str, int] = field(default_factory=dict)
    facts: dict[str, Any] | None = None


@contextmanager
def read(
    project: Project, paths: Iterable[str], worker: Worker, meanwhile: Callable[[], object] = lambda: None
) -> Iterator[Files]:
    """Read files, given relative to the root; yield what is known of them. Raises what a wrong configuration raises.

    The worker parses, with a time limit on each file; `meanwhile` is called while it does.
    """
    from scaup.pipeline.stages.pool import Pool

    listed = sorted(set(paths))
    settings = configuration.load(project.root, _config_paths(project.root, listed))
    configured = settings.surfaces(listed)
    gaps = Gaps()
    jobs = list(_jobs(listed, {path: surface for path, surface, _ in configured}, gaps))
    with Pool(project.root, jobs, 40, project.settings.max_file_bytes, [worker]) as pool:
        con, known = _connect(project)
        try:
            _prepare(con, listed, known)
            meanwhile()
            files = Files(con, settings, gaps)
            parsed: list[Parsed] = []
            tables: list[dict[str, Any]] = []
            for done, columns in pool:
                parsed += [one for one in done if _is_read(one, files)]
                tables.append(columns)
            parsed.sort(key=lambda one: one.path)
            files.read = [one.path for one in parsed]
            _place(files, parsed, tables, known)
            names = ("path", "surface", "origin")
            _insert(con, "internal.configured_surfaces", [dict(zip(names, row, strict=True)) for row in configured])
            con.execute("CREATE TEMP TABLE text_scope AS SELECT unnest(?::VARCHAR[]) AS path", [files.read])
            con.execute(graph.sql("text"))
            yield files
        finally:
            con.close()


def _jobs(paths: Iterable[str], surfaces: Mapping[str, str], gaps: Gaps) -> Iterator[tuple[Job, int]]:
    """Yield a job for each file of a known language; the others are named among the gaps."""
    for path in paths:
        language = naming.identify(path)
        if language is None:
            gaps.skip(path, "unsupported_language")
        else:
            yield Job(path, git.decode_path(path), language, role(path), None, surfaces.get(path), texts_only=True), 0


def _is_read(done: Parsed, files: Files) -> bool:
    """Whether a file was read; one that was not is named among the gaps."""
    if done.problem is None:
        return True
    if done.problem in ("binary", "too_large"):
        files.excluded[done.problem] = files.excluded.get(done.problem, 0) + 1
    files.gaps.skip(done.path, done.problem)
    return False


def _prepare(con: duckdb.DuckDBPyConnection, listed: list[str], known: bool) -> None:
    """Make room for the rows of files beside those of the store, which is `known` where there is one."""
    if known:
        con.execute("CREATE TEMP TABLE given AS SELECT unnest(?::VARCHAR[]) AS path", [listed])
    name = "text/files.sql" if known else "schema.sql"
    con.execute(resources.files("scaup.pipeline").joinpath(name).read_text("utf-8"))


def _place(files: Files, parsed: list[Parsed], tables: list[dict[str, Any]], known: bool) -> None:
    """Put the files' rows where they have their room, and say what the store knows of the files."""
    con = files.con
    if known:
        hashes = dict(con.execute("SELECT path, content_hash FROM facts.files JOIN given USING (path)").fetchall())
        files.gaps.unchecked_files = [done.path for done in parsed if hashes.get(done.path) != done.content_hash]
        meta = dict(con.execute("SELECT key, value FROM facts.meta").fetchall())
        files.facts = {"state_id": meta.get("state_id"), "head": meta.get("head"), "dirty": meta.get("dirty") == "true"}
    else:
        files.gaps.stage(
            "graph", "there are no facts yet: what the call graph would tell was not checked; `scaup ingest` makes them"
        )
    for table in NEEDED:
        target = f"own.{table.rpartition('.')[2]}" if known else table
        _insert(con, target, [record for columns in tables if table in columns for record in _records(columns[table])])


def _records(columns: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows of columns; the number that stands for NULL in an array as None."""
    for row in zip(*columns.values(), strict=True):
        yield {name: None if value == NULL_INT else value for name, value in zip(columns, row, strict=True)}


def _connect(project: Project) -> tuple[duckdb.DuckDBPyConnection, bool]:
    """Return a connection to a database in memory, to which the published facts are attached if there are any."""
    import duckdb

    path = project.location.path
    if path is not None and path.exists():
        with suppress(ScaupError):  # facts that this version cannot read: there are none
            con = store.open_read(project.location)
            con.execute("USE memory")
            return con, True
    return duckdb.connect(config={"autoinstall_known_extensions": False, "autoload_known_extensions": False}), False


def _insert(con: duckdb.DuckDBPyConnection, table: str, records: list[dict[str, Any]]) -> None:
    """Insert rows as JSON: for some hundred rows that is cheaper than the start of numpy."""
    if not records:
        return
    types = {name: kind for name, kind, *_ in con.execute(f"DESCRIBE {table}").fetchall()}
    shape = ", ".join(f'"{name}": "{types[name]}"' for name in records[0])
    names = ", ".join(records[0])
    con.execute(
        f"INSERT INTO {table} ({names}) SELECT {', '.join(f'r.{name}' for name in records[0])} "
        f"FROM (SELECT unnest(from_json(?, '[{{{shape}}}]')) AS r)",
        [json.dumps(records)],
    )


def _config_paths(root: Path, listed: list[str]) -> list[str]:
    """Return the configuration files in the folders of these files and above them."""
    folders = {""}
    for path in listed:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return [
        f"{folder}/{name}" if folder else name
        for folder in folders
        for name in FILES
        if (root / folder / name).is_file()
    ]
