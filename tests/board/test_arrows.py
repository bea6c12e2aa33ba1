"""Arrows on the board: a play becomes arrows that end where its checkers come to lie."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.board import tables

pytestmark = pytest.mark.slow

PLAYS: list[dict[str, Any]] = [
    {"moves": [[8, 5, 3], [6, 5, 1]], "text": "8/5 6/5", "equity": 0.159, "loss": 0.0},
    {"moves": [[13, 10, 3], [24, 23, 1]], "text": "24/23 13/10", "equity": 0.127, "loss": 0.032},
    {"moves": [[13, 10, 3], [10, 9, 1]], "text": "13/9", "equity": 0.04, "loss": 0.119},
]
HINT = {"type": "hint", "command": "play", "number": None, "judged_by": "engine", "plays": PLAYS}

ARROWS = """async (moves) => {
  const { arrowsOf } = await import('/static/board/arrows.js');
  return arrowsOf(moves, { badge: '1' }).map(({ from, to }) => [from, to]);
}"""


@pytest.mark.parametrize(
    ("moves", "arrows"),
    [
        ([[13, 10, 3], [10, 9, 1]], [[13, 9]]),
        ([[8, 5, 3], [6, 5, 1]], [[8, 5], [6, 5]]),
        ([[6, 5, 1], [6, 5, 1], [8, 7, 1], [8, 7, 1]], [[6, 5], [8, 7]]),
        ([[25, 22, 3], [22, 20, 2]], [[25, 20]]),
    ],
)
def test_steps_of_one_checker_are_one_arrow(script: Any, moves: Any, arrows: Any) -> None:
    assert script.evaluate(ARROWS, moves) == arrows


def test_a_hint_is_drawn_and_listed(look: Callable[..., Any]) -> None:
    house = tables.to_play((3, 1))
    page = look(house)
    house.send({**HINT, "seq": len(house.events)})
    page.wait_for_selector("#hint")

    def drawn() -> list[str]:
        found = page.locator(".bg-arrow")
        return sorted(arrow.get_attribute("data-arrow") for arrow in found.all())

    rows = [row.inner_text().split("\n") for row in page.locator("#hint-plays li").all()]
    assert rows[0][-3:] == ["8/5 6/5", "best", "0.000"]
    assert rows[1][-3:] == ["24/23 13/10", "small error", "−0.032"]
    assert rows[2][-3:] == ["13/9", "blunder", "−0.119"]
    assert drawn() == ["13/10", "24/23", "6/5", "8/5"]
    page.locator("#hint-plays li").nth(2).focus()
    assert drawn() == ["13/9", "6/5", "8/5"]
    page.locator('[data-action="close_hint"]').click()
    assert drawn() == []
