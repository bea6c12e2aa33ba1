"""The talk of one connection at a chouette: each message names whom it is for.

There is no default, so that nothing that was meant for the crew goes to the table. The crew is that
of one game, so that nothing that was meant for it goes to the next one.
"""

from collections.abc import Awaitable, Callable
from typing import Literal
from uuid import UUID

import msgspec

from chouette.services.talk import CircleRoom
from games import wire
from games.live.talk import Talk
from games.services.chat import Address

To = Literal["everybody", "crew"]


class Say(wire.Say, frozen=True, tag="say", kw_only=True, forbid_unknown_fields=True):
    """Send a set phrase or a line of text to everybody at the table, or to the crew of a game."""

    to: To
    game: wire.Number | msgspec.UnsetType = msgspec.UNSET


Frame = wire.Chat | Say | wire.MutePerson | wire.FreeText | wire.Report
_frames = msgspec.json.Decoder(Frame)


def parse(data: bytes) -> Frame:
    """The frame that a client sent. Raises `games.wire.BadFrame`."""
    frame: Frame = wire.parse_with(_frames, data)
    if isinstance(frame, Say) and (frame.to == "crew") == (frame.game is msgspec.UNSET):
        raise wire.BadFrame("a message to the crew names its game, and no other one does - at `$`")
    return frame


class CircleTalk(Talk):
    """The talk of one connection at its chouette."""

    def __init__(
        self,
        circle_id: UUID,
        user_id: int | None,
        *,
        tell: Callable[[str], Awaitable[None]],
        lost: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__(CircleRoom(circle_id), user_id, tell=tell, lost=lost)

    def to_whom(self, frame: wire.Say) -> Address:
        """The audience that the frame names."""
        assert isinstance(frame, Say), "every message at a chouette names its audience"
        return Address(frame.to, None if frame.game is msgspec.UNSET else frame.game)
