"""What workers are asked and what they answer of a file: apart, so that asking loads no parser."""

from __future__ import annotations

from typing import NamedTuple


class Job(NamedTuple):
    """A file to parse, and the digest under which its rows are kept already, if any."""

    path: str
    raw: bytes
    language: str
    role: str
    known_hash: str | None
    # What configuration says that an agent reads it as.
    surface: str | None = None
    # Whether only its texts are wanted.
    texts_only: bool = False


class Parsed(NamedTuple):
    """What became of one file. With a `problem` it has no rows; `unchanged` ones keep those that they have."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    role: str
    content_hash: str | None
    lines: int | None
    errors: int | None
    problem: str | None
    unchanged: bool
