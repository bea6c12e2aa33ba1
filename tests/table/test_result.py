"""T3: a result names the winner of the match however it ended, and nobody after a void."""

from itertools import cycle

import pytest

from games.table import commands as cmd
from games.table.machine import due_ms
from games.table.view import table_view
from games.table.view_types import ResultView
from harness.rig import Rig, terms_for

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
