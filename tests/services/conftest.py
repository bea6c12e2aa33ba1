"""People with credits, tables and scripted dice for tests of the services."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connections

from accounts.models import User
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from games.table.errors import Busy
from harness.dice import ScriptedDice
from harness.sitting import Sitting
from harness.waiting import WAIT_SECONDS
from ledger.seals import books_seal

Call = Callable[[], Any]
Race = Callable[[Call, Call], tuple[Any, Any]]


@pytest.fixture
def dice(settings: object) -> Iterator[Callable[..., None]]:
    """`dice((6, 6), (2, 1))` sets the rolls, which repeat."""
    settings.DICE_SOURCE = "harness.dice.ScriptedDice"
    kept = ScriptedDice.script

    def lay(*rolls: tuple[int, int]) -> None:
        ScriptedDice.script = list(rolls)

    yield lay
    ScriptedDice.script = kept


@pytest.fixture
def magriel(transactional_db: None) -> User:
    """The opener of tables; 100 credits of welcome."""
    return User.objects.create_user("magriel")


@pytest.fixture
def hilde(transactional_db: None) -> User:
    """The guest at tables; 100 credits of welcome."""
    return User.objects.create_user("hilde")


@pytest.fixture
def tilo(transactional_db: None) -> User:
    """A third person."""
    return User.objects.create_user("tilo")


@pytest.fixture
def sitting(magriel: User, hilde: User, dice: Callable[..., None]) -> Sitting:
    """magriel and hilde sit at a table for 2.50, before the first roll."""
    table = table_open(user=magriel, mode="prize5", stake_cents=250)
    table_join(user=hilde, table_id=table.pk)
    return Sitting(table, (magriel, hilde))


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
