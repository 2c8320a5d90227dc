"""A progress bar on standard error: only on a terminal, and only for work that takes longer than half a second."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

DELAY = 0.5  # seconds: what ends before needs no bar


class Bar:
    """Shows one stage at a time. A context manager: at its end nothing of the bar is left on the terminal."""

    def __init__(self, *, delay: float = DELAY, enabled: bool = True) -> None:
        self._lock = threading.Lock()
        self._stage = ""
        self._total: int | None = None  # steps of the stage; None where nobody knows
        self._done = 0
        self._shown: Progress | None = None
        self._timer = threading.Timer(delay, self._show)
        self._timer.daemon = True
        self._enabled = enabled and sys.stderr.isatty()

    def stage(self, name: str, total: int | None) -> None:
        """Say that a stage starts."""
        with self._lock:
            self._stage, self._total, self._done = name, total, 0
            if self._shown is not None:
                self._shown.reset(self._shown.task_ids[0], total=total, description=name, count="")

    def advance(self, steps: int) -> None:
        """Say that steps of the current stage are done."""
        with self._lock:
            self._done += steps
            if self._shown is not None:
                self._shown.update(self._shown.task_ids[0], completed=self._done, count=self._count())

    def __enter__(self) -> Bar:
        if self._enabled:
            self._timer.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._timer.cancel()
        with self._lock:
            self._enabled = False
            if self._shown is not None:
                self._shown.stop()

    def _count(self) -> str:
        return "" if self._total is None else f"{self._done}/{self._total}"

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[count]}"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        with self._lock:
            if self._enabled:
                bar.add_task(self._stage, total=self._total, completed=self._done, count=self._count())
                bar.start()
                self._shown = bar
