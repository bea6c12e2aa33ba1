"""The nightly count: every roll once with its player, none of practice, an alarm if it is odd."""

import itertools
import logging
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from backgammon.dice.statistics import cell_of, luck
from games.models import DiceLuck, DiceRoll, DiceStatistics, GameDice, Match, Table, TableEvent
from games.services.dice.statistics import statistics_latest, statistics_make
from games.services.practice import practice_open
from games.services.tables import table_join, table_open
from harness.sitting import Sitting

NIGHT = datetime(2026, 1, 1, 3, tzinfo=UTC)
EVERY_ROLL = tuple(itertools.product(range(1, 7), repeat=2))


@pytest.fixture
def fair(settings: Any) -> None:
    """Use the house's own dice instead of scripted ones."""
    settings.DICE_SOURCE = "games.services.dice.fair.FairDice"


def now() -> datetime:
    """A moment after everything that has happened."""
    return datetime.now(UTC) + timedelta(minutes=1)


@pytest.fixture
def rolled(db: None) -> Callable[..., None]:
    """`rolled(dice, at=…)` stores rolls of tilo, all in one game."""
    tilo, marlene = (User.objects.create_user(name) for name in ("tilo", "marlene"))
    table = Table.objects.create(
        opener=tilo, guest=marlene, mode="prize5", variant="backgammon", stake_cents=250,
        phase="play", seq=1, state={},
    )  # fmt: skip
    event = TableEvent.objects.create(table=table, seq=1, type="dice_rolled", payload={"seat": 0})
    match = Match.objects.create(
        table=table, number=1, mode="prize5", variant="backgammon", player_0=tilo,
        player_1=marlene, stake_cents=250, started_at=NIGHT,
    )  # fmt: skip
    game = GameDice.objects.create(
        table=table, match=match, number=1, mode="L", terms="{}", house_tip=bytes(32),
        house_secret=b"", sides=[], open_hash=b"", signature=b"", opened_at=NIGHT,
    )  # fmt: skip

    def store(dice: Any, at: datetime = NIGHT) -> None:
        first = DiceRoll.objects.filter(game=game).count()
        DiceRoll.objects.bulk_create(
            DiceRoll(
                game=game, n=first + number, kind=2, flags=0, house=b"", white=b"", black=b"",
                dice=list(faces), seq=event.seq, rolled_at=at,
            )
            for number, faces in enumerate(dice)
        )  # fmt: skip

    return store


@pytest.mark.slow
def test_every_roll_of_a_played_game_is_counted_once(fair, magriel, hilde):
    table = table_open(user=magriel, mode="prize5", stake_cents=250)
    table_join(user=hilde, table_id=table.pk)
    sitting = Sitting(table, (magriel, hilde))
    for _ in range(6):
        sitting.turn()
    stored = TableEvent.objects.filter(table=table, type="dice_rolled")
    events = [event.payload for event in stored.order_by("seq")]
    found = statistics_make(until=now())
    assert found.rolls == len(events) >= 6
    for dice in EVERY_ROLL:
        thrown = sum(tuple(event["dice"]) == dice for event in events)
        assert found.cells[cell_of(*dice)] == thrown
    assert sum(found.pairs) == len(events) - 1
    for seat, user in enumerate((magriel, hilde)):
        own = [event["dice"] for event in events if event["seat"] == seat]
        kept = DiceLuck.objects.get(user=user)
        assert kept.rolls == len(own)
        assert kept.pips == sum(sum(dice) * (1 + (dice[0] == dice[1])) for dice in own)


def test_nobody_s_practice_is_counted(fair, magriel):
    table = practice_open(user=magriel)
    sitting = Sitting(table, (magriel, magriel))
    sitting.turn()
    assert DiceRoll.objects.count() > 0
    assert statistics_make(until=now()).rolls == 0


def test_a_second_count_adds_what_is_new_and_nothing_twice(rolled):
    rolled([(6, 5), (3, 3)])
    rolled([(1, 2)], at=NIGHT + timedelta(hours=1))
    first = statistics_make(until=NIGHT + timedelta(minutes=1))
    assert (first.rolls, sum(first.pairs)) == (2, 1)
    assert statistics_make(until=NIGHT + timedelta(minutes=1)) == first
    second = statistics_make(until=NIGHT + timedelta(hours=2))
    assert second.rolls == sum(second.cells) == 3
    assert second.faces == [1, 1, 2, 0, 1, 1]
    # the pair reaches over the end of the first count
    assert second.pairs[36 * cell_of(6, 5) + cell_of(3, 3)] == 1
    assert second.pairs[36 * cell_of(3, 3) + cell_of(1, 2)] == 1
    kept = DiceLuck.objects.get()
    assert (kept.rolls, kept.pips) == (3, 11 + 12 + 3)
    assert DiceStatistics.objects.count() == 2
    assert statistics_latest() == second


def test_three_dice_count_by_their_faces_alone(rolled):
    rolled([(6, 5, 5), (2, 2, 2)])
    found = statistics_make(until=now())
    assert (found.rolls, found.faces, sum(found.cells)) == (2, [0, 3, 0, 0, 2, 1], 0)
    assert DiceLuck.objects.count() == 0


def test_even_dice_raise_no_alarm(rolled, caplog):
    rolled(random.Random(7).sample(EVERY_ROLL * 6, 216))
    found = statistics_make(until=now())
    assert found.findings["cells"]["p"] == pytest.approx(1)
    assert found.findings["pairs"]["degrees"] == 30
    assert found.findings["doubles"]["statistic"] == 0
    assert not found.alarm
    assert caplog.records == []


def test_crooked_dice_raise_an_alarm_that_is_logged(rolled, caplog):
    rolled((*EVERY_ROLL * 5, *[(6, 6)] * 80))
    with caplog.at_level(logging.ERROR, "games.dice"):
        found = statistics_make(until=now())
    assert found.alarm
    assert found.findings["cells"]["p"] < 1e-6
    assert "improbable" in caplog.text


def test_only_players_with_many_rolls_are_compared(rolled):
    rolled([(6, 6)] * 99)
    assert statistics_make(until=NIGHT + timedelta(hours=1)).players["counted"] == 0
    rolled([(6, 6)], at=NIGHT + timedelta(hours=1))
    players = statistics_make(until=now()).players
    assert [player["name"] for player in players["lucky"]] == ["tilo"]
    assert players["lucky"][0]["z"] == pytest.approx(luck(100, 2400), abs=1e-3)
    assert players["unlucky"] == []


def test_the_first_night_of_an_empty_house(db):
    found = statistics_make()
    assert (found.rolls, found.alarm) == (0, False)
    assert set(found.findings.values()) == {None}
