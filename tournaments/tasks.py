"""Celery's face: tasks only wake services up. What is due stands in rows, so none may be missed."""

from games.live.presence import people_gone_for_sure
from kit.periodic import every
from tournaments.services.offering import (
    GONE_SECONDS,
    bots_fill,
    offers_keep,
    people_seated,
    people_sit,
    seats_give_up,
    tournaments_wait,
)
from tournaments.services.running import tournaments_move_on


@every(2.0, "tournaments.tasks.move_on", due=tournaments_wait)
def move_on() -> int:
    """Move every tournament on in which something is due, and keep the house's ones open."""
    return tournaments_move_on() + offers_keep() + bots_fill()


@every(30.0, "tournaments.tasks.clear_seats", due=people_sit)
def clear_seats() -> int:
    """Give up the seats in sit-and-gos of people who have gone; return how many."""
    return seats_give_up(people_gone_for_sure(people_seated(), GONE_SECONDS))
