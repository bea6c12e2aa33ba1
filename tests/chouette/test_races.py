"""At the same instant: the last place, the start and the end of a game, and breakdowns between."""

from functools import partial

import pytest

from games.chouette import commands as cmd
from games.chouette import settlement
from games.chouette.engine.errors import ChouetteError
from games.chouette.errors import ChouetteStale, SitsElsewhere
from games.chouette.models import Circle, CircleEvent, Game, Roll
from games.chouette.pace import PAUSE_MS
from games.chouette.services import playing
from games.chouette.services.opening import circle_open
from games.chouette.services.playing import chouette_command, chouette_move_on
from games.chouette.services.store import state_of
from games.kinds import kind_move_on
from games.table.errors import Busy
from harness.chouettes import Hands, at_random, circle_sit
from kit.sweeps import Stuck
from ledger.audit import run as audit
from ledger.selectors import account_balance
from tests.racing import racers, tries


def test_one_of_many_gets_the_last_place(people):
    players = people(11)
    with racers(6) as race:
        for _ in range(tries(1, long=30)):
            hands = Hands(players[:5])
            sit = partial(circle_sit, circle_id=hands.circle.pk)
            outcomes = race([partial(sit, user=each) for each in players[5:]])
            assert sum(isinstance(each, Circle) for each in outcomes) == 1
            assert sum(isinstance(each, ChouetteError | Busy) for each in outcomes) == 5
            assert len(state_of(hands.row()).people) == 6
            for player in state_of(hands.row()).people:
                hands.players.setdefault(player, next(p for p in players if p.pk == player))
                hands.do(player, cmd.StandUpNow())


def test_a_person_sits_at_one_of_two_tables(people):
    one, two, three = people(3)
    with racers(2) as race:
        for _ in range(tries(2, long=30)):
            first, second = circle_open(user=one), circle_open(user=two)
            outcomes = race(
                [partial(circle_sit, user=three, circle_id=each.pk) for each in (first, second)]
            )
            assert sum(isinstance(each, Circle) for each in outcomes) == 1
            assert sum(isinstance(each, SitsElsewhere | Busy) for each in outcomes) == 1
            for user, circle in ((one, first), (two, second)):
                chouette_command(user=user, circle_id=circle.pk, command=cmd.StandUpNow())
            for circle in (first, second):
                circle.refresh_from_db()
                if three.pk in state_of(circle).people:
                    chouette_command(user=three, circle_id=circle.pk, command=cmd.StandUpNow())


def test_many_who_wake_a_table_begin_and_roll_once(people):
    players = people(4, 50_000)
    with racers(6) as race:
        for _ in range(tries(1, long=20)):
            hands = Hands(players, rate_cents=10)
            pace = {**hands.row().pace, "next_game_ms": 1}
            Circle.objects.filter(pk=hands.circle.pk).update(pace=pace)
            wake = partial(
                chouette_command, user=players[0], circle_id=hands.circle.pk, command=cmd.Wake()
            )
            move = partial(chouette_move_on, hands.circle.pk)
            race([wake, move, wake, move, wake, move])
            game = Game.objects.get(circle=hands.circle)
            assert account_balance(f"escrow:{game.reference}") == 2 * 3 * 80
            started = CircleEvent.objects.filter(circle=hands.circle, payload__type="game_started")
            assert started.count() == 1
            for player in players:
                hands.do(player.pk, cmd.StandUpNow())
    assert audit().finding_count == 0


def to_a_double(hands, chance) -> None:
    """Play until a member may double."""
    while "decide" not in hands.view(next(iter(hands.view()["waits_for"]), None))["actions"]:
        if state_of(hands.row()).game is None:
            hands.begin()
        else:
            hands.step(at_random(chance, doubles=0))


@pytest.mark.slow
def test_one_decision_of_two_at_the_same_instant_counts(people, chance):
    hands = Hands(people(3))
    hands.begin()
    with racers(2) as race:
        for _ in range(tries(3, long=8)):
            to_a_double(hands, chance)
            player, turn = hands.view()["waits_for"][0], hands.view()["turn"]
            act = partial(chouette_command, user=hands.players[player], circle_id=hands.circle.pk)
            outcomes = race(
                [
                    partial(act, command=cmd.Decide(turn=turn, doubles=each))
                    for each in (False, True)
                ]
            )
            assert sum(isinstance(each, int) for each in outcomes) == 1
            assert (
                sum(isinstance(each, ChouetteError | ChouetteStale | Busy) for each in outcomes)
                == 1
            )
            hands.step(at_random(chance, doubles=0))


class BrokenDown(Exception):
    pass


def broken(*_arguments: object) -> None:
    raise BrokenDown


@pytest.mark.parametrize("step", ["stakes_take", "stakes_settle"])
def test_a_breakdown_before_the_books_leaves_nothing_behind(people, chance, monkeypatch, step):
    hands = Hands(people(3, 10_000), rate_cents=10)
    if step == "stakes_settle":
        hands.begin()
        while len(state_of(hands.row()).people) > 1 and state_of(hands.row()).game is not None:
            before = hands.row().seq
            with monkeypatch.context() as patched:
                patched.setattr(settlement, step, broken)
                try:
                    hands.step(at_random(chance, doubles=0.5))
                except BrokenDown:
                    break
        assert hands.row().seq == before, "the last command was rolled back whole"
        hands.step(at_random(chance, doubles=0.5))
    else:
        monkeypatch.setattr(settlement, step, broken)
        with pytest.raises(BrokenDown):
            hands.later(PAUSE_MS)
        assert not Game.objects.exists()
        assert not Roll.objects.exists()
        monkeypatch.undo()
        hands.begin()
        assert Game.objects.count() == 1
    assert audit().finding_count == 0


def test_a_table_that_is_stuck_is_logged_and_keeps_no_other_waiting(people, monkeypatch):
    hands = Hands(people(3))
    Circle.objects.filter(pk=hands.circle.pk).update(wake_at=hands.circle.created_at)

    def stuck(_work: object) -> None:
        raise ChouetteError("stuck")

    monkeypatch.setattr(playing, "go_on", stuck)
    assert kind_move_on("chouette") == 0
    assert Stuck.objects.get().item == str(hands.circle.pk)
    assert kind_move_on("chouette") == 0, "it waits for its next try"
    assert Stuck.objects.get().failures == 1
