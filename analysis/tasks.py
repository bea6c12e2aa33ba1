"""Celery's face: finished matches enter the queue within seconds, also while nobody works on it."""

from celery import shared_task

from analysis.queue import enqueue_ended


@shared_task(name="analysis.tasks.enqueue_matches", ignore_result=True)
def enqueue_matches() -> int:
    """Queue every match that has ended; how many there were."""
    return enqueue_ended()
