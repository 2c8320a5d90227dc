"""Runs what is due."""

from jobs.schedule import Scheduler


def work(job, scheduler: Scheduler):
    """Run one job; one that fails is scheduled again."""
    try:
        job.run()
    except Exception as error:
        print(f"{job} failed: {error}")
        scheduler.retry(job)
