"""A board of the analysis shows the best play and the one made, from either side."""

from django.template.loader import render_to_string
from django.utils import translation

from analysis.pages.positions import PositionShown, position_shown
from backgammon.counting.positions import roll_of
from backgammon.counting.situation import MINE, Situation
from backgammon.rules.cube import Cube
from backgammon.rules.variants import by_key

START = Situation(by_key("backgammon").start, Cube(2, MINE))


def shown(played: str, *, turned: bool = False) -> PositionShown:
    best, made = roll_of(START, (3, 1), "8/5 6/5").played, roll_of(START, (3, 1), played).played
    assert best is not None
    assert made is not None
    with translation.override("en"):
        return position_shown(START, (3, 1), best=best.moves, played=made.moves, turned=turned)


def test_two_plays_are_compared_in_arrows_and_words() -> None:
    found = shown("24/20")
    assert [arrow.kind for arrow in found.arrows] == ["played", "best", "best"]
    assert (found.best, found.played) == ("8/5 6/5", "24/20")
    assert found.words.endswith("Best: 8/5 6/5. Played: 24/20.")
    with translation.override("en"):
        drawn = render_to_string("analysis/position.html", {"shown": found})
    assert "24/20 <b>played</b>" in drawn
    assert drawn.count("bg-arrow bg-") == 3


def test_the_best_play_is_compared_with_nothing() -> None:
    found = shown("8/5 6/5")
    assert (found.best, found.played) == ("8/5 6/5", "")
    assert {arrow.kind for arrow in found.arrows} == {"best"}


def test_the_cube_lies_on_its_owners_side() -> None:
    assert (shown("24/20").cube, shown("24/20").cube_owner) == (2, "me")
    assert shown("24/20", turned=True).cube_owner == "op"


def test_a_position_alone_has_neither_arrows_nor_a_legend() -> None:
    found = position_shown(START)
    assert (found.arrows, found.best, found.played) == ((), "", "")
    assert "figcaption" not in render_to_string("analysis/position.html", {"shown": found})
