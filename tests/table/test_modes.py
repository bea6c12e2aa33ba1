"""The machine plays every mode, every variant and every answer to a double to its end."""

from random import Random

import pytest

from backgammon.rules.variants import KEYS, by_key
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import (
    BadTerms,
    IllegalTablePlay,
    MatchOver,
    MayNotDouble,
    NotYourTurn,
    WrongPhase,
)
from games.table.evolve import replay
from games.table.rights import actions
from games.table.view import table_view
from games.table.view_types import Worth
from harness.rig import Rig, rig_of, terms_for

FREE = {"mode": "stake", "stake_cents": 100}


def resign(table: Rig, seat: int, level: int = 1) -> tuple[ev.Event, ...]:
    """Let `seat` give up the game at this level as soon as it is on roll."""
    while (
        table.on_roll != seat
        or table.state.phase not in ("roll", "play")
        or (table.state.before_first_roll)
    ):
        table.turn()
    events = table.give(cmd.OfferResignation(level=level), seat)
    if table.state.phase == "resignation_offered":
        events += table.give(cmd.AcceptResignation(), 1 - seat)
    return events


# --- three games ----------------------------------------------------------------------------------


def test_three_games_are_played_without_cube_and_the_most_points_win():
    table = rig_of(mode="prize3", stake_cents=250)
    resign(table, 0)
    table.go_on()
    table.play_first()
    assert "double" not in actions(table.state, table.on_roll)
    resign(table, 1, level=2)
    table.go_on()
    *_, ended = resign(table, 0)
    assert (ended.winner, ended.score) == (None, (2, 2))
    assert table.state.phase == "over"


def test_three_games_end_as_soon_as_nobody_can_catch_up():
    table = rig_of(mode="prize3", stake_cents=250)
    resign(table, 1, level=3)
    table.go_on()
    *_, ended = resign(table, 1)
    # 4:0 with one game left, which is worth three at the most
    assert (ended.winner, ended.score) == (0, (4, 0))


def test_three_games_go_on_while_a_tie_is_possible():
    table = rig_of(mode="prize3", stake_cents=250)
    resign(table, 1, level=2)
    table.go_on()
    resign(table, 1)
    assert table.state.phase == "between_games"


# --- games that stand alone -----------------------------------------------------------------------


@pytest.mark.parametrize("wishes", [{"mode": "normal"}, FREE, {"mode": "practice"}])
def test_a_game_that_stands_alone_ends_the_match(wishes):
    table = rig_of(**wishes)
    *_, ended = resign(table, 1, level=2)
    assert (ended.winner, ended.points) == (0, 2)
    assert table.state.phase == "over"


@pytest.mark.parametrize("leaver", [0, 1])
def test_leaving_a_single_game_costs_the_largest_score_still_possible(leaver):
    table = rig_of(mode="single", rate_cents=100, limit_cents=1000)
    table.turn()
    costs = table_view(table.state).stakes.losses[leaver].leave
    _, ended = table.give(cmd.Leave(), leaver)
    assert ended.points == 3  # contact: a backgammon is still possible
    assert costs == Worth(3, 3, True, (-300, 270) if leaver == 0 else (270, -300), 30, False)


@pytest.mark.parametrize(("leaver", "points"), [(0, 1), (1, 3)])
def test_who_leaves_at_a_double_drops_it_or_pays_by_the_old_cube(leaver, points):
    """Leaving instead of the answer is a drop; who doubled pays what they could lose before."""
    table = rig_of(mode="single", rate_cents=100, limit_cents=1000)
    table.turn()
    table.give(cmd.Double(), 1)
    _, ended = table.give(cmd.Leave(), leaver)
    assert ended.points == points


def test_nobody_doubles_a_cube_that_reaches_the_limit():
    table = rig_of(mode="single", rate_cents=200, limit_cents=1000)  # the limit is five points
    table.turn()
    for value in (2, 4, 8):
        seat = table.on_roll
        table.give(cmd.Double(), seat)
        table.give(cmd.Take(), 1 - seat)
        assert table.state.game.cube.value == value
        while table.state.phase != "roll" and table.on_roll == seat:
            table.play_first()
        if value < 8:
            continue
    assert "double" not in actions(table.state, table.on_roll)
    [plain, *_] = table_view(table.state).stakes.losses[0].levels
    assert (plain.points, plain.change_cents) == (8, (-1000, 900))


# --- Jacoby, beavers, raccoons --------------------------------------------------------------------


def test_under_jacoby_a_gammon_counts_only_after_a_double():
    table = rig_of(**FREE, jacoby=True)
    table.turn()
    assert table_view(table.state).resignable_levels == (1,)
    table.give(cmd.Double(), 1)
    table.give(cmd.Take(), 0)
    assert table_view(table.state).resignable_levels == (1, 2, 3)


def test_a_beaver_keeps_the_cube_and_costs_the_doubler_twice_to_give_up():
    table = rig_of(**FREE, beavers=True)
    table.turn()
    table.give(cmd.Double(), 1)
    assert actions(table.state, 0) == ("take", "drop", "beaver", "leave")
    table.give(cmd.Beaver(), 0)
    assert table.state.decider == 1
    assert actions(table.state, 1) == ("take", "drop", "leave")
    _, ended, _ = table.give(cmd.Drop(), 1)
    assert (ended.winner, ended.points) == (0, 2)


def test_a_taken_beaver_leaves_the_cube_on_four_with_the_beaverer():
    table = rig_of(**FREE, beavers=True)
    table.turn()
    table.give(cmd.Double(), 1)
    table.give(cmd.Beaver(), 0)
    table.give(cmd.Take(), 1)
    cube = table.state.game.cube
    assert (cube.value, cube.owner) == (4, 0)
    assert table.on_roll == 1


def test_a_raccoon_makes_it_eight_and_stays_with_the_beaverer():
    table = rig_of(**FREE, beavers=True, raccoons=True)
    table.turn()
    table.give(cmd.Double(), 1)
    table.give(cmd.Beaver(), 0)
    assert "raccoon" in actions(table.state, 1)
    table.give(cmd.Raccoon(), 1)
    assert table.state.decider == 0
    table.give(cmd.Take(), 0)
    assert (table.state.game.cube.value, table.state.game.cube.owner) == (8, 0)


def test_a_raccoon_given_up_costs_four():
    table = rig_of(**FREE, beavers=True, raccoons=True)
    table.turn()
    table.give(cmd.Double(), 1)
    table.give(cmd.Beaver(), 0)
    table.give(cmd.Raccoon(), 1)
    _, ended, _ = table.give(cmd.Drop(), 0)
    assert (ended.winner, ended.points) == (1, 4)


def test_without_the_rule_there_is_no_beaver():
    table = rig_of(**FREE)
    table.turn()
    table.give(cmd.Double(), 1)
    with pytest.raises(MayNotDouble):
        table.give(cmd.Beaver(), 0)
    with pytest.raises(NotYourTurn):
        table.give(cmd.Raccoon(), 1)


# --- who begins -----------------------------------------------------------------------------------


def test_the_higher_die_begins_and_plays_both_numbers():
    table = rig_of([(2, 5)], mode="normal", start_rule="roll_off_use")
    assert actions(table.state, 0) == ("roll", "stand_up")
    rolled_off, rolled = table.give(cmd.Roll(), 0)
    assert (rolled_off.starter, rolled.seat, rolled.dice) == (1, 1, (5, 2))


def test_equal_dice_are_rolled_again_and_may_turn_the_cube():
    dice = [(3, 3), (4, 4), (6, 1)]
    table = rig_of(dice, mode="normal", start_rule="roll_off_use", auto_doubles_max=1)
    table.give(cmd.Roll(), 0)
    game = table.state.game
    assert (game.cube.value, game.cube.owner, game.starter) == (2, None, 0)
    assert game.dice == (6, 1)


def test_the_winner_of_the_roll_off_may_roll_anew():
    table = rig_of([(2, 5), (6, 6)], mode="normal", start_rule="roll_off_reroll")
    table.give(cmd.Roll(), 0)
    assert (table.on_roll, table.state.game.dice) == (1, (6, 6))


def test_the_numbers_of_a_roll_off_are_no_roll_of_three_dice():
    with pytest.raises(BadTerms, match="start_rule"):
        terms_for(mode="normal", variant="tabula", start_rule="roll_off_use")
    table = rig_of(
        [(2, 5), (6, 6, 1)], mode="normal", variant="tabula", start_rule="roll_off_reroll"
    )
    table.give(cmd.Roll(), 0)
    assert (table.on_roll, table.state.game.dice) == (1, (6, 6, 1))


def test_the_winner_begins_the_rematch_where_the_table_has_it_so():
    table = rig_of([(5, 2), (4, 1)], mode="normal", variant="plakoto", start_rule="winner_starts")
    assert table.state.phase == "roll_off"
    table.give(cmd.Roll(), 0)
    assert table.state.game.starter == 0
    resign(table, 0)
    table.give(cmd.GiveRematch(match="second"), 0)
    *_, started = table.give(cmd.GiveRematch(match="second"), 1)
    assert (started.starter, table.state.phase) == (1, "roll")


def test_automatic_doubles_stop_at_the_cap_of_the_cube():
    dice = [(3, 3), (4, 4), (6, 1)]
    wishes = {"start_rule": "roll_off_use", "auto_doubles_max": 3, "cube_cap": 2}
    table = rig_of(dice, mode="normal", **wishes)
    table.give(cmd.Roll(), 0)
    assert (table.state.game.cube.value, table.state.game.auto_doubles) == (2, 1)


def test_max_five_closes_a_point_with_five_checkers():
    plain = rig_of([(6, 5)], mode="normal")
    table = rig_of([(6, 5)], mode="normal", max_stack=5)
    for each in (plain, table):
        each.give(cmd.Roll(), 0)
    runs = cmd.Play(moves=((24, 18, 6), (18, 13, 5)))
    with pytest.raises(IllegalTablePlay):
        table.give(runs, 0)
    assert plain.give(runs, 0)


# --- rematch --------------------------------------------------------------------------------------


def test_a_rematch_needs_both_and_the_other_player_begins():
    table = rig_of(mode="normal")
    resign(table, 1)
    table.give(cmd.GiveRematch(match="second"), 0)
    assert "rematch" not in actions(table.state, 0)
    with pytest.raises(WrongPhase):
        table.give(cmd.GiveRematch(match="third"), 0)
    events = table.give(cmd.GiveRematch(match="second"), 1)
    assert [type(event) for event in events[:3]] == [
        ev.RematchOffered,
        ev.MatchStarted,
        ev.GameStarted,
    ]
    assert (table.state.match.id, table.state.match.number) == ("second", 2)
    assert table.state.match.score == (0, 0)
    assert table.on_roll == 1
    assert table.state.before_first_roll


def test_who_stands_up_after_the_match_closes_the_table():
    table = rig_of(mode="normal")
    resign(table, 1)
    table.give(cmd.StandUp(), 0)
    with pytest.raises((WrongPhase, MatchOver)):
        table.give(cmd.GiveRematch(match="second"), 1)


# --- variants -------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", KEYS)
def test_every_variant_plays_to_its_end(variant):
    random = Random(variant)
    dice_count = by_key(variant).dice_count
    rolls = iter(lambda: tuple(random.randint(1, 6) for _ in range(dice_count)), None)
    table = Rig(rolls, terms_for(mode="normal", variant=variant, has_cube=False)).sit()
    for _ in range(4_000):
        if table.state.phase == "over":
            break
        if table.state.phase == "name_double":
            table.give(cmd.NameDouble(number=random.randint(1, 6)), table.on_roll)
        elif table.state.phase == "play":
            table.play_random(random)
        else:
            table.give(cmd.Roll(), table.on_roll)
        table_view(table.state)
    assert table.state.phase == "over", f"{variant} does not end"
    assert replay(table.events) == table.state
