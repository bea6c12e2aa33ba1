"""Celery's face: tasks only wake services up. What is due stands in rows, so none may be missed."""

from games.chouette.selectors import people_seated, people_sit
from games.chouette.services.playing import (
    GONE_SECONDS,
    chouettes_are_due,
    chouettes_move_on,
    people_stand_up,
)
from games.live.presence import people_gone_for_sure
from kit.periodic import every

move_on = every(1.0, "games.chouette.tasks.move_on", due=chouettes_are_due)(chouettes_move_on)


@every(30.0, "games.chouette.tasks.clear_places", due=people_sit)
def clear_places() -> int:
    """Let people who have gone stand up between games; return how many."""
    return people_stand_up(people_gone_for_sure(people_seated(), GONE_SECONDS))
