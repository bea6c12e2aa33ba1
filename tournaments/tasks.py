"""Celery's face: tasks only wake services up. What is due stands in rows, so none may be missed."""

from celery import shared_task

from tournaments.services.clearing import tournaments_clear
from tournaments.services.offering import bots_fill, offers_keep
from tournaments.services.running import tournaments_move_on


@shared_task(name="tournaments.tasks.move_on", ignore_result=True)
def move_on() -> int:
    """Move every tournament on in which something is due, and keep the house's ones open."""
    return tournaments_move_on() + offers_keep() + bots_fill()


@shared_task(name="tournaments.tasks.clear_prizes", ignore_result=True)
def clear_prizes() -> int:
    """Let out the prizes whose winners' play was looked at; return how many pools."""
    return tournaments_clear()
