"""Sending committed changes to everyone: one publication to Valkey for each frame.

Messages may be lost there (Valkey may be wiped at any time); clients notice a gap in the sequence,
or learn of it from the answer to their ping, and request the missing events. So nothing depends on
the arrival of a message. While Valkey is away they go through PostgreSQL (`NOTIFY`),
one notification each. `games.live.stopgap` listens. PostgreSQL delivers the notifications of a
transaction when it commits, and drops equal ones of the same transaction, so each has a number of
its own.
"""

import itertools
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

import redis
from django.conf import settings
from django.db import Error, connection, transaction

from games.table.talk import Utterance
from games.wire import encode
from kit.valkey.clients import client

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


logger = logging.getLogger(__name__)

LOBBY_CHANNEL = "lobby"

#: a Valkey that did not take something is left alone for this long: it may take two seconds to fail
LEFT_ALONE_SECONDS: Final = 1.0
_left_alone_until: dict[str, float] = {}


@lru_cache(maxsize=8192)  # an id as text takes as long as looking up a table at hand
def table_channel(table_id: object) -> str:
    """The name of a table's channel."""
    return f"table:{table_id}"


def person_channel(user_id: int) -> str:
    """The name of a person's channel: what concerns one player wherever they are."""
    return f"person:{user_id}"


def chat_channel(table_id: object) -> str:
    """The channel of what is said at a table: an `Utterance` with its frame, for `Talk` to sort."""
    return f"chat:{table_id}"


def person_chat_channel(user_id: int) -> str:
    """The channel for changes of a person's chat settings."""
    return f"chat-choices:{user_id}"


def access_channel(user_id: object) -> str:
    """The channel that ends this person's connections."""
    return f"access:{user_id}"


def access_ended_tell(*, user_id: int, session_key: str | None, **_: object) -> None:
    """Publish that a session has ended (None: all sessions of this person).

    It goes both ways: a web process without Valkey would leave its socket open for good.
    """
    publish(access_channel(user_id), session_key or "", both_ways=True)


def publish_on_commit(channel: str, frame: object) -> None:
    """Send a frame to everyone at a channel once the current transaction is committed."""
    text_on_commit(channel, encode(frame))


def text_on_commit(channel: str, text: str) -> None:
    """Send an encoded frame to everyone at a channel once the current transaction is committed."""
    transaction.on_commit(partial(publish, channel, text))


def publish_chat_on_commit(table_id: object, said: Utterance, frame: object) -> None:
    """Send a message to all sockets with the talk of a table, with the fields that filter it."""
    envelope = {"said": said, "frame": encode(frame)}
    transaction.on_commit(partial(publish, chat_channel(table_id), encode(envelope)))


def publish(channel: str, text: str, *, both_ways: bool = False) -> None:
    """Send an encoded frame now. A broker that is down is logged, never an error: see above.

    It goes through PostgreSQL, too, with `both_ways` or while a web process has no Valkey, which
    is known where one listens.
    """
    kind = ALSO if both_ways or some_are_deaf() else None
    if not _published(channel, text):
        kind = ONLY
    if kind is not None and can_listen():
        try:
            notify([Notice(kind, key=channel_key(channel), frame=text)])
        except Error as error:
            logger.warning("could not publish to %s by PostgreSQL: %s", channel, error)


def _published(channel: str, text: str) -> bool:
    """Whether Valkey took it; after a failure it is not asked for a while, if there is a way."""
    address = settings.REDIS_URL
    if can_listen() and time.monotonic() < _left_alone_until.get(address, 0.0):
        return False
    try:
        client(address).publish(channel_key(channel), text)
    except redis.RedisError as error:
        logger.warning("could not publish to %s: %s", channel, error)
        _left_alone_until[address] = time.monotonic() + LEFT_ALONE_SECONDS
        return False
    return True


def channel_key(channel: str) -> str:
    """The channel's name in Valkey, apart from other users of the same server."""
    return f"{settings.BROADCAST_PREFIX}{channel}"
