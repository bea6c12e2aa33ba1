"""People with credits, tables and scripted dice for tests of the services."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connections

from games.table import commands as cmd
from games.table.errors import Busy
from harness.sitting import Sitting
from harness.waiting import WAIT_SECONDS
from ledger.seals import books_seal

Call = Callable[[], Any]
Race = Callable[[Call, Call], tuple[Any, Any]]


@pytest.fixture
def closed(sitting: Sitting, dice: Callable[..., None]) -> Sitting:
    """A table with a match that is over and closed, under seals."""
    dice((3, 1), (4, 2))
    sitting.turn()
    sitting.give(1, cmd.Leave())
    sitting.give(0, cmd.StandUp())
    books_seal()
    return sitting


@pytest.fixture
def race(transactional_db: None) -> Iterator[Race]:
    """`race(one, other)` runs both at once and returns the result or the error of each."""
    barrier = Barrier(2)

    def meet(call: Call | None) -> Any:
        connections["default"].ensure_connection()
        barrier.wait(timeout=WAIT_SECONDS)
        if call is None:
            connections.close_all()
            return None
        return answer(call)

    with ThreadPoolExecutor(2) as pool:
        yield lambda one, other: tuple(pool.map(meet, (one, other)))
        list(pool.map(meet, (None, None)))  # each of the two threads closes its connection


def answer(call: Call) -> Any:
    """The result or error of a call; after "busy, try again" it is tried again."""
    while True:
        try:
            return call()
        except Busy:
            continue
        except Exception as error:
            return error
