"""Celery's face: finished matches enter the queue within seconds, also while nobody works on it."""

from celery import shared_task

from analysis.queue import LOOKS_BACK_OFTEN, enqueue_ended, enqueue_missed


@shared_task(name="analysis.tasks.enqueue_matches", ignore_result=True)
def enqueue_matches() -> int:
    """Queue every match that has just ended; how many there were."""
    return enqueue_ended(LOOKS_BACK_OFTEN)


@shared_task(name="analysis.tasks.enqueue_missed_matches", ignore_result=True)
def enqueue_missed_matches() -> int:
    """Queue every match that ended while nothing looked for it; how many there were."""
    return enqueue_missed()
