"""The fact store: where it is, who may write it, and how new facts take the place of old ones.

A writer takes the lock, builds a new database in a folder of its own beside the current one, and publishes it by one
rename, read-only. So a killed writer leaves the old facts whole, and a reader keeps the state that it opened.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from scaup.pipeline.response import ScaupError, names

if TYPE_CHECKING:
    import duckdb

CONTRACT_VERSION = "1.0.0"  # of the public tables in schema.sql; another version is rebuilt, never half-read
STORAGE_VERSION = "v1.0.0"  # of DuckDB's file: the oldest, so that older clients read it too
MEMORY_LIMIT = "256MB"  # of DuckDB's buffers: it spills to disk beyond, and an agent's machine has other work to do
THREADS = min(os.cpu_count() or 1, 8)  # beyond eight, each one costs buffers and wins little

FOLDER = ".scaup"
FACTS = "facts.duckdb"
_LOCK = "facts.lock"
_HOLDER = "facts.lock.pid"  # beside the lock: Windows lets nobody read a locked file
_BUILD = "build-"  # prefix of a writer's own folder

Place = Literal["repository", "cache", "memory"]


@dataclass
class _Memory:
    """The database of a location that has no file."""

    connection: duckdb.DuckDBPyConnection | None = None


@dataclass(frozen=True)
class Location:
    """Where facts are: `path` is the database's file, None in memory."""

    path: Path | None
    place: Place
    memory: _Memory = field(default_factory=_Memory, compare=False, repr=False)


# ---------------------------------------------------------------------------------------------------------- place


def locate(root: Path) -> Location:
    """Return where the facts of `root` are, and make the folder: in the root, else in the user's cache, else in memory.

    Raises `facts_unavailable` for a folder that is a link, has one in it, or belongs to another user; what git tracks
    is `refuse_planted`'s to see.
    """
    candidates: list[tuple[Path | None, Place]] = [(root / FOLDER, "repository"), (_cache(root), "cache")]
    for folder, place in candidates:
        if folder is not None:
            _refuse_foreign(folder)
            if _is_writable(folder):
                return Location(folder / FACTS, place)
    return Location(None, "memory")


def refuse_planted(root: Path, tracked: Iterable[str] | None = None) -> None:
    """Raise `facts_unavailable` where the store in `root` may come with the repository instead of from Scaup.

    `tracked` are the paths that git tracks, where the caller has them; otherwise git is asked, which costs a process.
    """
    folder = root / FOLDER
    if not os.path.lexists(folder):
        return
    _refuse_foreign(folder)
    if tracked is None:
        tracked = _tracked(root)
    # Case is folded: on some file systems a tracked `.SCAUP` is this folder.
    planted = sorted(path for path in tracked if path.partition("/")[0].casefold() == FOLDER)
    if planted:
        raise ScaupError(
            "facts_unavailable",
            f"git tracks {names(planted)}, so the facts may have come with the repository. "
            f"Run `git rm -r {FOLDER}`, then `scaup ingest`.",
        )


def _refuse_foreign(folder: Path) -> None:
    """Raise `facts_unavailable` for a folder, or an entry of it, that is a link or belongs to another user."""
    _refuse_entry(folder)
    try:
        entries = list(folder.iterdir())
    except OSError:
        return  # no folder, or one that cannot be looked into and so not be written to: the next place is asked
    for entry in entries:
        _refuse_entry(entry)


def _refuse_entry(entry: Path) -> None:
    try:
        status = entry.lstat()
    except OSError:
        return  # not there, or gone again: a writer cleans up
    if stat.S_ISLNK(status.st_mode) or _is_junction(entry):
        what = "is a symbolic link"
    elif hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        what = "belongs to another user"
    else:
        return
    raise ScaupError(
        "facts_unavailable",
        f"{entry} {what}: a repository may have planted it. Remove it, then run `scaup ingest`.",
    )


def _is_junction(path: Path) -> bool:
    is_junction = getattr(os.path, "isjunction", None)  # since Python 3.12
    return bool(is_junction and is_junction(path))


def _tracked(root: Path) -> list[str]:
    from scaup.pipeline import git

    try:
        (ended,) = git.execute(root, ("--no-literal-pathspecs", "ls-files", "-z", "--", f":(icase){FOLDER}"))
    except git.GitError:
        return []  # there is no git
    if ended.returncode:
        if git.is_no_repository(ended):
            return []
        raise git.failure(root, ended.returncode, ended.stderr)
    return [os.fsdecode(path) for path in ended.stdout.split(b"\0") if path]


def _cache(root: Path) -> Path | None:
    """Return the folder for `root` in the user's cache; None where there is no such place."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(base):  # noqa: PTH117 - the XDG specification: a relative one is ignored
            base = "~/.cache"
    try:
        cache = Path(base).expanduser()
    except RuntimeError:  # no home
        return None
    if not base or not cache.is_absolute():
        return None
    digest = hashlib.sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:16]
    return cache / "scaup" / digest


def _is_writable(folder: Path) -> bool:
    """Return whether facts can be written in `folder`, found by trying; it exists afterwards."""
    try:
        str(folder).encode("utf-8")  # DuckDB takes no other path
        folder.mkdir(parents=folder.name != FOLDER, exist_ok=True)
        ignore = folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", "ascii")
        with (folder / _LOCK).open("ab"):
            pass
    except (OSError, UnicodeEncodeError):
        return False
    return True


# -------------------------------------------------------------------------------------------------------- reading


def open_read(location: Location) -> duckdb.DuckDBPyConnection:
    """Return a read-only connection to the published facts; it keeps the state that it opened.

    Open another one where a second is needed: a `cursor()` of it does not have the facts as its default database.
    Raises `facts_unavailable` where there are none, they cannot be read, or have another contract version.
    """
    import duckdb

    if location.path is None:
        if location.memory.connection is None:
            raise _no_facts()
        return location.memory.connection.cursor()
    path = published(location)
    # Attached to a database in memory: DuckDB shares one instance a path, so that a plain connection would show the
    # file that another connection of this process opened, even after a newer one was published.
    connection = duckdb.connect(":memory:", config=_settings(_spill()))
    try:
        connection.execute(f"ATTACH {_literal(path)} AS facts (READ_ONLY)")
        connection.execute("USE facts")
        about = meta(connection)
    except duckdb.Error as error:
        connection.close()
        raise _unreadable(path, error) from error
    if not is_ours(about):
        connection.close()
        raise other_version(about)
    return connection


def published(location: Location) -> Path:
    """Return the file of the published facts, absolute and free of a foreign `.wal`; raises `facts_unavailable`."""
    if location.path is None or not location.path.is_file():
        raise _no_facts()
    path = location.path.absolute()
    try:
        _clear_wal(path)
    except OSError as error:
        raise ScaupError(
            "facts_unavailable",
            f"{path}.wal would change the facts and cannot be removed ({error.strerror}). Remove it by hand.",
        ) from error
    return path


def meta(connection: duckdb.DuckDBPyConnection) -> dict[str, str | None]:
    """Return the properties of a store."""
    return dict(connection.execute("SELECT key, value FROM meta ORDER BY key").fetchall())


def set_meta(connection: duckdb.DuckDBPyConnection, **values: str | None) -> None:
    """Set properties of a store; those not named keep their values."""
    for key, value in values.items():
        connection.execute("DELETE FROM meta WHERE key = ?", [key])
        connection.execute("INSERT INTO meta VALUES (?, ?)", [key, value])


# -------------------------------------------------------------------------------------------------------- writing


@dataclass
class Writer:
    """A new state of the facts that is being built. Nobody sees it before `publish`.

    `fresh` says that it started empty, `fresh_reason` why; otherwise it started as a copy of the published facts.
    """

    con: duckdb.DuckDBPyConnection
    fresh: bool
    fresh_reason: str | None
    _location: Location
    _built: Path | None

    def append(self, table: str, columns: Mapping[str, Sequence[Any] | Any]) -> None:
        """Insert rows given by columns of one length: sequences (None for NULL), arrays, or masked numpy arrays.

        `table` may name its schema. Numbers are fastest as numpy arrays or `array.array`, strings as lists.
        """
        arrays = {name: _array(values) for name, values in columns.items()}
        lengths = {len(values) for values in arrays.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns of {table} differ in length: {sorted(lengths)}")
        if not lengths or lengths == {0}:
            return
        listed = ", ".join(_quoted(name) for name in arrays)
        target = ".".join(_quoted(part) for part in table.split("."))
        self.con.register("appended rows", arrays)
        try:
            self.con.execute(f'INSERT INTO {target} ({listed}) SELECT {listed} FROM "appended rows"')
        finally:
            self.con.unregister("appended rows")

    def append_rows(self, table: str, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Insert rows given one by one, with the names of their columns."""
        if rows:
            self.append(table, dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))

    def publish(self) -> None:
        """Put this state in the place of the published facts, in one step, and close the connection."""
        if self._built is None:
            self._location.memory.connection = self.con
            return
        if self._location.path is None:
            raise ValueError("a file is published to a path")
        path = self._location.path.absolute()
        self.con.execute("CHECKPOINT")
        self.con.close()
        with _writing(path):
            _sync(self._built)
            self._built.chmod(0o444)
            _clear_wal(path)
            _replace(self._built, path)
            _sync(path.parent)


@contextmanager
def write(location: Location, *, timeout: float, fresh: bool = False) -> Iterator[Writer]:
    """Take the lock within `timeout` seconds, and yield a writer that starts from the published facts.

    It starts empty where `fresh` is asked for, or where there are no facts that this version can read. Without
    `publish` nothing changes. Raises `store_locked`, or `facts_unavailable` where nothing can be written or the copied
    facts turn out to be damaged.
    """
    if location.path is None:
        yield _in_memory(location)
        return
    import duckdb

    path = location.path.absolute()
    with _locked(path.parent, timeout):
        with _writing(path):
            _clear_wal(path)
            _clear_builds(path.parent)
            build = _make_build(path.parent)
        try:
            with _writing(path):
                writer = _begin(location, path, build, fresh)
            try:
                yield writer
            except duckdb.Error as error:
                if writer.fresh or not _is_damage(error):
                    raise
                raise _unreadable(path, error) from error
            finally:
                writer.con.close()
        finally:
            shutil.rmtree(build, ignore_errors=True)


def _in_memory(location: Location) -> Writer:
    import duckdb

    connection = duckdb.connect(":memory:", config=_settings(None))
    _create(connection)
    return Writer(connection, True, "facts in memory are not kept", location, None)


def _begin(location: Location, path: Path, build: Path, fresh: bool) -> Writer:
    import duckdb

    built = build / FACTS
    settings = _settings(build / "spill") | {
        "preserve_insertion_order": False,  # every listing has its own order
        "storage_compatibility_version": STORAGE_VERSION,
        "fsync_mode": "NONE",  # a file that a crash would throw away; `publish` syncs it once
    }
    reason: str | None = "a fresh start was asked for"
    if not fresh:
        if path.is_file():
            connection, reason = _copy(path, built, settings)
            if connection is not None:
                return Writer(connection, False, None, location, built)
        else:
            reason = "there are no facts yet"
    connection = duckdb.connect(str(built), config=settings)
    _create(connection)
    return Writer(connection, True, reason, location, built)


def _copy(path: Path, built: Path, settings: dict[str, Any]) -> tuple[duckdb.DuckDBPyConnection | None, str | None]:
    """Open a copy of the published facts; without a connection, return why it is of no use."""
    import duckdb

    shutil.copyfile(path, built)
    connection = None
    try:
        connection = duckdb.connect(str(built), config=settings)
        about = meta(connection)
        if is_ours(about):
            return connection, None
        reason = other_version(about).message
    except duckdb.Error as error:
        reason = f"the facts cannot be read: {_first_line(error)}"
    if connection is not None:
        connection.close()
    for left in built.parent.glob(f"{FACTS}*"):
        left.unlink()
    return None, reason


def _create(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(_schema())
    set_meta(connection, contract_version=CONTRACT_VERSION, schema_digest=schema_digest())


def _schema() -> str:
    return Path(__file__).with_name("schema.sql").read_text("utf-8")


@functools.cache
def schema_digest() -> str:
    """Return a digest of schema.sql: internal tables can differ between versions of one contract."""
    return hashlib.sha256(_schema().encode()).hexdigest()[:16]


def _array(values: Any) -> Any:
    """Return a column as an array that DuckDB scans directly."""
    import array

    import numpy as np

    if isinstance(values, np.ndarray):
        return values.astype(object) if values.dtype.kind == "U" else values  # fixed-width text is slow
    if isinstance(values, array.array):
        return np.asarray(values)
    return np.fromiter(values, dtype=object, count=len(values))


# ------------------------------------------------------------------------------------------------------- the lock


@contextmanager
def _locked(folder: Path, timeout: float) -> Iterator[None]:
    """Hold the writer's lock. It belongs to the process: when that dies, the lock is free."""
    from filelock import FileLock, Timeout

    place, holder = folder / _LOCK, folder / _HOLDER
    lock = FileLock(place, timeout=timeout)
    try:
        with _writing(folder / FACTS):
            lock.acquire()
    except Timeout:
        pid = _read_pid(holder)
        who = f"process {pid}" if pid else "another process"
        details = {"pid": pid} if pid else {}
        raise ScaupError(
            "store_locked",
            f"{who} holds {place}, and did not finish within {timeout:g} seconds. "
            f"When it has ended, run the command again.",
            lock=str(place),
            **details,
        ) from None
    try:
        with suppress(OSError):  # it only makes a message better
            holder.write_text(str(os.getpid()), "ascii")
        yield
    finally:
        with suppress(OSError):
            holder.unlink()
        lock.release()


def _read_pid(holder: Path) -> int | None:
    try:
        return int(holder.read_text("ascii"))
    except (OSError, ValueError):
        return None


# ---------------------------------------------------------------------------------------------------------- files


def _clear_wal(path: Path) -> None:
    """Remove logs beside the facts. No writer of ours leaves one: DuckDB would replay a foreign one into the facts."""
    for log in path.parent.glob(f"{FACTS}.wal*"):
        log.unlink(missing_ok=True)


def _clear_builds(folder: Path) -> None:
    """Remove what killed writers left; under the lock nobody else builds."""
    for left in folder.glob(f"{_BUILD}*"):
        shutil.rmtree(left, ignore_errors=True)


def _make_build(folder: Path) -> Path:
    import tempfile

    return Path(tempfile.mkdtemp(prefix=_BUILD, dir=folder))


def _spill() -> Path:
    """Return a folder for what does not fit into a reader's memory: DuckDB makes it on demand, and removes it."""
    import secrets
    import tempfile

    return Path(tempfile.gettempdir()) / f"scaup-spill-{secrets.token_hex(8)}"


def _sync(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    if path.is_dir() and os.name == "nt":
        return  # Windows opens no folders
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _replace(built: Path, path: Path) -> None:
    """Rename; on Windows a reader's open file is in the way for as long as it is open."""
    import time

    for left in range(20, -1, -1):
        try:
            if os.name == "nt" and path.exists():
                path.chmod(0o666)  # there, a read-only file cannot be replaced
            built.replace(path)
            return
        except PermissionError as error:
            if os.name != "nt" or not left:
                raise ScaupError(
                    "store_locked",
                    f"{path} cannot be replaced ({error.strerror}). End the programs that have it open, "
                    f"and run the command again.",
                ) from error
            time.sleep(0.1)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    from filelock import Timeout

    try:
        yield
    except Timeout:  # an OSError too
        raise
    except OSError as error:
        raise ScaupError(
            "facts_unavailable",
            f"Facts cannot be written to {path.parent}: {error.strerror or error}. Make room or make it writable, "
            f"and run the command again.",
        ) from error


# --------------------------------------------------------------------------------------------------------- DuckDB


def _settings(spill: Path | None) -> dict[str, Any]:
    """Return DuckDB's settings for every connection; it loads nothing from outside and spills where it is told."""
    return {
        "memory_limit": MEMORY_LIMIT,
        "threads": THREADS,
        "temp_directory": str(spill or ""),
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_persistent_secrets": False,
        "python_enable_replacements": False,  # a table that is not there is an error, not a Python variable
    }


def _literal(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _is_damage(error: Exception) -> bool:
    """Return whether DuckDB says that the file is broken, and not that the disk is full or the query wrong."""
    return re.search(r"(?i)corrupt|read enough bytes|not a valid duckdb|deserializ", str(error)) is not None


def _no_facts() -> ScaupError:
    return ScaupError("facts_unavailable", "There are no facts yet. Run `scaup ingest`.")


def _unreadable(path: Path, error: Exception) -> ScaupError:
    return ScaupError(
        "facts_unavailable",
        f"{path} cannot be read: {_first_line(error)}. Run `scaup ingest --fresh` to build the facts anew.",
    )


def is_ours(about: Mapping[str, str | None]) -> bool:
    """Return whether a store with these properties was made with the tables of this version."""
    return about.get("contract_version") == CONTRACT_VERSION and about.get("schema_digest") == schema_digest()


def other_version(about: Mapping[str, str | None]) -> ScaupError:
    """Return the error for facts with the tables of another version."""
    theirs = about.get("contract_version")
    what = f"contract version {theirs}" if theirs != CONTRACT_VERSION else "the tables of another version of Scaup"
    return ScaupError(
        "facts_unavailable", f"The facts have {what}, and this Scaup writes {CONTRACT_VERSION}. Run `scaup ingest`."
    )
