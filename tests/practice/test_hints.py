"""Hints and taking back, at practice tables only."""

from collections.abc import Callable

import pytest

from accounts.models import User
from backgammon.bots.strength import STRONGEST
from games.bots.player import answer
from games.models import Match, TableEvent
from games.selectors import resume_frame, snapshot_frame
from games.services.archive import match_record, match_steps
from games.services.practice import hint
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from games.table.errors import NotSeated, NotYourTurn, OnlyInPractice, WrongPhase
from games.table.evolve import replay
from games.tasks import bot_move
from games.wire import event_from_payload
from harness.rig import opener_begins
from tests.practice.conftest import Practice

pytestmark = pytest.mark.django_db(transaction=True)


def rolled(practise: Callable[..., Practice], **wishes: object) -> Practice:
    """hilde has rolled three and one."""
    table = practise(**wishes)
    table.give(cmd.Roll())
    return table


def answered(practise: Callable[..., Practice]) -> Practice:
    """hilde has played, and the bot has answered."""
    table = rolled(practise)
    table.give(answer(table.state, 0, strength=STRONGEST, seed=""))
    bot_move(str(table.pk))
    assert table.state.decider == 0
    return table


def test_a_hint_ranks_the_plays(practise: Callable[..., Practice]) -> None:
    table = rolled(practise)
    frame = hint(table_id=table.pk, user_id=table.user.pk)
    assert (frame["type"], frame["seq"], frame["command"]) == ("hint", table.table.seq, "play")
    assert frame["judged_by"] == "engine"
    best = frame["plays"][0]
    assert best["text"] == "8/5 6/5"
    assert sorted(best["moves"]) == [[6, 5, 1], [8, 5, 3]]
    losses = [play["loss"] for play in frame["plays"]]
    assert losses[0] == 0
    assert losses == sorted(losses)


def test_a_hint_can_be_played_as_it_stands(practise: Callable[..., Practice]) -> None:
    table = rolled(practise, variant="plakoto")
    frame = hint(table_id=table.pk, user_id=table.user.pk)
    assert frame["judged_by"] == "net"
    table.give(cmd.Play(moves=tuple(map(tuple, frame["plays"][0]["moves"]))))


def test_a_hint_before_the_roll_speaks_about_the_cube(practise: Callable[..., Practice]) -> None:
    table = answered(practise)
    frame = hint(table_id=table.pk, user_id=table.user.pk)
    assert (frame["command"], frame["plays"]) == ("roll", [])


def test_hints_are_for_who_is_to_decide(practise: Callable[..., Practice], tilo: User) -> None:
    table = rolled(practise)
    with pytest.raises(NotSeated):
        hint(table_id=table.pk, user_id=tilo.pk)
    with pytest.raises(NotSeated):
        hint(table_id=table.pk, user_id=None)
    table.give(answer(table.state, 0, strength=STRONGEST, seed=""))
    with pytest.raises(NotYourTurn):
        hint(table_id=table.pk, user_id=table.user.pk)


@pytest.mark.parametrize(
    "wishes",
    [
        {"mode": "normal"},
        {"mode": "prize3", "stake_cents": 250},
        {"mode": "prize5", "stake_cents": 250},
        {"mode": "single", "rate_cents": 100, "limit_cents": 1000},
        {"mode": "stake", "stake_cents": 50},
    ],
    ids=lambda wishes: wishes["mode"],
)
def test_neither_hint_nor_taking_back_where_something_is_at_stake(
    wishes: dict[str, object], hilde: User, tilo: User, dice: Callable[..., None]
) -> None:
    table = Practice(hilde, table_open(user=hilde, **opener_begins(wishes)))
    table_join(user=tilo, table_id=table.pk)
    table.give(cmd.Roll())
    with pytest.raises(OnlyInPractice):
        hint(table_id=table.pk, user_id=hilde.pk)
    table.give(answer(table.state, 0, strength=STRONGEST, seed=""))
    assert table.state.match.checkpoints == (None, None)
    types = table.types()
    with pytest.raises(OnlyInPractice):
        table.give(cmd.TakeBack())
    assert table.types() == types


def test_taking_back_lays_the_same_dice_again(practise: Callable[..., Practice]) -> None:
    table = rolled(practise)
    before = table.state
    table.give(answer(table.state, 0, strength=STRONGEST, seed=""))
    bot_move(str(table.pk))
    assert "take_back" in snapshot_frame(table.table, 0).view.actions[0]
    table.give(cmd.TakeBack())
    after = table.state
    assert (after.phase, after.decider) == ("play", 0)
    assert after.game == before.game
    assert after.match.rolls > before.match.rolls  # no roll is made a second time
    stored = TableEvent.objects.filter(table=table.pk).order_by("seq")
    assert replay(event_from_payload(row.payload) for row in stored) == after


def test_what_was_taken_back_is_out_of_the_list_of_moves(
    practise: Callable[..., Practice],
) -> None:
    table = answered(practise)
    table.give(cmd.TakeBack())
    frame = snapshot_frame(table.table, 0)
    assert [event["type"] for event in frame.log] == ["game_started"]
    types = [event["type"] for event in resume_frame(table.table, 1, 0).events]
    assert types.count("play_made") == 2
    assert types[-1] == "taken_back"


def test_a_play_is_taken_back_once(practise: Callable[..., Practice]) -> None:
    table = answered(practise)
    table.give(cmd.TakeBack())
    with pytest.raises(WrongPhase):
        table.give(cmd.TakeBack())


def test_before_the_first_play_there_is_nothing_to_take_back(
    practise: Callable[..., Practice],
) -> None:
    table = rolled(practise)
    with pytest.raises(WrongPhase):
        table.give(cmd.TakeBack())


def test_the_record_tells_the_game_without_what_was_taken_back(
    practise: Callable[..., Practice],
) -> None:
    table = answered(practise)
    table.give(cmd.TakeBack())
    table.give(answer(table.state, 0, strength=STRONGEST, seed=""))
    bot_move(str(table.pk))
    match = Match.objects.get(table=table.pk)
    turns = [(turn.seat, turn.dice) for turn in match_record(match).games[0].actions]
    assert turns == [(0, (3, 1)), (1, turns[1][1]), *turns[2:]]
    plays = [step for step in match_steps(match) if step["type"] == "play_made"]
    assert [play["seat"] for play in plays] == [0, 1]
