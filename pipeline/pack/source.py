"""Bodies as they stand in the working tree."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from scaup.pipeline import git
from scaup.pipeline.facts import Facts
from scaup.pipeline.stages.dirty import blob_id
from scaup.pipeline.stages.discover import open_file

# A line beyond this length is data, and would outweigh the rest of the pack.
LONGEST_LINE = 2_000


class Source:
    """The files of a working tree, each read once. `hashes` are the blob ids of the contents that the facts are of."""

    def __init__(self, root: Path, hashes: Mapping[str, str | None]) -> None:
        self._root = root
        self._hashes = hashes
        self._files: dict[str, list[str] | None] = {}
        self.changed: set[str] = set()  # read, and not what the facts are of
        self.unreadable: set[str] = set()

    def read(self, path: str) -> list[str] | None:
        """Return the lines of a file without their ends; None where it cannot be read."""
        if path not in self._files:
            self._files[path] = self._read(path)
        return self._files[path]

    def _read(self, path: str) -> list[str] | None:
        try:
            with os.fdopen(open_file(self._root, git.decode_path(path)), "rb") as file:
                content = file.read()
        except (OSError, ValueError):
            self.unreadable.add(path)
            return None
        known = self._hashes.get(path)
        if known is not None and blob_id(content, known) != known:
            self.changed.add(path)
        return decode(content)


def of_facts(facts: Facts) -> Source:
    """Return the files that facts are of."""
    hashes = dict(facts.con.execute("SELECT path, content_hash FROM files").fetchall())
    return Source(facts.project.root, hashes)


def decode(content: bytes) -> list[str]:
    """Return the lines of a content as grammars count them: a line feed ends one. Bytes that are no UTF-8 are shown."""
    return content.decode("utf-8", "backslashreplace").replace("\r\n", "\n").split("\n")


def shorten(line: str) -> str:
    """Return a line, cut where it is longer than anybody reads."""
    if len(line) <= LONGEST_LINE:
        return line
    return f"{line[:LONGEST_LINE]} … ({len(line) - LONGEST_LINE} more characters)"
