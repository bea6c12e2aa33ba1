"""Celery's face: tasks only wake services up. What is due stands in rows, so none may be missed."""

from celery import shared_task
from redis.exceptions import RedisError

from games.live.presence import people_gone
from games.services.lobby import absence_counts
from tournaments.services.offering import (
    GONE_SECONDS,
    bots_fill,
    offers_keep,
    people_seated,
    seats_give_up,
)
from tournaments.services.running import tournaments_move_on


@shared_task(name="tournaments.tasks.move_on", ignore_result=True)
def move_on() -> int:
    """Move every tournament on in which something is due, and keep the house's ones open."""
    return tournaments_move_on() + offers_keep() + bots_fill()


@shared_task(name="tournaments.tasks.clear_seats", ignore_result=True)
def clear_seats() -> int:
    """Give up the seats in sit-and-gos of people who have gone; return how many."""
    if not absence_counts():
        return 0
    try:
        gone = people_gone(people_seated(), GONE_SECONDS)
    except RedisError:
        return 0
    return seats_give_up(gone)
