"""Fevga's lock, at its edges; the worked positions and the oracle cover the rest."""

from __future__ import annotations

import pytest

from backgammon.rules.position import Position
from backgammon.rules.variants import by_key

FEVGA = by_key("fevga")


def results(text: str, dice: tuple[int, int]) -> set[str]:
    plays = FEVGA.legal_plays(Position.parse(text), dice)
    return {result.text() for result in plays.results}


def test_a_lock_is_allowed_when_there_is_nothing_else() -> None:
    """The wall 23..18 stands before all fifteen on 24, and only the runner on 14 may move."""
    before = "0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0 2 2 2 2 3 3 -15 | bar 0 0 | off 0 0"
    after = "0 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 2 2 2 2 3 3 -15 | bar 0 0 | off 0 0 | hand 0 0"
    assert results(before, (2, 1)) == {after}


def test_a_lock_is_dropped_when_the_wall_can_be_opened() -> None:
    """The same wall with the runner past it: every play gives up a point of the wall."""
    before = "0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 2 2 2 2 3 3 -15 | bar 0 0 | off 0 0"
    opened = results(before, (2, 1))
    assert opened
    for text in opened:
        assert "0" in text.split()[17:23]


@pytest.mark.parametrize(
    ("before", "locked"),
    [
        ("0 0 1 0 0 0 2 2 2 2 2 4 -15 0 0 0 0 0 0 0 0 0 0 0 | bar 0 0 | off 0 0", False),
        ("4 0 0 0 0 1 2 2 2 2 2 -15 0 0 0 0 0 0 0 0 0 0 0 0 | bar 0 0 | off 0 0", True),
        ("4 0 0 0 0 1 2 2 2 2 2 -14 0 0 0 0 0 0 -1 0 0 0 0 0 | bar 0 0 | off 0 0", False),
        ("4 0 0 0 0 1 2 2 2 2 2 -14 0 0 0 0 0 0 0 0 0 0 0 0 | bar 0 0 | off 0 1", True),
    ],
    ids=["at the end of his path", "all on the head", "one has left", "one is off"],
)
def test_a_wall_locks_only_men_gathered_right_before_it(before: str, locked: bool) -> None:
    """7/6 with the 1 (and 7/5 not) would keep the wall; it is legal only if no one is locked."""
    wall = {-15: range(7, 13), 0: range(6, 12)}[Position.parse(before).points[12]]
    kept = [
        text
        for text in results(before, (2, 1))
        if all(int(text.split()[point - 1]) > 0 for point in wall)
    ]
    assert bool(kept) is not locked


def test_a_wall_through_his_whole_home_is_the_last_that_locks() -> None:
    """All fifteen on the opponent's 7, which is 19 here, before six points 18..13."""
    before = "3 0 0 0 0 0 0 0 0 0 0 0 2 2 2 2 2 2 -15 0 0 0 0 0 | bar 0 0 | off 0 0"
    after = results(before, (2, 1))
    assert after
    assert all("0" in text.split()[12:18] for text in after)


def test_a_runner_on_the_opponents_start_is_not_past_it() -> None:
    """From 12, the left head of the opponent, the runner itself must take the first die."""
    before = "0 0 -15 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 14 | bar 0 0 | off 0 0"
    after = results(before, (2, 1))
    assert {text.split()[11] for text in after} == {"0"}
    assert len(after) == 3
