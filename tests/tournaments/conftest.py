"""Players who enter tournaments, and matches that end quickly."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis
from django.conf import settings
from django.db.models import F

from games.broadcast import channel_key, publish
from harness.waiting import WAIT_SECONDS
from tests.aging import rows_age
from tournaments.models import Meeting
from tournaments.services.running import GRACE, tournament_move_on
from tournaments.services.store import CALENDAR_CHANNEL, channel


def late(meeting: Meeting) -> None:
    """Let the grace of a called meeting be over."""
    rows_age(
        Meeting.objects.filter(pk=meeting.pk),
        called_at=F("called_at") - GRACE,
        due_at=F("due_at") - GRACE,
    )
    tournament_move_on(meeting.tournament_id)
    meeting.refresh_from_db()


# --- news -----------------------------------------------------------------------------------------
class News:
    """The reports about one tournament and the calendar; `read` returns those since the last."""

    def __init__(self, listener: Any, tournament_id: object) -> None:
        self._listener = listener
        self._channel = channel(tournament_id)

    def read(self) -> list[int | str]:
        """The numbers of the tournament's frames, and "calendar" for each of the calendar's."""
        publish(CALENDAR_CHANNEL, "{}")
        found: list[int | str] = []
        while (frame := self._next()) != ("calendar", {}):
            name, told = frame
            assert told.pop("type") == "changed"
            found.append(told["seq"] if name == "tournament" else name)
        return found

    def _next(self) -> tuple[str, dict[str, Any]]:
        while True:
            message = self._listener.get_message(timeout=WAIT_SECONDS)
            assert message is not None, "nothing came, not even the mark"
            if message["type"] == "message":
                own = message["channel"].decode() == channel_key(self._channel)
                return "tournament" if own else "calendar", json.loads(message["data"])


@contextmanager
def news_of(tournament_id: object) -> Iterator[News]:
    """Follow a tournament and the calendar, as a web process does."""
    with redis.Redis.from_url(settings.REDIS_URL) as client, client.pubsub() as listener:
        names = (channel_key(channel(tournament_id)), channel_key(CALENDAR_CHANNEL))
        listener.subscribe(*names)
        for _ in names:
            assert listener.get_message(timeout=WAIT_SECONDS)["type"] == "subscribe"
        yield News(listener, tournament_id)
