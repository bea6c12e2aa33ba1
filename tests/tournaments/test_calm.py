"""Frames at a bearable pace arrive in their order, also when something ends a pause."""

import asyncio

from tournaments.live import Calm


def test_a_frame_that_a_call_hurries_comes_before_the_next_one() -> None:
    assert asyncio.run(_hurried(slow=False)) == ["1", "2", "3"]


def test_a_client_that_reads_slowly_receives_them_in_order() -> None:
    assert asyncio.run(_hurried(slow=True)) == ["1", "2", "3"]


async def _hurried(*, slow: bool) -> list[str]:
    """The frames that were sent: the second waits until it is hurried, the third comes at once."""
    sent: list[str] = []
    read = asyncio.Event()

    async def send(text: str) -> None:
        if slow and text == "2":
            await read.wait()
        sent.append(text)

    calm = Calm(send)
    await calm.take("1")
    await calm.take("2")
    calm.hurry()
    asyncio.get_running_loop().call_later(0.01, read.set)
    await calm.take("3")
    async with asyncio.timeout(5):
        while len(sent) < 3:
            await asyncio.sleep(0)
    calm.end()
    return sent
