"""Stage discover: which files there are, and which of them are in scope.

`list_files` asks git and the file system once (one `git ls-files`, one `lstat` a file): its entries are also the check
whether anything changed since the last ingest. `scan` adds what only an ingest needs: language, role, and why a file is
left out. No symbolic link is followed, and nothing but interpreter lines and ignore files is read.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from scaup.pipeline import git
from scaup.pipeline.stages import ignores
from scaup.pipeline.stages.roles import role

IGNORE_FILE = ".scaupignore"
# Ours and the version control systems' own folders.
_NEVER = frozenset({b".scaup", b".git", b".hg", b".svn", b".jj"})
_OURS = b".scaup/"  # compared without case: on some file systems .SCAUP is the same folder
# Long enough for `#!/usr/bin/env -S …`; the kernel itself reads no more than 256 bytes.
_INTERPRETER_BYTES = 128
_IGNORE_CHARACTERS = 1024 * 1024  # of an ignore file
# A tag, then for tracked files mode, blob id and stage; order and tags as `git ls-files -t -s -c -o` prints them.
_LIST = ("ls-files", "-z", "-t", "-s", "-c", "-o", "--exclude-standard")


@dataclass(frozen=True)
class Settings:
    """Limits of the scan."""

    max_file_bytes: int = 1024 * 1024  # above it, code is data or generated
    max_files: int = 500_000  # beyond it, the listing is cut and says so


class Entry(NamedTuple):
    """A file of the working tree as git and the file system know it (a tuple: there can be 100,000)."""

    path: str
    raw: bytes  # the name as the file system has it
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    mode: int  # st_mode
    tracked: bool
    blob: str | None  # blob id of the index; None for an untracked file and for one in a merge conflict
    obstacle: str | None  # why it cannot be read as a file: symlink, submodule, special, unreadable


@dataclass(frozen=True)
class Listing:
    """The files of a working tree, by path. Equal `digest`, `head`, `shallow` and entries are the same state."""

    root: Path
    is_git: bool
    head: git.Head
    shallow: bool
    entries: list[Entry]
    conflicts: int  # tracked files in a merge conflict
    deleted: int  # tracked files that the working tree lacks, those of a sparse checkout left out
    truncated: bool
    unreadable: tuple[str, ...]  # folders that could not be listed
    planted: tuple[
        str, ...
    ]  # tracked files in our own folder: they are no entries, and the store refuses to work there
    digest: str  # of all that git said, and of the stat data of .scaupignore


class File(NamedTuple):
    """A file with what its name and kind say about it. `excluded_reason` is None where it is to be parsed."""

    path: str
    entry: Entry
    language: str | None
    role: str
    excluded_reason: str | None


@dataclass(frozen=True)
class Scan:
    """A listing, and a row for each of its files in the same order."""

    listing: Listing
    files: list[File]


# A name as it was listed, before the file system was asked: raw name, tracked, blob, whether it is a repository of its
# own (a gitlink), whether it may be missing (skip-worktree).
_Found: TypeAlias = "tuple[bytes, bool, str | None, bool, bool]"


def list_files(root: Path, settings: Settings) -> Listing:
    """List the tracked and the untracked, not ignored files of `root`; where git knows no repository, walk it."""
    try:
        listed, head, shallow = git.execute(root, _LIST, git.HEAD_QUESTION, git.SHALLOW_QUESTION)
    except git.GitError:
        return _list_without_git(root, settings)
    if git.is_no_repository(listed):
        return _list_without_git(root, settings)
    if listed.returncode:
        raise git.failure(root, listed.returncode, listed.stderr)
    found, conflicts = _parse_listing(listed.stdout)
    ours = [name for name in found if name[0][:7].lower() == _OURS]
    if ours:
        found = [name for name in found if name[0][:7].lower() != _OURS]
    truncated = len(found) > settings.max_files
    entries, deleted = _stat(root, found[: settings.max_files])
    return Listing(
        root=root,
        is_git=True,
        head=git.head_of(root, head),
        shallow=shallow.stdout.strip() == b"true",
        entries=entries,
        conflicts=conflicts,
        deleted=deleted,
        truncated=truncated,
        unreadable=(),
        planted=tuple(git.encode_path(name[0]) for name in ours if name[1]),
        digest=_digest(root, listed.stdout),
    )


def scan(
    root: Path,
    settings: Settings,
    *,
    identify: Callable[[str], str | None],
    identify_interpreter: Callable[[bytes], str | None],
    listing: Listing | None = None,
) -> Scan:
    """Return the files of `root` with language, role and reason of exclusion.

    `identify` names the language of a path, `identify_interpreter` that of a `#!` line. A listing that was made before
    is taken as it is.
    """
    listing = listing or list_files(root, settings)
    ignored = _ignore_file(root, b"", os.fsencode(IGNORE_FILE))
    folders: dict[bytes, bool] = {}
    files = []
    for entry in listing.entries:
        language = None
        reason = entry.obstacle
        if reason is None:
            language = identify(entry.path) or _interpreter(root, entry, settings, identify_interpreter)
            if ignored and ignores.is_below_ignored(entry.raw, ignored, folders):
                reason = "ignored"
            elif entry.size > settings.max_file_bytes:
                reason = "too_large"
            elif language is None:
                reason = "unsupported_language"
        files.append(File(entry.path, entry, language, role(entry.path), reason))
    return Scan(listing, files)


def columns(scan: Scan) -> dict[str, dict[str, list[Any]]]:
    """Return the columns that a scan knows of `files` and `internal.file_stat`, by table."""
    entries = scan.listing.entries
    return {
        "files": {
            "path": [file.path for file in scan.files],
            "language": [file.language for file in scan.files],
            "role": [file.role for file in scan.files],
            "size": [entry.size for entry in entries],
            "excluded_reason": [file.excluded_reason for file in scan.files],
        },
        "internal.file_stat": {
            "path": [entry.path for entry in entries],
            "raw_path": [entry.raw for entry in entries],
            "size": [entry.size for entry in entries],
            "mtime_ns": [entry.mtime_ns for entry in entries],
            "ctime_ns": [entry.ctime_ns for entry in entries],
            "inode": [entry.inode for entry in entries],
        },
    }


def open_file(root: Path, raw: bytes) -> int:
    """Open a file for reading, as a descriptor: never through a link, never waiting for a pipe."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    return os.open(os.path.join(os.fsencode(root), raw), flags | getattr(os, "O_CLOEXEC", 0))  # noqa: PTH118


def _parse_listing(output: bytes) -> tuple[list[_Found], int]:
    """Return the names that git listed, by name, and how many are in a merge conflict.

    A row is `? NAME` or `TAG MODE BLOB STAGE\\tNAME`; a name in a conflict has up to three.
    """
    found: list[_Found] = []
    conflicts: set[bytes] = set()
    for row in output.split(b"\0"):
        if row[:2] == b"? ":
            # A folder that is a repository of its own ends in a slash.
            found.append((row[2:].rstrip(b"/"), False, None, row[-1:] == b"/", False))
            continue
        about, _, raw = row.partition(b"\t")
        if about[-1:] == b"0":
            found.append((raw, True, about[9:-2].decode("ascii"), about[2:8] == b"160000", about[:1] == b"S"))
        elif raw and raw not in conflicts:
            conflicts.add(raw)
            found.append((raw, True, None, about[2:8] == b"160000", False))
    found.sort()
    return found, len(conflicts)


def _stat(root: Path, found: list[_Found]) -> tuple[list[Entry], int]:
    """Return the entries that exist, by path, and the number of tracked ones that are missing."""
    prefix = os.path.join(os.fsencode(root), b"")  # noqa: PTH118
    links: dict[bytes, bool] = {b"": False}
    lstat, encode, is_regular, new = os.lstat, git.encode_path, stat.S_ISREG, tuple.__new__
    entries: list[Entry] = []
    deleted = 0
    for raw, tracked, blob, gitlink, optional in found:
        folder = raw.rpartition(b"/")[0]
        linked = links[folder] if folder in links else _is_linked(prefix, folder, links)
        try:
            status = lstat(prefix + raw)
        except (FileNotFoundError, NotADirectoryError):
            deleted += tracked and not optional
            continue
        except OSError:
            entries.append(Entry(encode(raw), raw, 0, 0, 0, 0, 0, tracked, blob, "unreadable"))
            continue
        mode = status.st_mode
        if gitlink:
            obstacle: str | None = "submodule"
        elif is_regular(mode):
            obstacle = "symlink" if linked else None
        elif stat.S_ISDIR(mode):
            deleted += tracked  # a folder took its place; what is in it is listed by itself
            continue
        else:
            obstacle = "symlink" if stat.S_ISLNK(mode) or linked else "special"
        times = status.st_mtime_ns, status.st_ctime_ns
        row = (encode(raw), raw, status.st_size, *times, status.st_ino, mode, tracked, blob, obstacle)
        entries.append(new(Entry, row))
    entries.sort()
    return entries, deleted


def _is_linked(prefix: bytes, folder: bytes, links: dict[bytes, bool]) -> bool:
    """Return whether a folder is reached through a link; asks the file system once a folder."""
    above = [folder]
    while above[-1] not in links:
        above.append(above[-1].rpartition(b"/")[0])
    linked = links[above.pop()]
    for name in reversed(above):
        links[name] = linked = linked or _is_link(prefix + name)
    return linked


def _is_link(place: bytes) -> bool:
    try:
        status = os.lstat(place)
    except OSError:
        return False  # the lstat of the file tells
    # A junction of Windows is a folder with a reparse point.
    reparse = getattr(status, "st_reparse_tag", 0) == getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1)
    return stat.S_ISLNK(status.st_mode) or reparse


def _digest(root: Path, listed: bytes) -> str:
    digest = hashlib.blake2b(listed, digest_size=16)
    try:
        status = (root / IGNORE_FILE).lstat()
    except OSError:
        pass
    else:
        digest.update(b"%d %d %d" % (status.st_size, status.st_mtime_ns, status.st_ino))
    return digest.hexdigest()


def _interpreter(
    root: Path, entry: Entry, settings: Settings, identify_interpreter: Callable[[bytes], str | None]
) -> str | None:
    """Return the language that the first line of an executable without a suffix names."""
    if not entry.mode & 0o111 or entry.size > settings.max_file_bytes or b"." in entry.raw.rpartition(b"/")[2]:
        return None
    try:
        descriptor = open_file(root, entry.raw)
    except OSError:
        return None
    try:
        start = os.read(descriptor, _INTERPRETER_BYTES)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return identify_interpreter(start.split(b"\n", 1)[0]) if start.startswith(b"#!") else None


def _ignore_file(root: Path, folder: bytes, name: bytes) -> list[ignores.IgnoreFile]:
    """Return the ignore file of a folder; none where it cannot be read."""
    try:
        with os.fdopen(open_file(root, folder + name), encoding="utf-8-sig", errors="surrogateescape") as file:
            lines = file.read(_IGNORE_CHARACTERS).split("\n")
    except OSError:
        return []
    return [ignores.parse(folder, lines)]


def _list_without_git(root: Path, settings: Settings) -> Listing:
    unreadable: list[str] = []
    found: list[_Found] = []
    truncated = False
    for raw in _walk(root, unreadable):
        if len(found) == settings.max_files:
            truncated = True
            break
        found.append((raw, False, None, False, False))
    entries, _ = _stat(root, found)
    return Listing(
        root=root,
        is_git=False,
        head=git.Head(None, None),
        shallow=False,
        entries=entries,
        conflicts=0,
        deleted=0,
        truncated=truncated,
        unreadable=tuple(sorted(unreadable)),
        planted=(),
        digest=_digest(root, b"\0".join(sorted(entry.raw for entry in entries))),
    )


def _walk(root: Path, unreadable: list[str]) -> Iterator[bytes]:
    """Yield the names of the files below `root`, as `git ls-files -o` would: each .gitignore counts for its folder.

    A folder waits with the ignore files from the root down to it.
    """
    waiting: list[tuple[bytes, list[ignores.IgnoreFile]]] = [(b"", [])]
    while waiting:
        folder, above = waiting.pop()
        try:
            with os.scandir(os.path.join(os.fsencode(root), folder)) as rows:  # noqa: PTH118
                children = sorted(rows, key=lambda row: row.name)
        except OSError:
            unreadable.append(git.encode_path(folder.rstrip(b"/")))
            continue
        if any(child.name == b".gitignore" for child in children):
            above = [*above, *_ignore_file(root, folder, b".gitignore")]
        for child in children:
            is_folder = child.is_dir(follow_symlinks=False)
            raw = folder + child.name + (b"/" if is_folder else b"")
            if child.name in _NEVER or ignores.is_ignored(raw, above):
                continue
            if is_folder:
                waiting.append((raw, above))
            else:
                yield raw
