"""The errors of the levels: the same for a seed, alike for similar plays, never boundless."""

from itertools import pairwise
from statistics import fmean, pstdev

import pytest

from backgammon.bots.noise import Noise, bell
from backgammon.bots.strength import LEVELS, STRONGEST, Level, level_of
from backgammon.rules.position import Position

SEEDS = tuple(str(number) for number in range(400))
MANY = 30


def noise(
    strength: str = "beginner", seed: str = "1", game: str = "1", contact: bool = True
) -> Noise:
    return Noise(level_of(strength), seed, game, contact)


def board(points: dict[int, int]) -> Position:
    """These checkers, own positive, by the numbers of the player who made the play."""
    return Position(tuple(points.get(point, 0) for point in range(1, 25)))


PLAY = board({24: 2, 13: 5, 8: 3, 6: 5, 1: -2, 12: -5, 17: -3, 19: -5})
ONE_CHECKER_APART = board({24: 2, 13: 4, 9: 1, 8: 3, 6: 5, 1: -2, 12: -5, 17: -3, 19: -5})
FAR_APART = board({22: 2, 11: 4, 7: 2, 5: 3, 4: 2, 3: 2, 1: -2, 12: -5, 17: -3, 19: -5})


def between(one: Position, other: Position, seed: str, count: int = MANY, **wishes) -> float:
    """The error in the comparison of two plays of so many; the others are like the first."""
    return noise(seed=seed, **wishes).about_plays([one, *[one] * (count - 2), other])[-1]


def spread(one: Position, other: Position, **wishes) -> float:
    """How far the errors about two plays lie apart, over many decisions."""
    return pstdev(between(one, other, seed, **wishes) for seed in SEEDS)


def test_a_bell_has_no_mean_and_a_deviation_of_one() -> None:
    numbers = [bell("seed", number) for number in range(4_000)]
    assert abs(fmean(numbers)) < 0.05
    assert pstdev(numbers) == pytest.approx(1.0, rel=0.05)


def test_the_same_seed_gives_the_same_error_and_another_one_another() -> None:
    one, same, other = (between(PLAY, FAR_APART, seed) for seed in ("1", "1", "2"))
    assert one == same != other


def test_similar_plays_share_most_of_their_error() -> None:
    assert 0 < spread(PLAY, ONE_CHECKER_APART) < 0.75 * spread(PLAY, FAR_APART)


def test_races_and_rolls_with_few_plays_are_easier() -> None:
    usual = spread(PLAY, FAR_APART)
    assert spread(PLAY, FAR_APART, contact=False) < 0.5 * usual
    assert spread(PLAY, FAR_APART, count=2) < 0.7 * usual


def test_a_few_errors_are_large_and_most_are_small() -> None:
    """The kurtosis of a normal distribution is 3."""
    errors = [between(PLAY, FAR_APART, seed) for seed in SEEDS]
    size = pstdev(errors)
    assert fmean((error / size) ** 4 for error in errors) > 4


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.key)
def test_no_comparison_is_wrong_beyond_its_limit(level: Level) -> None:
    errors = [between(PLAY, FAR_APART, seed, strength=level.key) for seed in SEEDS]
    assert max(map(abs, errors)) <= 4 * level.play


def test_the_strongest_level_has_no_errors() -> None:
    strongest = noise(STRONGEST)
    assert strongest.about_plays([PLAY, FAR_APART]) == [0, 0]
    assert strongest.about_cube() == strongest.about_number(6) == 0


def test_what_is_misjudged_about_the_cube_lasts_for_a_game() -> None:
    turns = [noise(seed=seed, game="1").about_cube() for seed in SEEDS]
    games = [noise(seed=seed, game=seed).about_cube() for seed in SEEDS]
    assert pstdev(turns) < 0.75 * pstdev(games)
    assert pstdev(games) == pytest.approx(level_of("beginner").cube, rel=0.1)


def test_both_sorts_of_error_grow_with_the_level() -> None:
    for weaker, stronger in pairwise(LEVELS):
        assert (weaker.play, weaker.cube) > (stronger.play, stronger.cube)
        assert weaker.thumb >= stronger.thumb
