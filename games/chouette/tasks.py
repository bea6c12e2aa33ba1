"""Celery's face: tasks only wake services up. What is due stands in rows, so none may be missed."""

from celery import shared_task
from redis.exceptions import RedisError

from games.chouette.selectors import people_seated
from games.chouette.services.playing import GONE_SECONDS, chouettes_move_on, people_stand_up
from games.live.presence import people_gone
from games.services.lobby import absence_counts


@shared_task(name="games.chouette.tasks.move_on", ignore_result=True)
def move_on() -> int:
    """Do what is due at every table; return how many there were."""
    return chouettes_move_on()


@shared_task(name="games.chouette.tasks.clear_places", ignore_result=True)
def clear_places() -> int:
    """Let people who have gone stand up between games; return how many."""
    if not absence_counts():
        return 0
    try:
        gone = people_gone(people_seated(), GONE_SECONDS)
    except RedisError:
        return 0
    return people_stand_up(list(gone))
