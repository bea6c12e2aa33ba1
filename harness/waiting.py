"""How tests wait: for what happens, with one generous limit.

A machine that is busy with other tests may take a hundred times as long as one that is idle, so a
limit only ends a test that would never end. How fast something is, is measured in `bench/`.
"""

import asyncio
import socket
import time
from collections.abc import Callable
from typing import Final, TypeVar

#: for one thing to happen
WAIT_SECONDS: Final = 120
WAIT_MS: Final = 1000 * WAIT_SECONDS
#: for a program to come to its end
PROGRAM_SECONDS: Final = 600
#: between two looks
LOOK_SECONDS: Final = 0.02

Found = TypeVar("Found")


def wait_until(
    reached: Callable[[], Found], otherwise: object = "", *, seconds: float = WAIT_SECONDS
) -> Found:
    """Return the first true answer; without one in time, fail with a text or what gives one."""
    ends = time.monotonic() + seconds
    while not (found := reached()):
        if time.monotonic() > ends:
            raise AssertionError(otherwise() if callable(otherwise) else otherwise)
        time.sleep(LOOK_SECONDS)
    return found


async def reached_soon(reached: Callable[[], Found]) -> Found:
    """Return the first true answer, while other tasks go on."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not (found := reached()):
            await asyncio.sleep(LOOK_SECONDS)
    return found


def listens(port: int, host: str = "127.0.0.1") -> bool:
    """Whether somebody takes connections at a port."""
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0
