"""Both lanes give the same result: every row of the database, every frame, every answer."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from backgammon.rules.variants import KEYS
from backgammon.tests.amounts import LONG, amount
from games.broadcast import table_channel
from games.models import Table
from games.modes.registry import OPENED
from games.selectors import table_state
from games.services.commit import TableChange, table_lock
from games.services.dice.fair import FAIR_DICE
from games.services.fast_lane import FastRows
from games.services.plans import PlanNotTaken
from games.services.practice import practice_open
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from kit.database import database_now_ms
from tests.services.lanes import Ear, Fast, Players, Sure, chance, database_rows, undone

pytestmark = pytest.mark.django_db(transaction=True)

SEEDS = range(amount(1, long=2))
TURNS = amount(12, long=60)
WHOLE = 2_000

#: every mode, and how many steps of it are played.
MODES: tuple[tuple[dict[str, Any], int], ...] = (
    ({"mode": "prize5", "stake_cents": 250}, amount(60, long=WHOLE)),
    ({"mode": "prize3", "stake_cents": 250}, WHOLE),
    ({"mode": "single", "rate_cents": 100, "limit_cents": 1_000}, amount(60, long=WHOLE)),
    (
        {"mode": "stake", "stake_cents": 50, "jacoby": True, "beavers": True, "raccoons": True},
        WHOLE,
    ),
    (
        {"mode": "session", "stake_cents": 50, "bank_cents": 1000, "jacoby": True, "beavers": True},
        WHOLE,
    ),
    (
        {"mode": "normal", "start_rule": "roll_off_use", "auto_doubles_max": 2},
        amount(60, long=WHOLE),
    ),
    ({"mode": "match", "target_points": 1, "max_stack": 5, "no_hit_and_run": True}, WHOLE),
    (
        {"mode": "match", "stake_cents": 250, "target_points": 2, "variant": "hypergammon"},
        amount(60, long=WHOLE),
    ),
    ({"mode": "tavli", "stake_cents": 250, "target_points": 3}, WHOLE),
    ({"mode": "tabla", "target_points": 5}, amount(60, long=WHOLE)),
)
EVERY_VARIANT: tuple[dict[str, Any], ...] = tuple(
    {"mode": "stake", "stake_cents": 50, "variant": key, "has_cube": False} for key in KEYS
) + tuple({"mode": "normal", "variant": key, "has_cube": False} for key in KEYS if LONG)


@pytest.fixture
def fast(settings: Any) -> Iterator[Fast]:
    """The fast lane on a connection of its own."""
    settings.DICE_SOURCE = FAIR_DICE
    with asyncio.Runner() as runner:
        rows = FastRows()
        yield Fast(runner, rows)
        runner.run(rows.close())


def sat_down(number: int, wishes: dict[str, Any]) -> tuple[Table, tuple[User, User]]:
    """Two new people at a new table."""
    opener = User.objects.create_user(f"opener{number}")
    if wishes["mode"] == "practice":
        table = practice_open(user=opener)
        return table, (opener, User.objects.get(pk=table.guest_id))
    guest = User.objects.create_user(f"guest{number}")
    table = table_open(user=opener, **wishes)
    return table_join(user=guest, table_id=table.pk), (opener, guest)


def both_lanes(fast: Fast, number: int, wishes: dict[str, Any], turns: int) -> int:
    """Play the same match through both lanes, compare, and return how many plans were written."""
    seed = f"{wishes}:{number}"
    with chance(seed):
        table, people = sat_down(number, wishes)
    players, ear = Players(table, people, seed), Ear(table_channel(table.pk))
    with undone():
        answers = players.play(Sure(), turns)
        rows = database_rows()
    frames = ear.frames()
    written = fast.fast
    assert players.play(fast, turns) == answers
    same_rows(database_rows(), rows)
    assert ear.frames() == frames
    ear.close()
    return fast.fast - written


def same_rows(fast: dict[str, Any], sure: dict[str, Any]) -> None:
    """Compare table by table, so that a difference names its table."""
    assert list(fast) == list(sure)
    for name in sure:
        for one, other in zip(fast[name], sure[name], strict=True):
            assert one == other, name


def test_every_mode_is_played_here():
    assert {wishes["mode"] for wishes, _ in MODES} == {mode.key for mode in OPENED}


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("wishes", "turns"), MODES, ids=[wishes["mode"] for wishes, _ in MODES])
def test_every_mode_is_the_same_in_both_lanes(fast, wishes, turns, seed):
    assert both_lanes(fast, seed, wishes, turns) > 0


@pytest.mark.slow
def test_every_variant_is_the_same_in_both_lanes(fast, subtests):
    for number, wishes in enumerate(EVERY_VARIANT):
        with subtests.test(str(wishes)):
            assert both_lanes(fast, number, wishes, TURNS) > 0


def test_practice_takes_the_sure_lane_alone(fast):
    assert both_lanes(fast, 0, {"mode": "practice"}, 12) == 0


def test_nothing_is_written_at_a_table_whose_row_was_changed_since_the_decision(sitting):
    """The sure lane holds the lock, so this is a bug: all of it is rolled back."""

    @transaction.atomic
    def mistaken() -> None:
        table = table_lock(sitting.pk)
        change = TableChange(table, table_state(table), database_now_ms())
        change.give(cmd.Roll(), 0)
        Table.objects.filter(pk=sitting.pk).update(code="CHANGED")
        change.store()

    before = database_rows()
    with pytest.raises(PlanNotTaken):
        mistaken()
    assert database_rows() == before
