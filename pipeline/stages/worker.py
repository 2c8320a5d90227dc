"""A process that parses: batches of files come in on standard input, columns of rows go out on standard output.

A process of its own for two reasons: Python runs on one core, and a parser that hangs or crashes can be killed.
Messages are pickles; both ends are this program. Nothing else may be printed here.
"""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
import sys
import time
from pathlib import Path
from typing import Any

from scaup.pipeline import languages
from scaup.pipeline.languages.extract import Rows, extractor
from scaup.pipeline.stages.discover import open_file
from scaup.pipeline.stages.jobs import Job, Parsed
from scaup.pipeline.text import suppressions

# A NUL byte in the first part of a file makes it binary: git's own rule.
BINARY_PROBE = 8000
# Only the head of a file says that it was generated.
GENERATED_PROBE = 2048
GENERATED = (b"DO NOT EDIT", b"@generated", b"Do not edit by hand", b"DO NOT MODIFY")
# Lines that no person writes: minified code has thousands of characters a line, prose and data in code have less.
MINIFIED_LINE = 400
# Below this size the average says nothing.
MINIFIED_BYTES = 4096
# A file that changed this shortly before it was read may change again without a trace in its stat data.
RACY_NS = 50_000_000


def blob_id(content: bytes, width: int) -> str:
    """Return the id that git gives to a content; the width of the repository's ids says which hash it uses."""
    state = hashlib.sha256() if width == 64 else hashlib.sha1(usedforsecurity=False)
    state.update(b"blob %d\0" % len(content))
    state.update(content)
    return state.hexdigest()


def parse(root: Path, job: Job, width: int, limit: int, rows: Rows) -> Parsed:
    """Read and parse one file; its rows are added to `rows`."""
    nothing = (None, None, None)
    try:
        descriptor = open_file(root, job.raw)
        with os.fdopen(descriptor, "rb") as file:
            content = file.read(limit + 1)
            status = os.fstat(descriptor)
    except FileNotFoundError:
        return Parsed(job.path, 0, 0, 0, 0, job.role, *nothing, "changed", False)
    except OSError:
        return Parsed(job.path, 0, 0, 0, 0, job.role, *nothing, "unreadable", False)
    mtime = status.st_mtime_ns if time.time_ns() - status.st_mtime_ns > RACY_NS else -1
    stat = (status.st_size, mtime, status.st_ctime_ns, status.st_ino)
    if len(content) != status.st_size:
        problem = "too_large" if len(content) > limit else "changed"
        return Parsed(job.path, *stat, job.role, *nothing, problem, False)
    if b"\0" in content[:BINARY_PROBE]:
        return Parsed(job.path, *stat, job.role, blob_id(content, width), None, None, "binary", False)
    digest = blob_id(content, width)
    lines = content.count(b"\n") + (not content.endswith(b"\n") and bool(content))
    role = job.role
    minified = len(content) > max(MINIFIED_BYTES, lines * MINIFIED_LINE)
    if role == "source" and (minified or any(mark in content[:GENERATED_PROBE] for mark in GENERATED)):
        role = "generated"
    if digest == job.known_hash:
        return Parsed(job.path, *stat, role, digest, lines, None, None, True)
    before = {table: len(found) for table, found in rows.tables.items()}
    try:
        errors = extractor(job.language, texts_only=job.texts_only).extract(job.path, role, content, rows, job.surface)
        if suppressions.MARK in content:
            found = suppressions.find(job.language, content)
            rows.tables["internal.suppressions"].extend((job.path, *row) for row in found)
    except (UnicodeDecodeError, RecursionError):
        # A binding to the parser that gives up on one file's bytes must not take the others with it.
        for table, number in before.items():
            del rows.tables[table][number:]
        return Parsed(job.path, *stat, role, *nothing, "unreadable", False)
    return Parsed(job.path, *stat, role, digest, lines, errors, None, False)


def parse_batch(
    root: Path, jobs: list[Job], width: int, limit: int, sent: set[int] | None = None
) -> tuple[list[Parsed], dict[str, Any]]:
    """Parse files; return what became of each, and the rows of all by table and column.

    `sent` are the ids of words that the caller has had the texts of; those of this batch are added.
    """
    rows = Rows(sent)
    parsed = [parse(root, job, width, limit, rows) for job in jobs]
    return parsed, rows.columns()


def main() -> None:
    """Serve batches until standard input ends."""
    # Rows only grow until they are sent: there is nothing for the collector to find.
    gc.disable()
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    # Before anything is asked: who starts a worker early has something else to do meanwhile.
    languages.load()
    # The pipe is for answers alone: what a library might print goes to standard error.
    sys.stdout = sys.stderr
    root, width, limit = pickle.load(source)  # noqa: S301  # from our own parent
    sent: set[int] = set()
    while True:
        try:
            jobs = pickle.load(source)  # noqa: S301  # from our own parent
        except EOFError:
            return
        pickle.dump(parse_batch(root, jobs, width, limit, sent), sink, protocol=pickle.HIGHEST_PROTOCOL)
        sink.flush()
