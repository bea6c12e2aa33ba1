"""Celery's face: what is done for the ranking list by the clock."""

from celery import shared_task

from ratings.ranks import marks_make


@shared_task(name="ratings.tasks.mark_ranks", ignore_result=True)
def mark_ranks() -> int:
    """Make the marks anew from which deep ranks are counted; how many."""
    return marks_make()
