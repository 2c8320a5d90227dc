"""When a job runs again."""

import random
import time

from jobs.queue import Queue

FIRST_DELAY = 2.0
LONGEST_DELAY = 300.0


def delay_before(attempt):
    """Return the seconds to wait before an attempt: doubled each time, and capped."""
    return min(FIRST_DELAY * 2**attempt, LONGEST_DELAY)


def jitter(seconds):
    """Spread retries, so that failed jobs do not come back all at once."""
    return seconds * random.uniform(0.8, 1.2)


class Scheduler:
    """Puts failed jobs back into the queue."""

    def __init__(self, queue: Queue, attempts=5):
        self.queue = queue
        self.attempts = attempts

    def retry(self, job):
        """Schedule a retry of a failed job, or give it up after the last attempt."""
        if job.attempt >= self.attempts:
            self.queue.bury(job)
            return None
        due = time.time() + jitter(delay_before(job.attempt))
        self.queue.put(job, due)
        return due
