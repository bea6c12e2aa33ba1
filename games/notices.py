"""Messages of the house by way of PostgreSQL (`NOTIFY`), while a process has no Valkey.

They are the frames that otherwise go through Valkey, one notification each. `games.live.stopgap`
listens. PostgreSQL delivers the notifications of a transaction when it commits, and drops equal
ones of the same transaction, so each has a number of its own.
"""

import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db import connection, transaction

#: what PostgreSQL takes in one notification.
BYTES_MAX: Final = 7_999

#: its sender had no Valkey: every process takes it.
ONLY: Final = "only"
#: it went through Valkey, too: for processes without Valkey.
ALSO: Final = "also"
#: a process has no Valkey: others send what they publish both ways for a while.
DEAF: Final = "deaf"

#: for how long a process counts as deaf after it said so; it repeats that every few seconds.
DEAF_SECONDS: Final = 10.0

#: the sender that stands for all that are no hub: pages, tasks, commands.
NO_HUB: Final = "-"

_numbers = itertools.count()
_deaf_until: float = float("-inf")


@dataclass(frozen=True, slots=True)
class Notice:
    """One message: `kind` is one of the above, `key` the channel, `sender` the name of a hub.

    `frame` is None if it was too big for a notification: it is lost.
    """

    kind: str
    sender: str = NO_HUB
    key: str = "-"
    frame: str | None = ""

    def packed(self) -> str:
        """The payload of the notification, of at most `BYTES_MAX` bytes."""
        head = (self.kind, self.sender, str(next(_numbers)), self.key)
        if self.frame is not None:
            payload = "\t".join((*head, "whole", self.frame))
            if len(payload.encode()) <= BYTES_MAX:
                return payload
        return "\t".join((*head, "lost", ""))


def unpacked(payload: str) -> Notice | None:
    """The message of a notification; None if it is none of ours."""
    parts = payload.split("\t", 5)
    if len(parts) != 6 or parts[0] not in (ONLY, ALSO, DEAF):
        return None
    kind, sender, _, key, whole, frame = parts
    return Notice(kind, sender, key, frame if whole == "whole" else None)


def notify(notices: Sequence[Notice]) -> None:
    """Send messages in this order, at once or with the transaction that is open.

    Raises `django.db.Error`; an open transaction can go on after that.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_notify(%s, payload)"
            " FROM unnest(%s::text[]) WITH ORDINALITY AS sent (payload, place) ORDER BY place",
            [notice_channel(), [notice.packed() for notice in notices]],
        )


def notice_channel() -> str:
    """The name of the one channel in PostgreSQL."""
    return f"{settings.BROADCAST_PREFIX}stopgap"


def can_listen() -> bool:
    """Whether processes can listen: not through a pooler of transactions."""
    return not settings.DATABASE_POOLED or settings.DATABASE_DIRECT is not None


def deaf_note() -> None:
    """Store that a process without Valkey has just said so."""
    global _deaf_until
    _deaf_until = time.monotonic() + DEAF_SECONDS


def some_are_deaf() -> bool:
    """Whether a process has said lately that it has no Valkey; known where one listens."""
    return time.monotonic() < _deaf_until
