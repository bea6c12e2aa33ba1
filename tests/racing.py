"""Calls on real connections that start at the same instant."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from threading import Barrier, BrokenBarrierError
from typing import Any

from django.db import connection, connections, transaction

from backgammon.tests.amounts import amount
from harness.waiting import WAIT_SECONDS, wait_until

RACERS = 8

#: connections that wait for a lock of this one. Tests beside this one wait for locks of their own
#: on the same server, and pg_stat_activity stays as it is within a transaction.
WAITERS = """
SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))
"""

Outcome = Any
Runner = Callable[[Sequence[Callable[[], Any]]], list[Outcome]]


def tries(usual: int, *, long: int) -> int:
    """How often a race is run; RACE_TRIES=1000 is the longest run.

    A race that depends on a lock failed at the first or second try without that lock.
    """
    return int(os.environ.get("RACE_TRIES", amount(usual, long=long)))


@contextmanager
def racers(most: int = RACERS, *, in_transactions: bool = False) -> Iterator[Runner]:
    """A function that runs up to `most` calls at once, each on a connection of its own.

    With `in_transactions` each call is a transaction of its own; without, it brings its own. The
    function returns the result of each call, or the exception it raised, in the order of the calls.
    """
    with ThreadPoolExecutor(most) as pool:

        def race(calls: Sequence[Callable[[], Any]]) -> list[Outcome]:
            barrier = Barrier(len(calls))
            running = [pool.submit(_run, barrier, call, in_transactions) for call in calls]
            wait(running)
            return _results(running)

        try:
            yield race
        finally:
            barrier = Barrier(most)
            list(pool.map(lambda _: _leave(barrier), range(most)))


def _results(running: Sequence[Future[Outcome]]) -> list[Outcome]:
    """The result of each call; a call that could not start raises its own error.

    The others then only report that the barrier broke, which says nothing about the cause.
    """
    errors = [error for each in running if (error := each.exception())]
    causes = [error for error in errors if not isinstance(error, BrokenBarrierError)]
    for error in causes or errors:
        raise error
    return [each.result() for each in running]


def _run(barrier: Barrier, call: Callable[[], Any], in_transaction: bool) -> Outcome:
    try:
        connection_open()
    except Exception:
        barrier.abort()
        raise
    barrier.wait(timeout=WAIT_SECONDS)
    try:
        with transaction.atomic() if in_transaction else nullcontext():
            return call()
    except Exception as error:
        return error


def connection_open() -> None:
    """Open the connection of this thread, so that no race begins with waiting for one."""
    connections["default"].ensure_connection()


def _leave(barrier: Barrier) -> None:
    barrier.wait(timeout=WAIT_SECONDS)  # so that each of the threads gets one of these calls
    connections.close_all()


def wait_for_a_waiter() -> None:
    """Return once another connection waits for a lock that the connection of this thread holds."""
    with connection.cursor() as cursor:
        wait_until(
            lambda: cursor.execute(WAITERS).fetchone() != (0,),
            "no connection waits for a lock of this one",
        )
