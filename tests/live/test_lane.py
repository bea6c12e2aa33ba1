"""The queue of the fast lane: first come, first served; a failure does not affect others."""

import asyncio
import logging

import pytest

from games.live.lane import BATCH_MAX, Batches


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
