"""Colours of text on a terminal."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TextIO


@dataclass(frozen=True)
class Paint:
    """Colours, where `on`; otherwise every text stays as it is."""

    on: bool = False

    def place(self, text: str) -> str:
        """Paint a path and line."""
        return self._with("36", text)

    def name(self, text: str) -> str:
        """Paint the name of a symbol."""
        return self._with("1", text)

    def minor(self, text: str) -> str:
        """Paint what explains."""
        return self._with("2", text)

    def error(self, text: str) -> str:
        """Paint the word that says that something failed."""
        return self._with("1;31", text)

    def warning(self, text: str) -> str:
        """Paint the word that says that something is missing."""
        return self._with("1;33", text)

    def _with(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text


def paint_for(stream: TextIO) -> Paint:
    """Return the colours for a stream: on a terminal, unless NO_COLOR is set; anywhere, where FORCE_COLOR is."""
    if os.environ.get("NO_COLOR"):
        return Paint(False)
    if os.environ.get("FORCE_COLOR"):
        return Paint(True)
    return Paint(stream.isatty() and os.environ.get("TERM") != "dumb")
