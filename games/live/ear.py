"""The way of frames to one socket: at once while it keeps up, else one after the other."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

from games.live.frames import Told

#: a socket that so many frames wait for has to start over.
WAITING_FRAMES_MAX: Final = 64

#: queued instead of a frame for a socket that must start over.
LOST: Final = None

Hear = Callable[[str], Awaitable[None]]
Lose = Callable[[], Awaitable[None]]
Now = Callable[[bytes], bool]


class Ear:
    """The frames of some channels for one socket, in order; nothing runs while none come.

    `now` writes the bytes of a frame at once and returns whether it could. Where it is missing or
    cannot, `hear` is awaited for every frame. `lose` is awaited once when frames were missed.
    """

    __slots__ = ("_hear", "_lose", "_now", "_task", "_waiting", "keys")

    def __init__(
        self, keys: tuple[str, ...], hear: Hear, lose: Lose, now: Now | None = None
    ) -> None:
        self.keys = keys
        self._hear = hear
        self._lose = lose
        self._now = now
        self._waiting: deque[str | None] | None = None
        self._task: asyncio.Task[None] | None = None

    def tell(self, told: Told) -> None:
        """Pass a frame on at once if none waits before it, else after those that do."""
        if self._task is not None or self._now is None or not self._now(told.frame):
            self.put(told.text)

    def put(self, frame: str | None) -> None:
        """Let a frame wait its turn; too many that wait are one `LOST`."""
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
        """Stop passing frames on."""
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel()
