"""The frames of one client: in order, one at a time, and only so many of them at once."""

import asyncio
from collections.abc import Callable
from contextvars import copy_context

import pytest

from games.live.delivery import WAITING_MAX, Inbox


class Client:
    """A connection whose frames come from the test; it sends none while it is paused."""

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


@pytest.mark.parametrize("fails", [False, True])
def test_what_has_begun_is_finished_before_the_end(
    fails: bool, caplog: pytest.LogCaptureFixture
) -> None:
    client, taken, ended = Client(), [], []

    async def story() -> None:
        inbox = Inbox(taken.append, client, copy_context())
        inbox.put(b"1")
        inbox.put(b"2")
        closing = asyncio.create_task(inbox.close())
        closing.add_done_callback(ended.append)
        for _ in range(5):
            await asyncio.sleep(0)
        assert not ended, "the answer to the first is still to come"
        inbox.fail(ValueError("planted")) if fails else inbox.done()
        await closing
        inbox.put(b"3")

    asyncio.run(asyncio.wait_for(story(), 10))
    assert taken == [b"1"]
    assert client.failed == [], "nobody is there any more to take it"
    assert ("planted" in caplog.text) == fails
