"""Parses files in worker processes, with a time limit on each.

One thread a worker feeds it batches; where a batch takes too long or kills its worker, its files are tried again one
by one, so that only the culprit is lost, by name.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from scaup.pipeline.stages.jobs import Job, Parsed

# Large enough that a batch's overhead does not count, small enough that both cores end together.
BATCH_FILES = 128
BATCH_BYTES = 1_200_000
# A batch normally takes a second; a file gets this long by itself before it is given up.
BATCH_SECONDS = 60.0
FILE_SECONDS = 20.0
# Results that wait for the writer; workers pause beyond it, which bounds memory.
WAITING = 4

Result = tuple[list[Parsed], dict[str, Any]]


class Worker:
    """One worker process; started on demand, and again after it was killed.

    Starting one takes as long as loading the parser, so who knows early that files will be parsed starts it then
    (`with Worker() as worker`) and gives it to the pool.
    """

    def __init__(self) -> None:
        self.opening = b""
        self.process: subprocess.Popen[bytes] | None = None
        self._opened = False

    def __enter__(self) -> Worker:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def ask(self, jobs: Sequence[Job], seconds: float) -> Result | None:
        """Return the result for a batch; None where the worker died or ran out of time."""
        process = self.process or self.start()
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        try:
            if process.stdin is None or process.stdout is None:
                return None
            if not self._opened:
                process.stdin.write(self.opening)
                self._opened = True
            pickle.dump(list(jobs), process.stdin)
            process.stdin.flush()
            result: Result = pickle.load(process.stdout)  # noqa: S301  # from our own child
            return result
        except (OSError, EOFError, pickle.UnpicklingError):
            self.stop()
            return None
        finally:
            timer.cancel()

    def start(self) -> subprocess.Popen[bytes]:
        """Start the process. -P keeps the current folder, which may be the repository, off the module path."""
        self.process = process = subprocess.Popen(
            [sys.executable, "-P", "-c", "from scaup.pipeline.stages.worker import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._opened = False
        return process

    def stop(self) -> None:
        """End the process."""
        process, self.process = self.process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def batches(jobs: Sequence[tuple[Job, int]]) -> Iterator[list[Job]]:
    """Group jobs, given with the sizes of their files, by language: a worker then loads few grammars."""
    batch: list[Job] = []
    total = 0
    for job, size in jobs:
        if batch and (len(batch) >= BATCH_FILES or total + size > BATCH_BYTES or job.language != batch[-1].language):
            yield batch
            batch, total = [], 0
        batch.append(job)
        total += size
    if batch:
        yield batch


class Pool:
    """Workers that parse the given jobs. Use as a context manager; iterate over it for the results as they come."""

    def __init__(
        self,
        root: Path,
        jobs: Sequence[tuple[Job, int]],
        width: int,
        limit: int,
        workers: int | Sequence[Worker] | None = None,
    ) -> None:
        """Prepare to parse jobs, each with the size of its file; `width` is that of the repository's object ids.

        `workers` is how many there are at most (None: one a core), or those that were started already.
        """
        # Large batches first, so that no worker is left with one at the end.
        ordered = sorted(jobs, key=lambda job: (job[0].language, job[0].path))
        self.todo: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()
        number = 0
        for batch in batches(ordered):
            self.todo.put(batch)
            number += 1
        self.done: queue.Queue[Result | BaseException | None] = queue.Queue(WAITING)
        self.stopped = threading.Event()
        if workers is None or isinstance(workers, int):
            workers = [Worker() for _ in range(max(1, min(workers or os.cpu_count() or 1, number)))]
        self.workers = list(workers)
        for one in self.workers:
            one.opening = pickle.dumps((root, width, limit))
        self.threads = [threading.Thread(target=self.serve, args=(worker,), daemon=True) for worker in self.workers]

    def __enter__(self) -> Pool:
        for thread in self.threads:
            self.todo.put(None)
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        for worker in self.workers:
            if worker.process is not None:
                with suppress(OSError):
                    worker.process.kill()
        while any(thread.is_alive() for thread in self.threads):
            with suppress(queue.Empty):
                self.done.get(timeout=0.05)
        for worker in self.workers:
            worker.stop()

    def __iter__(self) -> Iterator[Result]:
        running = len(self.threads)
        while running:
            result = self.done.get()
            if result is None:
                running -= 1
            elif isinstance(result, BaseException):
                raise result
            else:
                yield result

    def serve(self, worker: Worker) -> None:
        """Feed one worker until there is nothing left to do."""
        try:
            while (batch := self.todo.get()) is not None and not self.stopped.is_set():
                result = worker.ask(batch, BATCH_SECONDS)
                if result is not None:
                    self.done.put(result)
                    continue
                for job in batch:
                    if self.stopped.is_set():
                        break
                    self.done.put(worker.ask([job], FILE_SECONDS) or ([_lost(job)], {}))
        except BaseException as error:  # handed to the thread that reads the results
            self.done.put(error)
        finally:
            worker.stop()
            self.done.put(None)


def _lost(job: Job) -> Parsed:
    return Parsed(job.path, 0, -1, 0, 0, job.role, None, None, None, "timeout", False)
