"""The WebSockets of tournaments: they report that something changed; pages fetch the change.

Frames carry no state, so of several in a short time only the newest is sent.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any, Final
from uuid import UUID

import msgspec
from django.urls import path

from games.broadcast import person_channel
from games.live.delivery import CLOSE_NO_TABLE
from games.live.person import FrameType, NewsConsumer
from games.live.work import in_thread
from tournaments.selectors import tournament_get
from tournaments.services.news import CALENDAR_CHANNEL, changed, channel

#: between two frames to one socket, however often a tournament changes
PAUSE_SECONDS: Final = 1.0


class Calm:
    """Sends the first frame at once, and then the newest one after each pause.

    Frames arrive in their order, and the last one before a silence always arrives.
    """

    def __init__(self, send: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        self._send = send
        self._next_at = float("-inf")
        self._waiting: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._sending: asyncio.Task[None] | None = None

    async def take(self, text: str) -> None:
        """Send a frame now, or keep it until the pause is over in place of an older one."""
        loop = asyncio.get_running_loop()
        if self._timer is None and loop.time() >= self._next_at:
            self._next_at = loop.time() + PAUSE_SECONDS
            await self._send_after(self._sending, text)
            return
        self._waiting = text
        if self._timer is None:
            self._timer = loop.call_at(self._next_at, self._due, context=Context())

    def hurry(self) -> None:
        """Send what waits at once, and the next frame without a pause before it."""
        if self._timer is not None:
            self._timer.cancel()
            self._due()
        self._next_at = float("-inf")

    def end(self) -> None:
        """Send nothing more."""
        if self._timer is not None:
            self._timer.cancel()
        if self._sending is not None:
            self._sending.cancel()

    def _due(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer, self._next_at = None, loop.time() + PAUSE_SECONDS
        text, self._waiting = self._waiting, None
        assert text is not None, "a timer runs for a frame"
        sends = self._send_after(self._sending, text)
        self._sending = loop.create_task(sends, context=Context())

    async def _send_after(self, earlier: asyncio.Task[None] | None, text: str) -> None:
        """Send a frame once an earlier one is sent, which may not even have begun."""
        if earlier is not None:
            await asyncio.wait({earlier})
        await self._send(text)


#: what a person's own channel reports about their matches: a call, and a table that is open
OWN_NEWS: Final = frozenset({"challenge", "seated"})


class CalendarConsumer(NewsConsumer):
    """Reports that the calendar changed: entries, new tournaments, beginnings and ends."""

    async def connect(self) -> None:
        """Accept anyone, and pass news on with pauses."""
        self.calm = Calm(self.send_text)
        await super().connect()

    async def begin(self, user_id: int | None) -> bool:
        """Follow the calendar."""
        await self.follow(CALENDAR_CHANNEL, hear=self.calm.take)
        await self.send_frame(changed())
        return True

    async def end(self) -> None:
        """Send nothing more."""
        self.calm.end()
        await super().end()


class TournamentConsumer(CalendarConsumer):
    """Reports that one tournament changed; who sees its page may follow it, as long as they do."""

    #: the reader of a tournament that only some see, so that each report asks again
    reader: int | None = None
    is_private = False

    async def begin(self, user_id: int | None) -> bool:
        """Follow the tournament; calls and tables of one's own are reported without a pause."""
        tournament_id: UUID = self.scope["url_route"]["kwargs"]["tournament_id"]
        await self.follow(channel(tournament_id), hear=self._if_seen)
        if user_id is not None:
            await self.follow(person_channel(user_id), hear=self._own_news)
        found = await in_thread(tournament_get, tournament_id, user_id)
        if found is None:
            await self.close(code=CLOSE_NO_TABLE, reason="there is no such tournament")
            return False
        self.reader, self.is_private = user_id, bool(found.club and not found.club.is_open)
        await self.send_frame(changed(found.seq))
        return True

    async def _if_seen(self, text: str) -> None:
        """Pass a report on, or close the socket of a reader who has left the closed club."""
        tournament_id: UUID = self.scope["url_route"]["kwargs"]["tournament_id"]
        if self.is_private and not await in_thread(tournament_get, tournament_id, self.reader):
            await self.close(code=CLOSE_NO_TABLE, reason="there is no such tournament")
            return
        await self.calm.take(text)

    async def _own_news(self, text: str) -> None:
        if msgspec.json.decode(text, type=FrameType).type in OWN_NEWS:
            self.calm.hurry()


_calendar: Any = CalendarConsumer.as_asgi()  # Django's types declare views only
_tournament: Any = TournamentConsumer.as_asgi()

websocket_urlpatterns: list[Any] = [
    path("ws/tournaments/", _calendar),
    path("ws/tournament/<uuid:tournament_id>/", _tournament),
]
