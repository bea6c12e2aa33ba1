"""Delivering what was published to the sockets of this process: one subscription for all of them.

Each socket has a queue of its own. One that does not keep up is dropped after `QUEUE_FRAMES_MAX`
waiting frames; its client comes back and asks for what it missed. When the connection to Valkey
breaks, every socket is told so, because frames may have been lost: its client asks again, too.
"""

import asyncio
import contextlib
import logging
from typing import Final
from weakref import WeakKeyDictionary

import redis.asyncio
from django.conf import settings
from redis.exceptions import RedisError

from games.broadcast import channel_key

logger = logging.getLogger(__name__)

QUEUE_FRAMES_MAX: Final = 64
RETRY_SECONDS: Final = 0.5

#: put into a queue instead of a frame when its socket must start over.
LOST: Final = None

Queue = asyncio.Queue[str | None]


class Hub:
    """The subscriptions of one event loop. Use `hub()`."""

    def __init__(self) -> None:
        self._queues: dict[str, set[Queue]] = {}
        self._changed = asyncio.Event()
        self._subscribed: dict[str, asyncio.Event] = {}
        self._task: asyncio.Task[None] | None = None

    async def subscribe(self, *channels: str) -> Queue:
        """A queue that gets every frame published at these channels from now on."""
        queue: Queue = asyncio.Queue(maxsize=QUEUE_FRAMES_MAX)
        for channel in channels:
            self._queues.setdefault(channel_key(channel), set()).add(queue)
            self._subscribed.setdefault(channel_key(channel), asyncio.Event())
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        self._changed.set()
        for channel in channels:
            await self._subscribed[channel_key(channel)].wait()
        return queue

    def unsubscribe(self, queue: Queue) -> None:
        """Nothing is put into this queue any more."""
        for key in [key for key, queues in self._queues.items() if queue in queues]:
            self._queues[key].discard(queue)
            if not self._queues[key]:
                del self._queues[key]
                self._subscribed.pop(key, None)
        self._changed.set()

    async def _run(self) -> None:
        while True:
            try:
                await self._listen()
            except (RedisError, OSError) as error:
                logger.warning("lost the connection to Valkey, trying again: %s", error)
                self._tell_all_lost()
                await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self) -> None:
        client = redis.asyncio.Redis.from_url(settings.REDIS_URL, health_check_interval=10)
        async with client, client.pubsub() as pubsub:
            current: set[str] = set()
            await pubsub.subscribe(channel_key("-"))  # a first channel, so that reading can begin
            changes = asyncio.create_task(self._follow_changes(pubsub, current))
            try:
                async for message in pubsub.listen():
                    self._take_in(message)
            finally:
                changes.cancel()
                with contextlib.suppress(asyncio.CancelledError, RedisError, OSError):
                    await changes

    async def _follow_changes(self, pubsub: redis.asyncio.client.PubSub, current: set[str]) -> None:
        self._changed.set()
        while True:
            await self._changed.wait()
            self._changed.clear()
            wanted = set(self._queues)
            if added := wanted - current:
                await pubsub.subscribe(*added)
            if removed := current - wanted:
                await pubsub.unsubscribe(*removed)
            current.clear()
            current.update(wanted)

    def _take_in(self, message: dict[str, object]) -> None:
        key = _text(message["channel"])
        if message["type"] == "subscribe":
            if key in self._subscribed:
                self._subscribed[key].set()
        elif message["type"] == "message":
            for queue in tuple(self._queues.get(key, ())):
                _put(queue, _text(message["data"]))

    def _tell_all_lost(self) -> None:
        for queues in self._queues.values():
            for queue in queues:
                _put(queue, LOST)


def _put(queue: Queue, frame: str | None) -> None:
    try:
        queue.put_nowait(frame)
    except asyncio.QueueFull:
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(LOST)


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """The hub of the running event loop."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())
