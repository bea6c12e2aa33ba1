"""Plays as arrows: one for each checker, and the best one beside the one that was made."""

import re

from django.template import Context, Template

from backgammon.pictures.board import Arrow
from backgammon.pictures.plays import compared_arrows, play_arrows
from backgammon.rules.moves import Move
from backgammon.rules.notation import match_play
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key

BACKGAMMON = by_key("backgammon")
#: own checkers far back, and one of the opponent's alone in their way
LONE = Position.parse("0 0 0 0 0 2 0 0 0 0 0 0 0 0 0 -1 0 0 0 0 0 0 0 3 | bar 0 0 | off 10 14")


def moves(position: Position, dice: tuple[int, int], text: str) -> tuple[Move, ...]:
    return match_play(position, BACKGAMMON.legal_plays(position, dice), text)


def test_the_steps_of_one_checker_are_one_arrow() -> None:
    made = moves(BACKGAMMON.start, (6, 5), "24/13")
    assert play_arrows(BACKGAMMON.start, made) == [Arrow(24, 13)]


def test_each_checker_of_a_double_has_an_arrow() -> None:
    made = moves(BACKGAMMON.start, (1, 1), "8/7(2) 6/5(2)")
    ways = sorted(arrow[:2] for arrow in play_arrows(BACKGAMMON.start, made))
    assert ways == [(6, 5), (6, 5), (8, 7), (8, 7)]


def test_a_hit_on_the_way_ends_an_arrow() -> None:
    assert play_arrows(LONE, moves(LONE, (6, 2), "24/16*")) == [Arrow(24, 16)]
    on = moves(LONE, (4, 4), "24/16*/8")
    assert play_arrows(LONE, on) == [Arrow(24, 16), Arrow(16, 8)]


def test_the_best_play_lies_over_the_one_that_was_made() -> None:
    start = BACKGAMMON.start
    best, made = moves(start, (3, 1), "8/5 6/5"), moves(start, (3, 1), "24/20")
    assert [arrow.kind for arrow in compared_arrows(start, best, made)] == [
        "played",
        "best",
        "best",
    ]
    assert [arrow.kind for arrow in compared_arrows(start, best, best)] == ["best", "best"]
    assert [arrow.kind for arrow in compared_arrows(start, best, None)] == ["best", "best"]


def test_a_drawing_shows_both_plays() -> None:
    start = BACKGAMMON.start
    best, made = moves(start, (3, 1), "8/5 6/5"), moves(start, (3, 1), "24/20")
    arrows = compared_arrows(start, best, made)
    template = Template("{% load boards %}{% board_drawing board arrows=arrows %}")
    drawn = template.render(Context({"board": start, "arrows": arrows}))
    assert re.findall(r'class="bg-arrow bg-(\w+)"', drawn) == ["played", "best", "best"]
