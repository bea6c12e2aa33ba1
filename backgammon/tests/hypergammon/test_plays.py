"""The plays of the table are those of the rules, whatever the other side has."""

from random import Random

import pytest

from backgammon.evaluation.hypergammon.arrangements import (
    ALL,
    COUNT,
    GONE,
    LOOSE,
    NUMBER,
    held,
    level,
    may_meet,
    numbers_of,
    position_of,
)
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from backgammon.tests.amounts import amount
from backgammon.train.hypergammon.backup import Universe
from backgammon.train.hypergammon.plays import ROLLS, ways

RULES = by_key("hypergammon")
EVERYWHERE = Universe()
#: enough for every kind of meeting: hits on the way, closed points, the bar, the bear-off.
POSITIONS = amount(300, long=5000)


def positions(count: int, seed: int) -> list[tuple[int, int]]:
    """Pairs of arrangements; every third of two sides that are close to each other."""
    chance, found = Random(seed), list[tuple[int, int]]()
    while len(found) < count:
        mine, theirs = chance.randrange(COUNT), chance.randrange(COUNT)
        if len(found) % 3 == 0:  # a closed point before the mover, and blots
            theirs = chance.randrange(LOOSE, COUNT)
        if GONE not in (mine, theirs) and may_meet(mine, theirs):
            found.append((mine, theirs))
    return found


def results(mine: int, theirs: int, roll: tuple[int, int]) -> set[tuple[int, int]]:
    """What the plays lead to, as the sweeps read them."""
    point = held(ALL[theirs])
    closed = 1 << 25 - point if point else 0
    found = set()
    for way in ways(mine, roll):
        if way.closed_for & closed or (way.only_closed and not closed):
            continue
        goes = EVERYWHERE.hits(way.hits)
        found.add((way.after, theirs if goes is None else int(goes[theirs])))
    return found


def test_every_arrangement_has_one_number() -> None:
    assert COUNT == 3276 == len(NUMBER)
    assert [held(each) > 0 for each in ALL] == [False] * LOOSE + [True] * (COUNT - LOOSE)
    assert numbers_of(RULES.start) == (NUMBER[22, 23, 24], NUMBER[22, 23, 24])
    for mine, theirs in positions(50, 1):
        position = position_of(mine, theirs)
        RULES.check(position)
        assert numbers_of(position) == (mine, theirs)
        assert numbers_of(position.turned(RULES.way)) == (theirs, mine)


def test_the_plays_of_random_positions_are_those_of_the_rules() -> None:
    for number, (mine, theirs) in enumerate(positions(POSITIONS, 2)):
        first, second, _ = ROLLS[number % len(ROLLS)]
        legal = RULES.legal_plays(position_of(mine, theirs), (first, second)).results
        assert results(mine, theirs, (first, second)) == {numbers_of(each) for each in legal}


@pytest.mark.parametrize(
    ("mine", "theirs", "roll"),
    [
        ((0, 0, 3), (21, 23, 24), (2, 1)),  # the last checker goes off at once, or hits first
        ((0, 0, 2), (0, 24, 24), (2, 1)),
        ((8, 8, 8), (19, 19, 23), (6, 5)),  # the higher die alone, if only one can be played
        ((25, 25, 25), (3, 3, 5), (4, 3)),
        ((24, 24, 25), (0, 3, 5), (3, 3)),
    ],
)
def test_the_plays_of_narrow_positions_are_those_of_the_rules(
    mine: tuple[int, int, int], theirs: tuple[int, int, int], roll: tuple[int, int]
) -> None:
    numbers = NUMBER[mine], NUMBER[theirs]
    legal = RULES.legal_plays(position_of(*numbers), roll).results
    assert results(*numbers, roll) == {numbers_of(each) for each in legal}


def test_the_levels_are_those_of_the_rules() -> None:
    assert [float(each) for each in EVERYWHERE.levels] == [level(each) for each in ALL]
    for number, each in enumerate(ALL[:-1]):
        if number != GONE:
            assert RULES.level(position_of(GONE, number)) == level(each)


def test_positions_that_cannot_be_are_told_from_the_others() -> None:
    chance = Random(3)
    for _ in range(300):
        mine, theirs = chance.randrange(COUNT), chance.randrange(COUNT)
        assert EVERYWHERE.legal[mine, theirs] == may_meet(mine, theirs)
    assert not may_meet(GONE, GONE)
    assert isinstance(position_of(GONE, 0), Position)
