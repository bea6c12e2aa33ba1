"""Delivering publications to the sockets of this process: one subscription for all of them.

The process's own commits go to its own sockets at once and are published for the others. A socket
that does not keep up is closed (`games.live.delivery`); its client reconnects and requests the
frames it missed. When the connection to Valkey breaks, frames may have been lost: every socket is
closed, and its client does the same. If a new connection fails, frames go through PostgreSQL
(`games.live.stopgap`) while Valkey is away. Once Valkey has confirmed all channels again, every
socket starts over once more, as what came both ways may be out of order.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextvars import Context
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4
from weakref import WeakKeyDictionary

import hiredis
from django.conf import settings
from redis.exceptions import RedisError

from games.broadcast import ALSO, DEAF_SECONDS, Notice, can_listen, channel_key, some_are_deaf
from games.live.delivery import LOST, Follower, Hear, Lose, Publication
from games.live.stopgap import Stopgap, alone_note, not_alone_note
from games.live.valkey import RETRY_SECONDS, Publisher, Wire, connect

logger = logging.getLogger(__name__)

#: a connection that stood for this long is opened again at once when it breaks.
SHORT_SECONDS: Final = 5.0

#: after this long without Valkey others have noticed its end too: if they send by it, it is there.
SURE_SECONDS: Final = 15.0

#: the length of a process's name, which stands before every frame that it publishes.
MARK: Final = 32


@dataclass(slots=True)
class _Channels:
    """How far Valkey has confirmed the channels that are followed."""

    confirmed: set[str] = field(default_factory=set)
    awaited: dict[str, asyncio.Event] = field(default_factory=dict)
    unconfirmed: set[str] | None = None
    """The channels that a new connection must confirm before frames come by it."""


@dataclass(slots=True)
class _Standing:
    """How a process stands with Valkey, and since when (by its steady clock)."""

    deaf: bool = False
    deaf_since: float = float("-inf")
    missed: bool = False
    """Whether frames may have been lost, so that every socket has to start over."""
    broke_at: float = float("-inf")
    goes_by_stopgap: bool = False
    announced_at: float = float("-inf")


class Hub:
    """The subscriptions of one event loop. Use `hub()`."""

    def __init__(self) -> None:
        self.name = uuid4().hex
        self.heard_elsewhere: Callable[[str], None] | None = None
        self._mark = self.name.encode()
        self._prefix = channel_key("")  # settings are slow to ask
        self._followers: dict[str, set[Follower]] = {}
        self._changed = asyncio.Event()
        self._channels = _Channels()
        self._task: asyncio.Task[None] | None = None
        self._listening: Wire | None = None
        self._publisher = Publisher(self.name)
        self._valkey = _Standing()

    def use_stopgap(self, stopgap: Stopgap) -> None:
        """Let frames go by this way while Valkey is away, where that is possible."""
        if can_listen():
            self._publisher.stopgap = stopgap
            stopgap.heard, stopgap.lost = self._heard_by_stopgap, self._stopgap_lost
            stopgap.begin()

    @property
    def goes_by_stopgap(self) -> bool:
        """Whether frames come through PostgreSQL now, because Valkey is away."""
        return self._valkey.goes_by_stopgap

    @property
    def is_deaf(self) -> bool:
        """Whether this process has no Valkey to receive from; frames may go by the stopgap."""
        return self._valkey.deaf

    async def subscribe(self, hear: Hear, lose: Lose, *channels: str) -> Follower:
        """A follower for every frame that is published at these channels from now on."""
        keys = tuple(self._prefix + channel for channel in channels)
        follower = Follower(keys, hear, lose)
        for key in keys:
            self._followers.setdefault(key, set()).add(follower)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), context=Context())
        for key in keys:
            if key in self._channels.confirmed:
                continue
            self._changed.set()
            if not self._valkey.goes_by_stopgap:
                await self._channels.awaited.setdefault(key, asyncio.Event()).wait()
        return follower

    def unsubscribe(self, follower: Follower) -> None:
        """End a follower: nothing more is passed on to it."""
        follower.close()
        for key in follower.keys:
            followers = self._followers.get(key)
            if followers is None:
                continue
            followers.discard(follower)
            if not followers:
                del self._followers[key]
                self._channels.confirmed.discard(key)
                self._channels.awaited.pop(key, None)
                self._changed.set()

    def tell(self, channel: str, frame: str | bytes) -> None:
        """Send an encoded frame to everybody at a channel: here at once, and elsewhere."""
        key = self._prefix + channel
        payload = frame if isinstance(frame, bytes) else frame.encode()
        self._pass_on(key, payload)
        self._publisher.put(key, payload)

    # --- from other processes --------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            try:
                await self._listen()
            except (RedisError, OSError) as error:
                logger.warning("lost the connection to Valkey, trying again: %s", error)
            except Exception:  # whatever it was, no socket may wait for a reader that has ended
                logger.exception("reading from Valkey failed, trying again")
            if self._may_be_short():
                continue
            try:
                await self._go_without_valkey()
            except Exception:  # as above
                logger.exception("going without Valkey failed, trying again")
            await asyncio.sleep(RETRY_SECONDS)

    def _may_be_short(self) -> bool:
        """Note the end of a connection; whether another one is to be tried at once."""
        stood = bool(self._channels.confirmed) and not self._valkey.deaf
        self._channels.confirmed.clear()
        self._channels.unconfirmed = None
        if not stood:
            return False
        before, self._valkey.broke_at = self._valkey.broke_at, time.monotonic()
        self._valkey.missed = True
        return self._valkey.broke_at - before > SHORT_SECONDS

    async def _go_without_valkey(self) -> None:
        """Receive by the stopgap; without one every socket has to wait and start over.

        The others are told first: what they publish while sockets start over arrives here.
        """
        if not self._valkey.deaf:
            self._valkey.deaf, self._valkey.deaf_since = True, time.monotonic()
        stopgap = self._publisher.stopgap
        carried = stopgap is not None and await stopgap.announce(self.name)
        before = self._valkey.announced_at
        if carried:
            self._valkey.announced_at = time.monotonic()
        if self._valkey.goes_by_stopgap:  # Valkey is still away, and the stopgap still listens
            if carried and self._valkey.announced_at - before > DEAF_SECONDS:
                self._tell_all_lost()  # others may have forgotten this process meanwhile
            return
        missed, self._valkey.missed = self._valkey.missed or not carried, False
        self._valkey.goes_by_stopgap = carried
        if missed:
            self._tell_all_lost()
        if carried:
            logger.warning("frames go through PostgreSQL until Valkey is back")
            while self._channels.awaited:
                self._channels.awaited.popitem()[1].set()

    def _go_by_valkey(self) -> None:
        """All channels are confirmed: frames come through Valkey from now on."""
        if self._valkey.deaf:
            logger.warning("Valkey is back")
        missed = self._valkey.missed or self._valkey.goes_by_stopgap
        self._valkey.deaf = self._valkey.missed = self._valkey.goes_by_stopgap = False
        self._channels.unconfirmed = None
        not_alone_note()
        if missed:
            self._tell_all_lost()

    def _others_have_valkey(self) -> None:
        """Another process has Valkey, and sent what it published by PostgreSQL, too."""
        if time.monotonic() - self._valkey.deaf_since > SURE_SECONDS:
            alone_note()

    def _stopgap_lost(self) -> None:
        """Messages by PostgreSQL may have been missed, if any were under way."""
        if self._valkey.goes_by_stopgap or some_are_deaf():
            self._valkey.goes_by_stopgap = False
            self._tell_all_lost()

    async def _listen(self) -> None:
        """Follow the subscribed channels until the connection breaks."""
        wire = await connect(
            settings.REDIS_URL, self._heard, lost=self._changed.set, name=self.name
        )
        self._listening = wire
        current: set[str] = set()
        self._channels.unconfirmed = set(self._followers)
        if not self._followers:
            self._go_by_valkey()
        try:
            self._changed.set()
            while not wire.closed:
                await self._changed.wait()
                self._changed.clear()
                wanted = set(self._followers)
                # one that was given up and wanted again meanwhile has to be confirmed anew
                if added := (wanted - current) | (wanted & set(self._channels.awaited)):
                    wire.subscribe(added)
                if removed := current - wanted:
                    wire.unsubscribe(removed)
                current = wanted
        finally:
            self._listening = None
            wire.close()
        raise ConnectionError("Valkey closed the connection")

    def _heard(self, reply: Any) -> None:
        """One reply or message of the connection that listens."""
        if isinstance(reply, hiredis.ReplyError):
            logger.warning("Valkey refuses: %s", reply)
            if self._listening is not None:
                self._listening.close()
        elif type(reply) is list and reply[0] == b"message":
            if not reply[2].startswith(self._mark):  # our own went to our sockets before
                self._message(reply[1].decode(), reply[2])
        elif type(reply) is list and reply[0] == b"subscribe":
            self._subscribed(reply[1].decode())

    def _subscribed(self, key: str) -> None:
        if key in self._followers:  # ignore a late answer about one that was given up
            self._channels.confirmed.add(key)
        if key in self._channels.awaited:
            self._channels.awaited.pop(key).set()
        if self._channels.unconfirmed is not None:
            self._channels.unconfirmed.discard(key)
            if not self._channels.unconfirmed:
                self._go_by_valkey()

    def _message(self, key: str, data: bytes) -> None:
        if self.heard_elsewhere is not None:
            self.heard_elsewhere(key)
        # by the stopgap: sockets start over when all channels are confirmed
        if not self._valkey.goes_by_stopgap:
            self._pass_on(key, data[MARK:] if _is_marked(data) else data)

    def _heard_by_stopgap(self, notice: Notice) -> None:
        """One message by PostgreSQL; what also comes through Valkey is left out."""
        if notice.sender == self.name:
            return
        if notice.kind == ALSO:
            if not self._valkey.goes_by_stopgap:
                return
            self._others_have_valkey()
        if self.heard_elsewhere is not None:
            self.heard_elsewhere(notice.key)
        if notice.frame is not None:
            self._pass_on(notice.key, notice.frame.encode())
            return
        for follower in tuple(self._followers.get(notice.key, ())):
            follower.put(LOST)  # it was too big; clients ask

    def _pass_on(self, key: str, payload: bytes) -> None:
        if followers := self._followers.get(key):
            publication = Publication(payload)
            for follower in tuple(followers):
                follower.tell(publication)

    def _tell_all_lost(self) -> None:
        for followers in self._followers.values():
            for follower in followers:
                follower.put(LOST)


def _is_marked(data: bytes) -> bool:
    """Whether a message begins with the name of the process that sent it."""
    return data[MARK : MARK + 1] == b"{" and not data.startswith(b"{")


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """The hub of the running event loop."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())
