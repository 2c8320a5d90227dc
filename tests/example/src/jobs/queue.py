"""Jobs that wait, by the time at which they are due."""

import heapq


class Queue:
    """A queue in memory."""

    def __init__(self):
        self.waiting = []
        self.buried = []

    def put(self, job, due=0.0):
        """Let a job wait until it is due."""
        heapq.heappush(self.waiting, (due, job))

    def bury(self, job):
        """Keep a job that failed for good, for a person to look at."""
        self.buried.append(job)
