"""Frames of a client and tasks of a table: first come, first served, and only so many at once."""

import asyncio
import logging
from collections.abc import Callable
from contextvars import copy_context

import pytest

from games.live.delivery import WAITING_MAX, Inbox
from games.live.lane import BATCH_MAX, Batches


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


# --- the queue of the fast lane -------------------------------------------------------------------
def test_whoever_comes_first_is_served_first() -> None:
    served: list[list[int]] = []
    done: list[int] = []

    async def work(batch: list[int]) -> list[int]:
        served.append(batch)
        await asyncio.sleep(0)
        return batch

    async def story() -> None:
        batches = Batches(work)
        for number in range(2 * BATCH_MAX):
            batches.put(number, lambda told, _: done.append(told or 0))
        await asyncio.sleep(0)
        batches.put(2 * BATCH_MAX, lambda told, _: done.append(told or 0))
        while len(done) < 2 * BATCH_MAX + 1:
            await asyncio.sleep(0)

    asyncio.run(story())
    assert done == list(range(2 * BATCH_MAX + 1))
    assert [len(batch) for batch in served] == [BATCH_MAX, BATCH_MAX, 1]


def test_one_that_fails_takes_no_other_with_it(caplog: pytest.LogCaptureFixture) -> None:
    told: list[object] = []
    caplog.set_level(logging.CRITICAL, "games")

    async def work(batch: list[int]) -> list[int]:
        if 0 in batch:
            raise ValueError("planted")
        return batch

    def failing(*_: object) -> None:
        raise RuntimeError("planted")

    async def story() -> None:
        batches = Batches(work)
        batches.put(0, lambda *outcome: told.append(type(outcome[1])))
        while not told:
            await asyncio.sleep(0)
        batches.put(1, failing)
        batches.put(2, lambda *outcome: told.append(outcome))
        while len(told) < 2:
            await asyncio.sleep(0)

    asyncio.run(story())
    assert told == [ValueError, (2, None)]
