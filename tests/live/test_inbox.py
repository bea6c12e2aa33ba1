"""The frames of one client: in order, one at a time, and only so many of them at once."""

import asyncio
from collections.abc import Callable
from contextvars import copy_context

import pytest

from games.live.line import WAITING_MAX, Inbox


class Client:
    """A line whose frames come from the test; it sends none while it is paused."""

    flows = True

    def __init__(self) -> None:
        self.paused = False
        self.pauses = 0
        self.failed: list[Exception] = []

    def take_frames(self, *_: object) -> None: ...

    def write_frame(self, frame: bytes) -> None: ...

    def pause_frames(self) -> None:
        self.paused, self.pauses = True, self.pauses + 1

    def resume_frames(self) -> None:
        self.paused = False

    def fail(self, error: Exception) -> None:
        self.failed.append(error)


@pytest.mark.parametrize("by_task", [True, False])
def test_who_waits_long_enough_is_read_again(by_task: bool) -> None:
    client, taken = Client(), []

    async def story() -> None:
        def take(frame: bytes) -> None:
            taken.append(int(frame))
            if by_task:
                inbox.work(asyncio.sleep(0))
            else:
                asyncio.get_running_loop().call_soon(inbox.done)

        inbox = Inbox(take, client, copy_context())
        for number in range(5 * WAITING_MAX):
            while client.paused:
                await asyncio.sleep(0)
            inbox.put(b"%d" % number)
        while len(taken) < 5 * WAITING_MAX:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(story(), 10))
    assert taken == list(range(5 * WAITING_MAX))
    assert client.pauses > 1


def test_after_an_error_nothing_more_is_taken() -> None:
    client, taken = Client(), []

    def failing(frame: bytes) -> None:
        taken.append(frame)
        raise ValueError("planted")

    async def story(take: Callable[[bytes], None]) -> None:
        inbox = Inbox(take, client, copy_context())
        inbox.put(b"1")
        inbox.put(b"2")
        await inbox.close()

    asyncio.run(story(failing))
    assert taken == [b"1"]
    assert [str(error) for error in client.failed] == ["planted"]
