"""A board as it is drawn: at little cost, with arrows, in any theme."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import to_builtins
from playwright.sync_api import expect

from backgammon.rules.variants import by_key
from games.table.view import board_view
from tests.board import tables
from tests.board.conftest import PHONE
from tests.board.tables import may_double, to_play

pytestmark = pytest.mark.slow

#: elements of a wide board with the starting position; every checker more is another five
ELEMENTS_MAX = 370

#: `use(page)`: what happens to a board `top` pixels below the top; returns what was drawn then
DRAWN = """async ([start, top, use]) => {
  const { BgBoard } = await import('/static/board/board.js');
  const { positionFor } = await import('/static/board/position.js');
  const frames = async () => {
    for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame);
  };
  const place = document.createElement('div');
  place.style.cssText = 'height: 9000px; position: relative';
  const around = document.createElement('div');
  around.style.cssText = `position: absolute; width: 600px; height: 400px; top: ${top}px`;
  around.style.contentVisibility = 'auto';
  const host = document.createElement('div');
  host.style.cssText = 'width: 100%; height: 100%';
  around.append(host);
  place.append(around);
  document.body.prepend(place); // above the text of the script
  let sceneries = 0;
  const make = document.createElementNS;
  document.createElementNS = (namespace, name) => {
    if (name === 'clipPath') sceneries += 1; // each scenery has one
    return make.call(document, namespace, name);
  };
  const board = new BgBoard(host, { say: () => '' });
  board.set({
    position: positionFor(start, 'against', 0), way: 'against', pins: false,
    dice: null, faintDice: null,
    cube: { value: 1, owner: null, offeredTo: null, ready: false, resting: false }, graph: null,
    turn: 'start', last: null, tapRolls: false, locked: true,
  });
  board.fit();
  await frames();
  if (use === 'fit') board.fit();
  if (use === 'turn') Object.assign(board.preferences, { direction: -1 }) && board.fit();
  if (use === 'scroll') around.scrollIntoView();
  await frames();
  delete document.createElementNS;
  const found = { sceneries, elements: host.querySelectorAll('*').length };
  place.remove();
  scrollTo(0, 0);
  return found;
}"""


@pytest.mark.parametrize(
    ("top", "use", "sceneries"),
    [
        (0, "", 1),
        (0, "fit", 1),
        (0, "turn", 2),
        (8000, "", 0),
        (8000, "scroll", 1),
    ],
    ids=["at once", "nothing changed", "turned", "out of sight", "scrolled to"],
)
def test_a_board_is_drawn_when_something_about_it_changes_in_sight(
    script: Any, top: int, use: str, sceneries: int
) -> None:
    start = to_builtins(board_view(by_key("backgammon").start))
    found = script.evaluate(DRAWN, [start, top, use])
    assert found["sceneries"] == sceneries
    if sceneries:
        assert found["elements"] <= ELEMENTS_MAX


#: how far the board lies from where the style sheet of the controls has it, in pixels
APART = """() => {
  const play = document.getElementById('play');
  const outer = play.getBoundingClientRect();
  const board = document.querySelector('#board svg').getBoundingClientRect();
  const told = name => parseFloat(play.style.getPropertyValue(`--board-${name}`));
  const seen = {
    left: board.left - outer.left, top: board.top - outer.top,
    width: board.width, height: board.height,
  };
  return Object.keys(seen).map(name => Math.abs(seen[name] - told(name)));
}"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1366, 768)])
def test_the_controls_are_placed_where_the_board_comes_to_lie(
    look: Callable[..., Any], width: int, height: int
) -> None:
    """Its place is calculated before it is drawn, so that nothing has to be measured after it."""
    page = look(may_double(0), viewport={"width": width, "height": height})
    assert max(page.evaluate(APART)) <= 0.1
    page.set_viewport_size({"width": width - 40, "height": height - 30})
    page.wait_for_function(f"() => Math.max(...({APART})()) <= 0.1")


# --- arrows ---------------------------------------------------------------------------------------
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


# --- themes ---------------------------------------------------------------------------------------
DARK, LIGHT = "rgb(21, 17, 14)", "rgb(243, 237, 226)"
WALNUT, MAPLE, SALON = "rgb(36, 68, 59)", "rgb(239, 223, 192)", "rgb(31, 90, 58)"
BLACK = "rgb(0, 0, 0)"
LIGHT_TEXT, DARK_TEXT = "rgb(244, 235, 221)", "rgb(36, 27, 18)"


def seen(page: Any, ground: str, field: str) -> None:
    """Expect these colours of the page and of the board's field."""
    expect(page.locator("body")).to_have_css("background-color", ground)
    expect(page.locator(".bg .bg-field-1").first).to_have_css("stop-color", field)


def test_the_theme_of_the_device_changes_with_the_device(look: Callable[..., Any]) -> None:
    page = look(to_play(), theme="device")
    page.emulate_media(color_scheme="dark")
    seen(page, DARK, WALNUT)
    page.emulate_media(color_scheme="light")
    seen(page, LIGHT, MAPLE)


def test_words_on_an_upright_board_follow_the_board(look: Callable[..., Any]) -> None:
    page = look(to_play(), theme="nussbaum", viewport=PHONE)
    expect(page.locator('.play[data-layout="portrait"] .why')).to_have_css("color", LIGHT_TEXT)
    page.evaluate("() => document.documentElement.setAttribute('data-board', 'maple')")
    expect(page.locator(".why")).to_have_css("color", DARK_TEXT)


def test_a_chosen_board_is_the_same_in_every_theme_but_high_contrast(
    look: Callable[..., Any],
) -> None:
    page = look(to_play(), theme="ahorn")
    choose = "([name, value]) => document.documentElement.setAttribute(name, value)"
    for theme, ground in (("ahorn", LIGHT), ("nussbaum", DARK)):
        page.evaluate(choose, ["data-theme", theme])
        for board, field in (("walnut", WALNUT), ("maple", MAPLE), ("salon", SALON)):
            page.evaluate(choose, ["data-board", board])
            seen(page, ground, field)
    page.evaluate(choose, ["data-theme", "kontrast"])
    seen(page, BLACK, BLACK)
