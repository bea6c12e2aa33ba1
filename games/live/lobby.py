"""The WebSocket of the lobby: it reports that something changed; pages fetch the change."""

from games.broadcast import LOBBY_CHANNEL, person_channel
from games.live.presence import attendants
from games.live.sockets import HubConsumer


class LobbyConsumer(HubConsumer):
    """Notifies pages of the lobby of changes of the list, and players of challenges."""

    user_id: int | None = None

    async def connect(self) -> None:
        """Anyone may listen; logged-in players also get their own news and count as present.

        From the first frame on, no change is missed: the page then fetches the changes since it
        was made.
        """
        await self.accept()
        user = self.scope.get("user")
        if user is None or not user.is_authenticated:
            await self.follow(LOBBY_CHANNEL)
            await self.send_frame({"type": "changed"})
            return
        if not await self.take_place(user.pk):
            return
        await self.follow(LOBBY_CHANNEL, person_channel(user.pk))
        await self.send_frame({"type": "changed"})
        await self.guard(user.pk)
        self.user_id = user.pk
        await attendants().enter_person(user.pk)

    async def end(self) -> None:
        """The page is gone and no longer renews its reader's sign of life."""
        if self.user_id is not None:
            attendants().leave_person(self.user_id)
