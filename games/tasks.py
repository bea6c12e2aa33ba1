"""Celery's face: tasks only wake services up. What is due stands in rows, so none may be missed."""

from celery import shared_task

from games.services.tables import tables_wake_due


@shared_task(name="games.tasks.sweep_deadlines", ignore_result=True)
def sweep_deadlines() -> int:
    """Wake every table whose time limit has passed."""
    return tables_wake_due()
