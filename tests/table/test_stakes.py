"""What is at stake at a table: every ending that is still possible, and what it pays."""

from itertools import cycle
from random import Random

import pytest

from backgammon.rules.variants import KEYS, by_key
from games.table import commands as cmd
from games.table.stakes import stakes_ahead
from games.table.view import table_view
from games.table.view_types import Losses, Worth
from harness.rig import Rig, terms_for

SINGLE = {"mode": "single", "rate_cents": 100, "limit_cents": 1000}
FREE = {"mode": "stake", "stake_cents": 50}
MATCH = {"mode": "prize5", "stake_cents": 250}


def rig(dice=((3, 1), (4, 2)), **wishes) -> Rig:
    table = Rig(cycle(dice), terms_for(**wishes)).sit()
    table.turn()
    return table


def losses(table: Rig, seat: int = 0) -> Losses:
    stakes = table_view(table.state).stakes
    assert stakes is not None
    return stakes.losses[seat]


def points(worths: tuple[Worth, ...]) -> list[int]:
    return [worth.points for worth in worths]


def lost_cents(worths: tuple[Worth, ...], seat: int = 0) -> list[int]:
    return [-worth.change_cents[seat] for worth in worths]


# --- T1: the panel and the price of leaving always were 1, 2 and 3 times the cube -----------------


def test_t1_under_jacoby_a_centred_cube_counts_single():
    table = rig(**FREE, jacoby=True)
    assert lost_cents(losses(table).levels) == [50]
    assert lost_cents(losses(table).taken) == [100, 200, 300]
    assert losses(table).leave == Worth(1, 1, True, (-50, 45), 5, False)
    table.give(cmd.Double(), 1)
    table.give(cmd.Take(), 0)
    assert lost_cents(losses(table).levels) == [100, 200, 300]
    assert losses(table).leave.points == 6


def test_t1_misere_is_always_worth_one():
    table = rig(**FREE, variant="misere", has_cube=False)
    for seat in (0, 1):
        assert lost_cents(losses(table, seat).levels, seat) == [50]
        assert losses(table, seat).leave.points == 1
    ahead = stakes_ahead(table.state.terms)
    # three times the base stake is reserved, but nobody can lose more than one point
    assert (ahead.lost_cents, ahead.won_cents, ahead.rake_cents) == (50, 45, 5)


def test_t1_acey_deucey_is_worth_a_point_for_every_checker_left():
    dice = Random("acey-deucey")
    rolls = iter(lambda: (dice.randint(1, 6), dice.randint(1, 6)), None)
    table = Rig(rolls, terms_for(**FREE, variant="acey_deucey")).sit()
    while table.state.game.position.off == (0, 0):
        shown = losses(table)
        assert points(shown.levels) == list(range(1, 16))
        assert shown.leave is None or (shown.leave.points, shown.leave.change_cents[0]) == (
            15,
            -150,  # the limit: three times the base stake
        )
        assert [worth.capped for worth in shown.levels] == [False] * 3 + [True] * 12
        if table.state.phase == "name_double":
            table.give(cmd.NameDouble(number=6), table.on_roll)
        elif table.state.phase == "play":
            table.play_random(dice)
        else:
            table.give(cmd.Roll(), table.on_roll)
    seat = table.on_roll if table.state.game.position.off[0] else 1 - table.on_roll
    left = 15 - max(table.state.game.position.off)
    assert points(losses(table, seat).levels) == list(range(1, left + 1))


@pytest.mark.parametrize("variant", KEYS)
def test_t1_before_sitting_down_the_levels_are_those_of_the_variant(variant):
    ahead = stakes_ahead(terms_for(**FREE, variant=variant, has_cube=False))
    levels = by_key(variant).levels
    assert [worth.level for worth in ahead.levels] == list(levels)
    assert ahead.lost_cents == min(50 * max(levels), 150)
    assert ahead.taken == ()


def test_t1_before_sitting_down_jacoby_shows_gammons_after_a_take_alone():
    ahead = stakes_ahead(terms_for(**FREE, jacoby=True))
    assert points(ahead.levels) == [1]
    assert points(ahead.taken) == [2, 4, 6]
    assert ahead.lost_cents == 500


# --- T12: leaving while a double waits for an answer ----------------------------------------------


def test_t12_leaving_instead_of_answering_is_shown_as_the_drop_it_is():
    table = rig(**SINGLE)
    table.give(cmd.Double(), 1)
    shown = losses(table, 0)
    assert shown.drop == Worth(1, 1, True, (-100, 90), 10, False)
    assert shown.leave == shown.drop
    _, ended = table.give(cmd.Leave(), 0)
    assert ended.points == shown.leave.points


def test_t12_the_doubler_who_leaves_loses_the_largest_score_at_the_old_cube():
    table = rig(**SINGLE)
    table.give(cmd.Double(), 1)
    shown = losses(table, 1)
    assert (shown.drop, shown.leave.points) == (None, 3)
    _, ended = table.give(cmd.Leave(), 1)
    assert ended.points == 3


def test_t12_leaving_before_a_beaver_is_answered_costs_twice_the_cube():
    table = rig(**FREE, beavers=True)
    table.give(cmd.Double(), 1)
    table.give(cmd.Beaver(), 0)
    shown = losses(table, 1)
    assert shown.leave == shown.drop
    assert shown.leave.points == 2
    assert points(losses(table, 0).taken) == [4, 8, 12]
    _, ended = table.give(cmd.Leave(), 1)
    assert ended.points == 2


# --- the cube, the limit and the score ------------------------------------------------------------


def test_what_the_limit_cuts_is_marked():
    table = rig(mode="single", rate_cents=200, limit_cents=1000)
    assert [worth.capped for worth in losses(table).taken] == [False, False, True]
    assert lost_cents(losses(table).taken) == [400, 800, 1000]


def test_no_take_is_shown_where_nobody_can_double_any_more():
    table = rig(mode="single", rate_cents=200, limit_cents=1000)
    for _ in range(3):  # a plain win reaches the limit of five points with the cube at 8
        seat = table.on_roll
        table.give(cmd.Double(), seat)
        table.give(cmd.Take(), 1 - seat)
        table.turn()
    assert losses(table).taken == ()


def test_a_match_moves_credits_only_when_it_ends():
    table = rig(**MATCH)
    assert [worth.over for worth in losses(table).levels] == [False] * 3
    assert losses(table).leave == Worth(0, 0, True, (-250, 200), 50, False)
    assert losses(table).taken[2] == Worth(3, 6, True, (-250, 200), 50, True)  # five are needed


def test_between_games_the_next_one_is_shown():
    table = rig(**MATCH)
    table.give(cmd.Double(), 1)
    table.give(cmd.Drop(), 0)
    assert table.state.phase == "between_games"
    assert points(losses(table).levels) == [1, 2, 3]
    assert losses(table).leave.change_cents == (-250, 200)


def test_a_tie_pays_both_and_a_lost_last_game_may_still_win():
    table = rig(mode="prize3", stake_cents=250)
    for loser, level in ((0, 2), (1, 1)):
        while table.on_roll != loser or table.state.phase not in ("roll", "play"):
            table.turn()
        table.give(cmd.OfferResignation(level=level), loser)
        if table.state.phase == "resignation_offered":
            table.give(cmd.AcceptResignation(), 1 - loser)
        table.give(cmd.Ready(), 0)
        table.give(cmd.Ready(), 1)
        table.turn()
    # 1 : 2; seat 1 loses the last game by one (a tie), two or three
    shown = losses(table, 1).levels
    assert [worth.change_cents for worth in shown] == [(-25, -25), (200, -250), (200, -250)]
    assert [worth.change_cents for worth in losses(table, 0).levels] == [(-250, 200)] * 3


def test_a_drawn_game_by_the_point_pays_both_stakes_back():
    table = Rig(iter([(6, 1)] * 9), terms_for(**FREE, variant="tapa")).sit()
    drawn = table_view(table.state).stakes.drawn
    assert drawn == Worth(0, 0, True, (0, 0), 0, False)


def test_before_the_first_roll_nobody_loses_by_leaving():
    table = Rig(cycle([(3, 1)]), terms_for(**SINGLE)).sit()
    assert losses(table).leave is None
    assert lost_cents(losses(table).levels) == [100, 200, 300]


@pytest.mark.parametrize("wishes", [SINGLE, MATCH])
def test_without_a_running_match_nothing_is_at_stake(wishes):
    table = Rig(cycle([(3, 1), (4, 2)]), terms_for(**wishes))
    assert table_view(table.state).stakes is None
    table.sit()
    table.turn()
    table.give(cmd.Leave(), 0)
    assert table_view(table.state).stakes is None
