"""Legal plays as a value: iterating, counting, following, refusing, and error messages."""

from __future__ import annotations

import json
import random

import pytest

from backgammon.rules.errors import (
    IllegalPlay,
    InvalidDice,
    OptionNotOffered,
    RulesError,
    UnknownVariant,
)
from backgammon.rules.moves import Move
from backgammon.rules.position import Position
from backgammon.rules.variant import Options, Outcome, Termination, Variant
from backgammon.rules.variants import ALL, KEYS, by_key
from backgammon.tests.rules.playing import rolled_positions, scattered

BACKGAMMON = by_key("backgammon")
DANCE = Position.parse("-2 0 0 0 0 4 0 0 0 0 0 0 0 0 0 0 0 0 -2 -2 -2 -2 -2 1 | bar 1 0 | off 9 3")


def test_an_opening_is_iterated_counted_and_asked() -> None:
    plays = BACKGAMMON.legal_plays(BACKGAMMON.start, (3, 1))
    assert len(plays.results) == 16
    assert plays.count() == len(list(plays)) == 31
    assert (Move(8, 5, 3), Move(6, 5, 1)) in plays
    assert (Move(6, 5, 1), Move(8, 5, 3)) in plays
    assert (Move(8, 5, 3),) not in plays
    assert "8/5 6/5" not in plays
    assert plays.all_played


def test_following_a_play_gives_its_result() -> None:
    graph = BACKGAMMON.legal_plays(BACKGAMMON.start, (3, 1)).graph
    assert graph.follow([Move(8, 5, 3), Move(6, 5, 1)]).points[4] == 2


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ([Move(24, 18, 6)], "move 1 of 1: 24/18 with 6 is not legal here"),
        ([Move(8, 5, 3), Move(8, 5, 3)], "move 2 of 2: 8/5 with 3"),
        ([Move(8, 5, 3)], "not complete: 1 can still be played"),
        ([], "not complete: 3 or 1 can still be played"),
    ],
)
def test_a_wrong_play_is_refused_by_its_first_wrong_move(moves: list[Move], message: str) -> None:
    graph = BACKGAMMON.legal_plays(BACKGAMMON.start, (3, 1)).graph
    with pytest.raises(IllegalPlay, match=message) as refused:
        graph.follow(moves)
    assert refused.value.code == "illegal_play"


def test_a_roll_without_a_legal_play_is_one_node_and_the_empty_play() -> None:
    plays = BACKGAMMON.legal_plays(DANCE, (6, 2))
    assert plays.graph.wire() == [[]]
    assert list(plays) == [()]
    assert () in plays
    assert plays.count() == 1
    assert plays.results == {DANCE}
    assert plays.dice_played == 0
    assert not plays.all_played


def test_the_wire_form_is_lists_of_numbers() -> None:
    one_left = Position.parse("1" + " 0" * 22 + " -2 | bar 0 0 | off 14 13")
    wire = json.dumps(BACKGAMMON.legal_plays(one_left, (2, 1)).graph.wire())
    assert json.loads(wire) == [[[1, 0, 2, 1], [1, 0, 1, 2]], [], []]


def test_a_finished_board_has_no_further_play() -> None:
    over = Position.parse("0 " * 23 + "-2 | bar 0 0 | off 15 13")
    plays = BACKGAMMON.legal_plays(over, (2, 1))
    assert plays.results == {over}


def test_picking_walks_the_graph() -> None:
    plays = BACKGAMMON.legal_plays(BACKGAMMON.start, (6, 5))
    moves, result = plays.pick(lambda choices: choices - 1)
    assert moves in plays
    assert plays.graph.follow(moves) == result


@pytest.mark.parametrize("dice", [(), (1,), (1, 2, 3), (0, 1), (7, 1), (1.0, 2), (True, 2)])
def test_dice_that_are_none_are_refused(dice: tuple[int, ...]) -> None:
    with pytest.raises(InvalidDice):
        BACKGAMMON.legal_plays(BACKGAMMON.start, dice)


def test_tabula_wants_three_dice() -> None:
    tabula = by_key("tabula")
    with pytest.raises(InvalidDice, match="3 dice"):
        tabula.legal_plays(tabula.start, (1, 2))


def test_options_a_variant_does_not_offer_are_refused() -> None:
    hyper = by_key("hypergammon")
    with pytest.raises(OptionNotOffered, match="max_stack"):
        hyper.legal_plays(hyper.start, (2, 1), options=Options(max_stack=5))
    with pytest.raises(OptionNotOffered, match="5 or off"):
        BACKGAMMON.check_options(Options(max_stack=4))
    with pytest.raises(OptionNotOffered, match="extra_roll"):
        BACKGAMMON.check_options(Options(extra_roll_on_doubles=False))
    with pytest.raises(OptionNotOffered, match="on or off"):
        BACKGAMMON.check_options(Options(no_hit_and_run="yes"))  # type: ignore[arg-type]
    by_key("acey_deucey").check_options(Options(extra_roll_on_doubles=False))


def test_an_unknown_variant_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownVariant, match=r"chess.*backgammon"):
        by_key("chess")


def test_every_error_is_a_rules_error_with_its_own_code() -> None:
    kinds = RulesError.__subclasses__()
    assert all(issubclass(kind, ValueError) for kind in kinds)
    assert len({kind.code for kind in kinds}) == len(kinds)


def test_every_variant_is_found_by_its_key() -> None:
    assert len(KEYS) == len(set(KEYS)) == len(ALL) >= 14
    assert all(by_key(variant.key) is variant for variant in ALL)


def test_a_game_in_which_nobody_can_move_any_more_is_drawn() -> None:
    """Both sides on the bar against six closed points; one open point and the game goes on."""
    frozen = "2 2 2 2 2 2 0 0 0 0 0 0 0 0 0 0 0 0 -2 -2 -2 -2 -2 -2 | bar 3 3 | off 0 0"
    drawn = Outcome(None, 0, Termination.FROZEN)
    assert BACKGAMMON.outcome(Position.parse(frozen)) == drawn
    one_gap = frozen.replace("2 2 2 2 2 2", "2 2 2 2 4 0")
    assert BACKGAMMON.outcome(Position.parse(one_gap)) is None


@pytest.mark.slow
@pytest.mark.parametrize("variant", ALL, ids=lambda variant: variant.key)
def test_whether_anything_can_move_is_what_the_search_says(variant: Variant) -> None:
    chance = random.Random(f"can move {variant.key}")
    found = set()
    for _ in range(120):
        position = scattered(variant, chance)
        plays = [variant.legal_plays(position, (die,) * variant.dice_count) for die in range(1, 7)]
        can_move = any(each.dice_played for each in plays)
        assert variant.can_move(position) == can_move, position.text()
        found.add(can_move)
    assert True in found


@pytest.mark.parametrize("variant", ALL, ids=lambda variant: variant.key)
def test_plays_of_a_position_from_a_game_need_no_check(variant: Variant) -> None:
    for rolled in rolled_positions(variant, 5, 30):
        plays = variant.plays_from(rolled.position, rolled.dice, first_turn=rolled.first_turn)
        assert plays.graph.wire() == rolled.plays.graph.wire()
        assert plays.results == rolled.plays.results
