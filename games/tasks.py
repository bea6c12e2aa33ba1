"""Celery's face: tasks only wake services up. What is due stands in rows, so none may be missed."""

from celery import shared_task

from games.live.presence import seats_away
from games.services.attendance import attendance_note, seats_awaited
from games.services.tables import tables_wake_due


@shared_task(name="games.tasks.sweep_deadlines", ignore_result=True)
def sweep_deadlines() -> int:
    """Wake every table whose time limit has passed."""
    return tables_wake_due()


@shared_task(name="games.tasks.sweep_attendance", ignore_result=True)
def sweep_attendance() -> int:
    """Note who is away where a web server ended before it could say so; how many were noted."""
    return sum(
        attendance_note(table_id=table_id, seat=seat, present=False)
        for table_id, seat in seats_away(seats_awaited())
    )
