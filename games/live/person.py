"""The WebSockets beside a table's: of one person on any page (games, challenges), of the lobby."""

from typing import ClassVar, Final
from uuid import UUID

import msgspec

from accounts.guests import guest_of
from games.broadcast import LOBBY_CHANNEL, person_channel, table_channel
from games.live.delivery import CLOSE_LOGGED_OUT
from games.live.presence import attendants
from games.live.sockets import HubConsumer
from games.selectors import deadlines_of
from games.services.running import tables_left
from kit.database import in_thread

#: a person follows as many of their tables from one page.
FOLLOWED_MAX: Final = 16

#: sent when a running game of this person began, changed or ended: the page fetches how they stand.
RUNNING: Final = {"type": "running"}


class FrameType(msgspec.Struct):
    """The type of a frame, whatever else it has."""

    type: str


class PresentConsumer(HubConsumer):
    """Keeps the account of its page present."""

    present_id: int | None = None
    """The account that this socket keeps present; None before, and for others."""

    async def attend(self, user_id: int) -> None:
        """Count this account as present until the socket ends, which its logout does as well."""
        await self.guard(user_id)
        self.present_id = user_id
        await attendants().enter_person(user_id)

    async def end(self) -> None:
        """The page is gone and no longer renews its reader's sign of life."""
        if self.present_id is not None:
            attendants().leave_person(self.present_id)


class PersonConsumer(PresentConsumer):
    """Reports that a game or a challenge of one person changed; pages fetch the change."""

    person_id: int

    async def connect(self) -> None:
        """Accept an account, or a guest, who has games and no challenges and is not present."""
        await self.accept()
        user_id = self.account
        person_id = user_id or await in_thread(self._guest_id)
        if person_id is None:
            await self.close(code=CLOSE_LOGGED_OUT)
            return
        if not await self.take_place(person_id):
            return
        self.person_id, self.followed = person_id, set[UUID]()
        await self.follow(person_channel(person_id), hear=self._person_news)
        await self._follow_tables()
        await self.send_frame({"type": "challenge"})
        if user_id is None:
            await self.guard_guest(person_id)
        else:
            await self.attend(user_id)

    def _guest_id(self) -> int | None:
        guest = guest_of(self.scope.get("session") or {})
        return None if guest is None else guest.pk

    async def _person_news(self, text: str) -> None:
        """Pass on what concerns this person; follow the table at which a match has begun."""
        if msgspec.json.decode(text, type=FrameType).type == "seated":
            await self._follow_tables()
        else:
            await self.send_text(text)

    async def _follow_tables(self) -> None:
        """Follow this person's tables, and let the page fetch how they stand."""
        for table_id in set(await in_thread(self._table_ids)) - self.followed:
            self.followed.add(table_id)
            await self.follow(table_channel(table_id), hear=self._table_news)
        await self.send_frame(RUNNING)

    def _table_ids(self) -> list[UUID]:
        played = deadlines_of(self.person_id).values_list("table_id", flat=True)[:FOLLOWED_MAX]
        return [*played, *tables_left(self.person_id)]  # a rematch may be offered at the last one

    async def _table_news(self, text: str) -> None:
        """Report a change of a table, and not who looks on or what the dice wait for."""
        if msgspec.json.decode(text, type=FrameType).type == "update":
            await self.send_frame(RUNNING)


class NewsConsumer(PresentConsumer):
    """Notifies pages of changes, which they fetch. Anyone may follow; accounts count as present.

    From the first frame on, no change is missed: the page then fetches the changes since it was
    made.
    """

    async def connect(self) -> None:
        """Accept anyone, and greet."""
        await self.accept()
        user_id = self.account
        if user_id is not None and not await self.take_place(user_id):
            return
        if not await self.greet(user_id):
            return
        if user_id is not None:
            await self.attend(user_id)

    async def greet(self, user_id: int | None) -> bool:
        """Follow what this socket is about and send the first frame; False if there is nothing."""
        raise NotImplementedError


class LobbyConsumer(NewsConsumer):
    """Notifies pages with a list of tables of its changes."""

    channel: ClassVar[str] = LOBBY_CHANNEL

    async def greet(self, user_id: int | None) -> bool:
        """Follow the list."""
        await self.follow(self.channel)
        await self.send_frame({"type": "changed"})
        return True
