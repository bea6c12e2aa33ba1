"""The WebSockets of tournaments: they report that something changed, and pages fetch the change.

Of several reports in a short time only the newest is sent. A tournament's socket speaks the
protocol of the tables as well: a client that resumes is sent views, and gives commands.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context
from functools import partial
from typing import Any, Final
from uuid import UUID

import msgspec
from django.urls import path

from accounts.models import User
from games import wire
from games.broadcast import person_channel
from games.live.delivery import CLOSE_NO_TABLE
from games.live.person import FrameType, NewsConsumer
from games.live.views import View, ViewConsumer
from kit.database import database_now_ms, in_thread
from tournaments.api import tournament_whole
from tournaments.errors import NoSuchTournament
from tournaments.frames import TournamentFrame
from tournaments.models import Tournament
from tournaments.selectors import tournament_get
from tournaments.services.entering import tournament_command
from tournaments.services.store import CALENDAR_CHANNEL, changed, channel

#: between two frames to one socket, however often a tournament changes
PAUSE_SECONDS: Final = 1.0

NOWHERE: Final = "there is no such tournament"


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
        self.calm = Calm(self.pass_on)
        await super().connect()

    async def pass_on(self, text: str) -> None:
        """Report a change."""
        await self.send_text(text)

    async def greet(self, user_id: int | None) -> bool:
        """Follow the calendar."""
        await self.follow(CALENDAR_CHANNEL, hear=self.calm.take)
        await self.send_frame(changed())
        return True

    async def end(self) -> None:
        """Send nothing more."""
        self.calm.end()
        await super().end()


_frames: Any = msgspec.json.Decoder(TournamentFrame)


class TournamentConsumer(ViewConsumer, CalendarConsumer):
    """One tournament: reports that it changed, and shows it to clients that resume.

    Who sees its page may follow it, as long as they do.
    """

    parse = staticmethod(partial(wire.parse_with, _frames))
    tournament_id: UUID
    #: only some see it, so that each report asks again
    is_private = False

    async def connect(self) -> None:
        """Accept anyone; logged-in players count as present."""
        self.tournament_id = self.scope["url_route"]["kwargs"]["tournament_id"]
        await super().connect()

    async def greet(self, user_id: int | None) -> bool:
        """Follow the tournament; calls and tables of one's own are reported without a pause."""
        await self.follow(channel(self.tournament_id), hear=self._if_seen)
        if user_id is not None:
            await self.follow(person_channel(user_id), hear=self._own_news)
        found = await in_thread(tournament_get, self.tournament_id, user_id)
        if found is None:
            await self.close(code=CLOSE_NO_TABLE, reason=NOWHERE)
            return False
        self.is_private = bool(found.club and not found.club.is_open)
        await self.welcome(found.pk, found.seq)
        await self.send_frame(changed(found.seq))
        return True

    async def pass_on(self, text: str) -> None:
        """Report a change, or show what changed to a client that has resumed."""
        await (self.changed(text) if self.resumed else self.send_text(text))

    def view(self) -> View | None:
        """The tournament as `tournaments_get` has it."""
        whole = tournament_whole(self.tournament_id, self.user_id)
        return whole and {**whole, "now_ms": database_now_ms()}

    def newest(self) -> int | None:
        """The number of the newest event."""
        rows = Tournament.objects.filter(pk=self.tournament_id)
        return rows.values_list("seq", flat=True).first()

    def carry_out(self, user: User, command: Any, **sent: Any) -> int:
        """Enter, withdraw, be there."""
        if tournament_get(self.tournament_id, user.pk) is None:
            raise NoSuchTournament(NOWHERE)
        return tournament_command(
            user=user, tournament_id=self.tournament_id, command=command, **sent
        )

    async def _if_seen(self, text: str) -> None:
        """Pass a report on, or close the socket of a reader who has left the closed club."""
        if self.is_private and not await in_thread(
            tournament_get, self.tournament_id, self.user_id
        ):
            await self.close(code=CLOSE_NO_TABLE, reason=NOWHERE)
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
