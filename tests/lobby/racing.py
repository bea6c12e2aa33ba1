"""Real connections, let go at the same instant; every call brings its own transaction."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any

from django.db import connections

RACERS = 4
TRIES = int(os.environ.get("RACE_TRIES", "40"))
"""How often each race is run; RACE_TRIES=300 is the long run."""

Race = Callable[[Sequence[Callable[[], Any]]], list[Any]]


@contextmanager
def racers() -> Iterator[Race]:
    """A function that runs up to four calls at once.

    It answers what each returned, or the exception it raised, in the order of the calls.
    """
    with ThreadPoolExecutor(RACERS) as pool:

        def race(calls: Sequence[Callable[[], Any]]) -> list[Any]:
            barrier = Barrier(len(calls))
            return list(pool.map(lambda call: _run(barrier, call), calls))

        try:
            yield race
        finally:
            barrier = Barrier(RACERS)
            list(pool.map(lambda _: _leave(barrier), range(RACERS)))


def _run(barrier: Barrier, call: Callable[[], Any]) -> Any:
    connections["default"].ensure_connection()
    barrier.wait(timeout=30)
    try:
        return call()
    except Exception as error:
        return error


def _leave(barrier: Barrier) -> None:
    barrier.wait(timeout=30)  # so that each of the threads gets one of these calls
    connections.close_all()
