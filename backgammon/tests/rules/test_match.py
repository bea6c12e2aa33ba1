"""Matches, series and cycles of games, as tables of scores."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backgammon.rules.errors import InvalidScore
from backgammon.rules.match import (
    MatchFormat,
    MatchScore,
    exactly,
    match_to,
    tabla,
    tavli,
    unlimited,
)
from backgammon.rules.variants import by_key

BACKGAMMON = by_key("backgammon")
Games = list[tuple[int | None, int]]


def played(match_format: MatchFormat, games: Games) -> MatchScore:
    score = match_format.score()
    for winner, points in games:
        score = score.after(winner, points)
    return score


@pytest.mark.parametrize(
    ("games", "crawford", "post"),
    [
        ([], False, False),
        ([(0, 3)], False, False),
        ([(0, 4)], True, False),
        ([(0, 4), (1, 1)], False, True),
        ([(0, 4), (1, 4)], False, True),
        ([(0, 2), (1, 4)], True, False),
        ([(0, 4), (0, 1)], False, False),
    ],
)
def test_the_first_game_one_point_away_is_crawfords(
    games: Games, crawford: bool, post: bool
) -> None:
    score = played(match_to(5, BACKGAMMON), games)
    assert (score.is_crawford, score.is_post_crawford) == (crawford, post)
    assert score.cube_in_play is not crawford


def test_a_match_to_one_has_no_cube() -> None:
    assert not match_to(1, BACKGAMMON).score().cube_in_play


def test_without_crawfords_rule_there_is_no_crawford_game() -> None:
    score = played(match_to(3, BACKGAMMON, crawford=False), [(0, 2)])
    assert not score.is_crawford
    assert score.cube_in_play


def test_a_match_ends_at_its_length_and_surplus_does_not_matter() -> None:
    score = played(match_to(5, BACKGAMMON), [(1, 4), (0, 2), (1, 8)])
    assert score.is_over
    assert score.winner == 1
    assert score.points_needed(1) == 0
    assert score.points_needed(0) == 3
    assert not score.can_be_caught_up
    with pytest.raises(InvalidScore, match="over"):
        score.after(0, 1)


@pytest.mark.parametrize(
    ("games", "over", "winner"),
    [
        ([(0, 3)], False, None),
        ([(0, 3), (0, 1)], True, 0),
        ([(0, 2), (0, 1)], False, None),
        ([(0, 2), (0, 1), (1, 3)], True, None),
        ([(0, 1), (1, 1), (0, 1)], True, 0),
        ([(0, 1), (1, 3), (0, 1)], True, 1),
    ],
)
def test_exactly_three_games_end_when_nobody_can_catch_up(
    games: Games, over: bool, winner: int | None
) -> None:
    score = played(exactly(3, BACKGAMMON), games)
    assert score.is_over == over
    assert score.winner == winner
    assert score.is_tie == (over and winner is None)
    assert not score.cube_in_play


def test_unlimited_play_never_ends() -> None:
    score = played(unlimited(BACKGAMMON), [(0, 64)] * 5)
    assert not score.is_over
    assert score.winner is None
    assert score.points_needed(0) is None
    assert score.can_be_caught_up
    assert not unlimited(by_key("portes")).has_cube


def test_tavli_goes_round_and_a_tie_moves_on() -> None:
    score = tavli(7).score()
    keys = []
    for winner, points in ((0, 1), (None, 0), (1, 2), (1, 1)):
        keys.append(score.variant.key)
        score = score.after(winner, points)
    assert keys == ["portes", "plakoto", "fevga", "portes"]
    assert score.points == (1, 3)


def test_tabla_goes_round() -> None:
    assert [tabla(5).variant_of(n).key for n in range(4)] == [
        "backgammon",
        "gul_bara",
        "tapa",
        "backgammon",
    ]


@pytest.mark.parametrize(
    "make",
    [
        lambda: tavli(4),
        lambda: tabla(3),
        lambda: match_to(0, BACKGAMMON),
        lambda: match_to(100, BACKGAMMON),
        lambda: exactly(0, BACKGAMMON),
        lambda: MatchScore(match_to(5, BACKGAMMON), points=(-1, 0)),
        lambda: match_to(5, BACKGAMMON).score().after(0, 0),
        lambda: match_to(5, BACKGAMMON).score().after(None, 1),
        lambda: match_to(5, BACKGAMMON).score().after(2, 1),
        lambda: match_to(5, BACKGAMMON).score().after(0, -1),
    ],
)
def test_impossible_formats_and_results_are_refused(make: object) -> None:
    assert callable(make)
    with pytest.raises(InvalidScore):
        make()


results = st.lists(st.tuples(st.integers(0, 1), st.integers(1, 6)), max_size=30)


@given(st.integers(1, 15), results)
def test_a_match_has_at_most_one_crawford_game_and_one_winner(length: int, games: Games) -> None:
    score, crawford_games = match_to(length, BACKGAMMON).score(), 0
    for winner, points in games:
        if score.is_over:
            break
        crawford_games += score.is_crawford
        score = score.after(winner, points)
    assert crawford_games <= 1
    assert score.is_over == (max(score.points) >= length)
    assert (score.winner is not None) == score.is_over


def test_a_match_to_one_point_has_no_crawford_game() -> None:
    assert not match_to(1, BACKGAMMON).score().is_crawford
    assert match_to(2, BACKGAMMON).score().after(0, 1).is_crawford
