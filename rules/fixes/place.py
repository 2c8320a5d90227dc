"""Reading a file, and replacing it: whole, or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple


class RefusedError(Exception):
    """A file is not touched; `reason` is a stable name."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Read(NamedTuple):
    """A file's content, and what tells whether it is still the same file."""

    content: bytes
    status: os.stat_result


_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read(path: Path) -> Read:
    """Return a regular file; raises `RefusedError` for a link, for what is no file, and for what cannot be read."""
    if path.is_symlink():
        raise RefusedError("symlink")
    try:
        descriptor = os.open(path, _FLAGS)
    except FileNotFoundError as error:
        raise RefusedError("not_found") from error
    except OSError as error:
        raise RefusedError("unreadable") from error
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise RefusedError("no_regular_file")
        return Read(file.read(), status)


def writable(root: Path, path: Path) -> None:
    """Raise `RefusedError` for a file behind a link, or marked read-only: its folder's owner could replace it."""
    if os.path.realpath(path) != os.path.join(os.path.realpath(root), os.path.relpath(path, root)):  # noqa: PTH118
        raise RefusedError("symlink")
    try:
        mode = path.lstat().st_mode
    except OSError as error:
        raise RefusedError("not_found") from error
    if not mode & 0o222 or not os.access(path, os.W_OK):
        raise RefusedError("read_only")


def replace(path: Path, old: bytes, new: bytes) -> None:
    """Put `new` in the place of a file that has the content `old`, under the same mode.

    What a crash leaves is the old file or the new one. Raises `RefusedError` where the file has changed, or cannot be
    written.
    """
    known = read(path)
    if known.content != old:
        raise RefusedError("changed_since_audit")
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.", suffix=".scaup")
    except OSError as error:
        raise RefusedError("folder_not_writable") from error
    made = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(new)
            file.flush()
            _take_over(descriptor, known.status)
            os.fsync(descriptor)
        again = read(path)
        if _identity(again.status) != _identity(known.status) or again.content != old:
            raise RefusedError("changed_since_audit")
        os.replace(made, path)  # noqa: PTH105  # one call, as the docstring says
    except OSError as error:
        raise RefusedError("not_written") from error
    finally:
        with suppress(OSError):
            made.unlink()
    _sync_folder(path.parent)


def _take_over(descriptor: int, status: os.stat_result) -> None:
    """Give a new file the mode of the old one, and its owner where that is allowed."""
    if hasattr(os, "fchmod"):
        with suppress(OSError):
            os.fchown(descriptor, status.st_uid, status.st_gid)
        os.fchmod(descriptor, stat.S_IMODE(status.st_mode))


def _identity(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_ino, status.st_size, status.st_mtime_ns


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
