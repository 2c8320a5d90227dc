"""Places in documents: as in code, but fast where a file is one long line."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from scaup.pipeline.text.found import Lines


class Places(Lines):
    """Lines and columns of valid UTF-8: a column is a count of bytes less the bytes that continue a character."""

    def __init__(self, source: bytes) -> None:
        super().__init__(source)
        self._continuing: Any = None
        if not source.isascii():
            import numpy as np

            self._continuing = np.flatnonzero((np.frombuffer(source, dtype=np.uint8) & 0xC0) == 0x80)

    def place(self, byte: int) -> tuple[int, int]:
        """Return line and column of a byte."""
        line = bisect_right(self.starts, byte)
        start = self.starts[line - 1]
        column = byte - start + 1
        if self._continuing is not None:
            first, last = self._continuing.searchsorted((start, byte))
            column -= int(last) - int(first)
        return line, column


def valid(source: bytes) -> bytes:
    """Return a file as valid UTF-8, which has the same lines and columns: what is none becomes U+FFFD."""
    try:
        source.decode("utf-8")
    except UnicodeDecodeError:
        return source.decode("utf-8", "replace").encode("utf-8")
    return source
