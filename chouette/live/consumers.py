"""The WebSocket of a chouette: it reports that something changed; pages fetch the change."""

from typing import Any
from uuid import UUID

from chouette.models import Circle
from chouette.services.store import channel
from games.live.presence import attendants
from games.live.sockets import CLOSE_NO_TABLE, HubConsumer
from games.live.work import in_thread


class ChouetteConsumer(HubConsumer):
    """Notifies pages of changes at one table; anybody may watch."""

    user_id: int | None = None

    async def connect(self) -> None:
        """Accept anyone; logged-in players count as present."""
        await self.accept()
        circle_id: UUID = self.scope["url_route"]["kwargs"]["circle_id"]
        user: Any = self.scope.get("user")
        user_id = user.pk if user is not None and user.is_authenticated else None
        if user_id is not None and not await self.take_place(user_id):
            return
        await self.follow(channel(circle_id))
        seq = await in_thread(_seq_of, circle_id)
        if seq is None:
            await self.close(code=CLOSE_NO_TABLE)
            return
        await self.send_frame({"type": "changed", "seq": seq})
        if user_id is not None:
            await self.guard(user_id)
            self.user_id = user_id
            await attendants().enter_person(user_id)

    async def end(self) -> None:
        """The page is gone and no longer renews its reader's sign of life."""
        if self.user_id is not None:
            attendants().leave_person(self.user_id)


def _seq_of(circle_id: UUID) -> int | None:
    """The number of the newest event of a table; None if there is no such table."""
    return Circle.objects.filter(pk=circle_id).values_list("seq", flat=True).first()
