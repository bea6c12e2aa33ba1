"""Eight real connections, let go at the same instant."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any

from django.db import connections, transaction

RACERS = 8
TRIES = int(os.environ.get("RACE_TRIES", "25"))
"""How often each race is run; RACE_TRIES=1000 is the long run."""

Outcome = Any
Runner = Callable[[Sequence[Callable[[], Any]]], list[Outcome]]


@contextmanager
def racers() -> Iterator[Runner]:
    """A function that runs up to eight calls at once, each in a transaction of its own.

    It answers what each returned, or the exception it raised, in the order of the calls.
    """
    with ThreadPoolExecutor(RACERS) as pool:

        def race(calls: Sequence[Callable[[], Any]]) -> list[Outcome]:
            barrier = Barrier(len(calls))
            return list(pool.map(lambda call: _run(barrier, call), calls))

        try:
            yield race
        finally:
            barrier = Barrier(RACERS)
            list(pool.map(lambda _: _leave(barrier), range(RACERS)))


def _run(barrier: Barrier, call: Callable[[], Any]) -> Outcome:
    connections["default"].ensure_connection()
    barrier.wait(timeout=30)
    try:
        with transaction.atomic():
            return call()
    except Exception as error:
        return error


def _leave(barrier: Barrier) -> None:
    barrier.wait(timeout=30)  # so that each of the threads gets one of these calls
    connections.close_all()
