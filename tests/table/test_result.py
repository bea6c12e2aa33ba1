"""T3: a result names the winner of the match however it ended, and nobody after a void."""

from itertools import cycle
from typing import Any

import msgspec
import pytest

from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import ImpossibleResult, MatchOver
from games.table.machine import due_ms
from games.table.state import TableState
from games.table.verdict import Verdict, possible_verdicts, verdict_of
from games.table.view import table_view
from games.table.view_types import ResultView
from harness.rig import Rig, terms_for
from tests.table.test_modes import resign

SETTLED = cmd.Settle(
    paid_cents=(0, 450), rake_cents=50, elo_before=("1", "1"), elo_after=("1", "1")
)


def rig() -> Rig:
    table = Rig(cycle([(3, 1), (4, 2)]), terms_for(mode="prize5", stake_cents=250)).sit()
    table.turn()
    return table


def result(table: Rig) -> ResultView:
    shown = table_view(table.state).result
    assert shown is not None
    return shown


def run_out(table: Rig) -> None:
    table.now_ms = due_ms(table.state) or 0
    table.give(cmd.WakeUp())


ENDINGS = {
    "left": lambda table: table.give(cmd.Leave(), 1),
    "time_over": run_out,
    "adjudicated": lambda table: table.give(cmd.Adjudicate(winner=0)),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_t3_a_match_that_ends_in_the_middle_of_a_game_names_its_winner(ending):
    table = rig()
    assert table.on_roll == 1
    ENDINGS[ending](table)
    shown = result(table)
    assert (shown.winner, shown.match.winner, shown.match.ending) == (0, 0, ending)


def test_t3_leaving_between_games_shows_the_match_and_no_game_that_the_other_won():
    table = rig()
    table.give(cmd.Double(), 1)
    table.give(cmd.Drop(), 0)
    assert (result(table).winner, result(table).points) == (1, 1)
    table.give(cmd.Leave(), 1)
    shown = result(table)
    assert (shown.winner, shown.match.winner) == (0, 0)
    assert shown == ResultView(winner=0, match=shown.match)


def test_t3_after_the_void_of_a_settled_match_nobody_is_named():
    table = rig()
    for _ in range(5):  # seat 1 wins by drops
        while table.on_roll != 1 or table.state.phase != "roll":
            table.turn()
        if table.state.match.score[1] == 4:
            break
        if table.state.game.crawford:
            break
        table.give(cmd.Double(), 1)
        table.give(cmd.Drop(), 0)
        table.give(cmd.Ready(), 0)
        table.give(cmd.Ready(), 1)
        if table.state.game.crawford:
            break
    while table.on_roll != 0 or table.state.phase not in ("roll", "play"):
        table.turn()
    table.give(cmd.OfferResignation(level=1), 0)
    assert (table.state.phase, result(table).winner) == ("over", 1)
    table.give(SETTLED)
    table.give(cmd.Void())
    shown = result(table)
    assert shown == ResultView(winner=None, match=shown.match)
    assert (shown.match.winner, shown.match.ending) == (None, "voided")


# --- verdicts -------------------------------------------------------------------------------------
SINGLE = {"mode": "single", "rate_cents": 100, "limit_cents": 1000}
PRIZE3 = {"mode": "prize3", "stake_cents": 250}
PRIZE5 = {"mode": "prize5", "stake_cents": 250}


def rig_of(dice=((3, 1), (4, 2)), **wishes: Any) -> Rig:
    table = Rig(cycle(dice), terms_for(**wishes)).sit()
    table.turn()
    return table


def worth(state: TableState, winner: int) -> set[tuple[int, int]]:
    """(level, cube) of every verdict for this winner."""
    return {(it.level, it.cube) for it in possible_verdicts(state) if it.winner == winner}


def scores(state: TableState, winner: int | None) -> set[tuple[int, int]]:
    return {it.score for it in possible_verdicts(state) if it.winner == winner}


def adjudicate(table: Rig, **fields: Any) -> ev.MatchEnded:
    (ended,) = table.give(cmd.Adjudicate(**fields))
    assert isinstance(ended, ev.MatchEnded)
    return ended


# --- games by the point ---------------------------------------------------------------------------
def test_a_game_is_decided_at_every_level_its_board_allows():
    table = rig_of(**SINGLE)
    assert worth(table.state, 0) == worth(table.state, 1) == {(1, 1), (2, 1), (3, 1)}
    ended = adjudicate(table, winner=1, level=2, cube=1)
    assert (ended.points, ended.level, ended.cube, ended.score) == (2, 2, 1, (0, 2))
    result = table.state.match.result
    assert (result.winner, result.points, result.ending) == (1, 2, "adjudicated")


def test_who_has_borne_off_loses_a_plain_game():
    table = rig_of([(6, 6), (4, 3), (5, 5), (6, 4)], **SINGLE)
    while not any(table.state.game.position.off):
        table.turn()
    ahead = 0 if _off(table.state, 0) else 1
    assert worth(table.state, 1 - ahead) == {(1, 1)}
    assert (2, 1) in worth(table.state, ahead)


def _off(state: TableState, seat: int) -> int:
    game = state.game
    return game.position.off[0 if game.on_roll == seat else 1]


def test_a_double_that_waits_may_be_taken_or_dropped():
    table = rig_of(**SINGLE)
    table.give(cmd.Double(), 1)
    assert worth(table.state, 1) == {(1, 1), (1, 2), (2, 2), (3, 2)}  # the other player must answer
    assert worth(table.state, 0) == {(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)}
    table.give(cmd.Take(), 0)
    assert worth(table.state, 1) == {(1, 2), (2, 2), (3, 2)}


def test_jacoby_gives_no_gammon_before_a_double_is_taken():
    table = rig_of(mode="stake", stake_cents=100, jacoby=True)
    assert worth(table.state, 0) == {(1, 1)}
    table.give(cmd.Double(), 1)
    assert worth(table.state, 1) == {(1, 1), (1, 2), (2, 2), (3, 2)}


def test_levels_are_those_of_the_variant():
    table = Rig(cycle([(3, 1), (4, 2)]), terms_for(mode="stake", stake_cents=50, variant="portes"))
    table.sit()
    assert {level for level, _cube in worth(table.state, 0)} == {1, 2}


@pytest.mark.parametrize(
    "fields",
    [
        {"winner": 0, "level": 4, "cube": 1},
        {"winner": 0, "level": 1, "cube": 2},
        {"winner": 0, "level": 2, "cube": 0},
        {"winner": 0, "level": -1, "cube": -1},
        {"winner": 0, "level": 1, "cube": 1, "score": (5, 0)},
        {"winner": None, "level": 0, "cube": 0},
        {"winner": None},
        {"winner": 2},
        {"winner": -1},
    ],
)
def test_no_other_result_of_a_game_is_taken(fields):
    table = rig_of(**SINGLE)
    with pytest.raises(ImpossibleResult):
        table.give(cmd.Adjudicate(**fields))
    assert table.state.match.result is None


# --- matches --------------------------------------------------------------------------------------
def test_a_match_to_five_ends_with_five_points_of_the_winner():
    table = rig_of(**PRIZE5)
    resign(table, 0, level=2)
    assert scores(table.state, 0) == {(5, 2), (5, 3), (5, 4)}
    assert scores(table.state, 1) == {(0, 5), (1, 5), (2, 5), (3, 5), (4, 5)}
    assert scores(table.state, None) == set()
    ended = adjudicate(table, winner=0, score=(5, 3))
    assert (ended.winner, ended.score, ended.points) == (0, (5, 3), 0)
    assert table.state.match.score == (5, 3)


def test_three_games_end_with_a_score_that_they_can_still_have():
    table = rig_of(**PRIZE3)
    resign(table, 0, level=3)
    table.go_on()
    resign(table, 1, level=1)
    assert table.state.match.score == (1, 3)
    assert scores(table.state, 1) == {(1, 4), (1, 5), (1, 6), (2, 3)}
    assert scores(table.state, None) == {(3, 3)}
    assert scores(table.state, 0) == {(4, 3)}
    ended = adjudicate(table, winner=None, score=(3, 3))
    assert (ended.winner, ended.score) == (None, (3, 3))
    assert table_view(table.state).result.match.winner is None


def test_three_games_from_the_beginning():
    table = rig_of(**PRIZE3)
    assert scores(table.state, None) == {(2, 2), (3, 3)}
    assert (7, 0) not in scores(table.state, 0)
    assert {(4, 0), (6, 0), (2, 1)} <= scores(table.state, 0)  # after two games, and after three


@pytest.mark.parametrize(
    ("mode", "fields"),
    [
        (PRIZE5, {"winner": 0, "score": (4, 0)}),
        (PRIZE5, {"winner": 0, "score": (6, 0)}),
        (PRIZE5, {"winner": 0, "score": (5, 5)}),
        (PRIZE5, {"winner": 1, "score": (5, 0)}),
        (PRIZE5, {"winner": None, "score": (4, 4)}),
        (PRIZE5, {"winner": 0, "score": (5, 0), "level": 1, "cube": 1}),
        (PRIZE3, {"winner": None, "score": (1, 1)}),
        (PRIZE3, {"winner": 0, "score": (9, 1)}),
        (PRIZE3, {"winner": None}),
    ],
)
def test_no_other_score_is_taken(mode, fields):
    table = rig_of(**mode)
    with pytest.raises(ImpossibleResult):
        table.give(cmd.Adjudicate(**fields))
    assert table.state.match.result is None


def test_what_is_over_is_not_decided():
    table = rig_of(**PRIZE5)
    table.give(cmd.Leave(), 0)
    for call in (possible_verdicts, lambda state: verdict_of(state, 0, None, 0, 0)):
        with pytest.raises(MatchOver):
            call(table.state)


# --- as it was ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("mode", "points", "level"), [(SINGLE, 3, 3), (PRIZE5, 0, 0), (PRIZE3, 0, 0)]
)
def test_without_a_score_the_winner_gets_what_a_leaver_would_lose(mode, points, level):
    table, left = rig_of(**mode), rig_of(**mode)
    ended = adjudicate(table, winner=1)
    *_, lost = left.give(cmd.Leave(), 0)
    assert (ended.points, ended.score) == (lost.points, lost.score) == (points, (0, 0))
    assert ended.level == level


def test_every_possible_verdict_is_taken_and_recorded():
    for mode in (SINGLE, PRIZE5, PRIZE3):
        for verdict in possible_verdicts(rig_of(**mode).state):
            ended = adjudicate(rig_of(**mode), **msgspec.structs.asdict(verdict))
            assert (
                Verdict(winner=ended.winner, score=ended.score, level=ended.level, cube=ended.cube)
                == verdict
            )


# --- what clients are shown -----------------------------------------------------------------------
@pytest.mark.parametrize(
    ("command", "seat", "ending"),
    [
        (cmd.Leave(), 0, "left"),
        (cmd.Adjudicate(winner=1), None, "adjudicated"),
        (cmd.Adjudicate(winner=1, score=(2, 5)), None, "adjudicated"),
    ],
)
def test_the_result_names_the_winner_of_a_match_that_was_not_played_out(command, seat, ending):
    table = rig_of(**PRIZE5)
    assert table_view(table.state).result is None
    table.give(command, seat)
    result = table_view(table.state).result
    assert result.winner == result.match.winner == 1
    assert result.match.ending == ending


def test_the_result_names_the_winner_after_time_over_between_two_games():
    table = rig_of(**PRIZE5)
    resign(table, 1)  # seat 0 won the game
    table.give(cmd.Leave(), 0)  # and left before the next
    result = table_view(table.state).result
    assert (result.winner, result.match.winner) == (1, 1)


def test_a_void_leaves_no_winner():
    table = rig_of(**SINGLE)
    resign(table, 0)
    assert table_view(table.state).result.winner == 1
    table.give(
        cmd.Settle(
            paid_cents=(900, 1090), rake_cents=10, elo_before=("1", "1"), elo_after=("1", "1")
        )
    )
    table.give(cmd.Void())
    result = table_view(table.state).result
    assert (result.winner, result.match.winner) == (None, None)
