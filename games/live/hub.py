"""Delivering what was published to the sockets of this process: one subscription for all of them.

What this process commits itself reaches its own sockets at once and is published for the others.
A socket that does not keep up is dropped after `WAITING_FRAMES_MAX` frames; its client comes back
and asks for what it missed. When the connection to Valkey breaks, every socket is told so, because
frames may have been lost: its client asks again, too.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final
from uuid import uuid4
from weakref import WeakKeyDictionary

import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from games.broadcast import channel_key

logger = logging.getLogger(__name__)

WAITING_FRAMES_MAX: Final = 64
RETRY_SECONDS: Final = 0.5

#: the length of a process's name, which stands before a frame that it has told its own sockets.
MARK: Final = 32

#: what waits instead of a frame for a socket that must start over.
LOST: Final = None

Hear = Callable[[str], Awaitable[None]]
Lose = Callable[[], Awaitable[None]]


class Ear:
    """What one socket hears of some channels, one after the other; nothing runs while it is quiet.

    `hear` is awaited for every frame, `lose` once when frames were missed.
    """

    __slots__ = ("_hear", "_lose", "_task", "_waiting", "keys")

    def __init__(self, keys: tuple[str, ...], hear: Hear, lose: Lose) -> None:
        self.keys = keys
        self._hear = hear
        self._lose = lose
        self._waiting: deque[str | None] | None = None
        self._task: asyncio.Task[None] | None = None

    def put(self, frame: str | None) -> None:
        """Let the socket hear a frame after those that wait; too many are one `LOST`."""
        if self._task is None:
            self._task = asyncio.create_task(self._pass_on(frame))
            return
        if self._waiting is None:
            self._waiting = deque()
        if len(self._waiting) >= WAITING_FRAMES_MAX:
            self._waiting.clear()
            frame = LOST
        self._waiting.append(frame)

    async def _pass_on(self, frame: str | None) -> None:
        try:
            while frame is not LOST:
                await self._hear(frame)
                if not self._waiting:
                    self._waiting = None
                    return
                frame = self._waiting.popleft()
            self._waiting = None
            await self._lose()
        finally:
            self._task = None

    def close(self) -> None:
        """Hear nothing more."""
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel()


class Hub:
    """The subscriptions of one event loop. Use `hub()`."""

    def __init__(self) -> None:
        self.name = uuid4().hex
        self.heard_elsewhere: Callable[[str], None] | None = None
        self._ears: dict[str, set[Ear]] = {}
        self._changed = asyncio.Event()
        self._confirmed: set[str] = set()
        self._awaited: dict[str, asyncio.Event] = {}
        self._task: asyncio.Task[None] | None = None
        self._outgoing: list[tuple[str, str]] = []
        self._publishing: asyncio.Task[None] | None = None
        self._client: redis.asyncio.Redis | None = None

    async def subscribe(self, hear: Hear, lose: Lose, *channels: str) -> Ear:
        """An ear that gets every frame published at these channels from now on."""
        keys = tuple(channel_key(channel) for channel in channels)
        ear = Ear(keys, hear, lose)
        for key in keys:
            self._ears.setdefault(key, set()).add(ear)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        for key in keys:
            if key not in self._confirmed:
                self._changed.set()
                await self._awaited.setdefault(key, asyncio.Event()).wait()
        return ear

    def unsubscribe(self, ear: Ear) -> None:
        """Nothing is heard by this ear any more."""
        ear.close()
        for key in ear.keys:
            ears = self._ears.get(key)
            if ears is None:
                continue
            ears.discard(ear)
            if not ears:
                del self._ears[key]
                self._confirmed.discard(key)
                self._awaited.pop(key, None)
                self._changed.set()

    def tell(self, channel: str, text: str) -> None:
        """Let everybody at a channel hear this: here at once, and in other processes."""
        key = channel_key(channel)
        self._pass_on(key, text)
        self._outgoing.append((key, self.name + text))
        if self._publishing is None:
            self._publishing = asyncio.create_task(self._publish())

    # --- to other processes ----------------------------------------------------------------------

    async def _publish(self) -> None:
        """Send what waits, all that has come together in one go."""
        try:
            while self._outgoing:
                batch, self._outgoing = self._outgoing, []
                await self._send(batch)
        finally:
            self._publishing = None

    async def _send(self, batch: Sequence[tuple[str, str]]) -> None:
        if self._client is None:
            self._client = redis.asyncio.Redis.from_url(
                settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2
            )
        try:
            async with self._client.pipeline(transaction=False) as pipeline:
                for key, text in batch:
                    pipeline.publish(key, text)
                await pipeline.execute()
        except (RedisError, OSError) as error:  # clients notice the gap and ask
            logger.warning("could not publish %d frames: %s", len(batch), error)

    # --- from other processes --------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            try:
                await self._listen()
            except (RedisError, OSError) as error:
                logger.warning("lost the connection to Valkey, trying again: %s", error)
            except Exception:  # whatever it was, no socket may wait for what nobody reads any more
                logger.exception("reading from Valkey failed, trying again")
            self._confirmed.clear()
            self._tell_all_lost()
            await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self) -> None:
        """Take in everything until the connection breaks; then reading and asking end together.

        Left to itself the client would connect again without a word, once for each of the two.
        """
        client = redis.asyncio.Redis.from_url(
            settings.REDIS_URL,
            health_check_interval=10,
            retry=Retry(NoBackoff(), 0),
            client_name=self.name,
        )
        async with client, client.pubsub() as pubsub:
            await pubsub.subscribe(channel_key("-"))  # a first channel, so that reading can begin
            both = [
                asyncio.create_task(work(pubsub))
                for work in (self._follow_changes, self._take_in_all)
            ]
            try:
                ended, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in both:
                    task.cancel()
                await asyncio.gather(*both, return_exceptions=True)
            for task in ended:
                task.result()

    async def _take_in_all(self, pubsub: redis.asyncio.client.PubSub) -> None:
        async for message in pubsub.listen():
            self._take_in(message)

    async def _follow_changes(self, pubsub: redis.asyncio.client.PubSub) -> None:
        current: set[str] = set()
        self._changed.set()
        while True:
            await self._changed.wait()
            self._changed.clear()
            wanted = set(self._ears)
            # a channel that was given up and wanted again meanwhile has to be confirmed anew
            if added := (wanted - current) | (wanted & set(self._awaited)):
                await pubsub.subscribe(*added)
            if removed := current - wanted:
                await pubsub.unsubscribe(*removed)
            current = wanted

    def _take_in(self, message: dict[str, object]) -> None:
        key = _text(message["channel"])
        if message["type"] == "subscribe":
            if key in self._ears:  # a late answer about one that was given up says nothing
                self._confirmed.add(key)
            if key in self._awaited:
                self._awaited.pop(key).set()
        elif message["type"] == "message":
            text = _text(message["data"])
            if text.startswith(self.name):
                return  # our own: it was heard here before it was sent
            if self.heard_elsewhere is not None:
                self.heard_elsewhere(key)
            self._pass_on(key, text[MARK:] if _is_marked(text) else text)

    def _pass_on(self, key: str, text: str) -> None:
        for ear in tuple(self._ears.get(key, ())):
            ear.put(text)

    def _tell_all_lost(self) -> None:
        for ears in self._ears.values():
            for ear in ears:
                ear.put(LOST)


def _is_marked(text: str) -> bool:
    """Whether a text begins with the name of the process that sent it."""
    return text[MARK : MARK + 1] == "{" and not text.startswith("{")


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """The hub of the running event loop."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())
