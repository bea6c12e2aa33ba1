"""Drawing a board costs little: once, when it is near the screen, and with few elements."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import to_builtins

from backgammon.rules.variants import by_key
from games.table.view import board_view
from tests.board.tables import may_double

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
