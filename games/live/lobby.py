"""The WebSocket of the lobby: it reports that something changed; pages fetch the change."""

from typing import ClassVar

from games.broadcast import LOBBY_CHANNEL
from games.live.presence import attendants
from games.live.sockets import HubConsumer


class LobbyConsumer(HubConsumer):
    """Notifies pages with a list of tables of its changes."""

    channel: ClassVar[str] = LOBBY_CHANNEL
    user_id: int | None = None

    async def connect(self) -> None:
        """Accept anyone; logged-in players count as present.

        From the first frame on, no change is missed: the page then fetches the changes since it
        was made.
        """
        await self.accept()
        user = self.scope.get("user")
        user_id = user.pk if user is not None and user.is_authenticated else None
        if user_id is not None and not await self.take_place(user_id):
            return
        await self.follow(self.channel)
        await self.send_frame({"type": "changed"})
        if user_id is not None:
            await self.guard(user_id)
            self.user_id = user_id
            await attendants().enter_person(user_id)

    async def end(self) -> None:
        """The page is gone and no longer renews its reader's sign of life."""
        if self.user_id is not None:
            attendants().leave_person(self.user_id)
