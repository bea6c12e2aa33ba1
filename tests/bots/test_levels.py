"""The levels of the house bot: their list, and that they play as well as they say."""

from itertools import pairwise

import pytest

from backgammon.bots.strength import LEVELS, STRENGTHS, STRONGEST, Level, level_of
from backgammon.tests.amounts import amount
from bench.bots import contest, judged_games, main, rates

GAMES_QUICK = 3
#: seeds that the figures of the levels do not rest on.
FRESH = range(50_000, 50_000 + amount(6, long=20))


def test_every_level_has_a_name_of_its_own() -> None:
    """The name of its player has a space, so that nobody registers it."""
    assert len(set(STRENGTHS)) == len({level.bot for level in LEVELS}) == len(LEVELS)
    assert all(" " in level.bot and len(level.key) <= 16 for level in LEVELS)
    assert STRENGTHS[-1] == STRONGEST


def test_the_levels_that_are_stored_keep_their_players() -> None:
    """A table that runs goes on with the player who sits there."""
    stored = {"beginner": 1, "intermediate": 2, "advanced": 3, "expert": 4}
    assert {key: level_of(key).bot for key in stored} == {
        key: f"Pasch {number}" for key, number in stored.items()
    }


def test_the_measured_bands_do_not_meet() -> None:
    for weaker, stronger in pairwise(LEVELS):
        assert stronger.measured.high < weaker.measured.low
    for level in LEVELS:
        measured = level.measured
        assert measured.low < measured.pr < measured.high
        assert measured.decisions >= 2_000


@pytest.mark.slow
def test_a_weaker_level_loses_more_in_a_short_sample() -> None:
    """Judged by the bare net, by which the strongest level makes no error at all."""
    found = [rates(key, range(GAMES_QUICK), "quick").pr for key in STRENGTHS]
    assert found == sorted(found, reverse=True)
    assert found[-1] == 0
    assert len(set(found)) == len(found)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS[2:4], ids=STRENGTHS[2:4])
def test_a_level_plays_as_well_as_it_says(level: Level) -> None:
    """Games with other dice than those of the figures, judged as these were.

    Two of the levels, as each takes its time; `python -m bench.bots` measures all.
    """
    found = rates(level.key, FRESH, "full")
    assert found.low <= level.measured.high
    assert found.high >= level.measured.low


def test_a_stronger_level_wins_more_points() -> None:
    """Neighbours need hundreds of games to tell apart; these are far apart."""
    assert contest("backgammon", "child", "expert", range(12)).points < 0


def test_a_child_hardly_ever_doubles_and_an_expert_does() -> None:
    doubles = {
        key: sum(
            row.decision.kind == "take"
            for game in judged_games(key, range(GAMES_QUICK), "quick")
            for row in game
        )
        for key in ("child", "expert")
    }
    assert doubles["child"] == 0
    assert doubles["expert"] > 0


def test_the_bench_prints_a_line_for_each_level_and_pair(capsys) -> None:
    wanted = ["--games", "1", "--contests", "2", "--depth", "quick", "--levels", "child", "expert"]
    assert main([*wanted, "--json"]) == 0
    assert [line.split('"')[3] for line in capsys.readouterr().out.splitlines()] == [
        "child",
        "expert",
        "backgammon",
        "backgammon",
    ]
