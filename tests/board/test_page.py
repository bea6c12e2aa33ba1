"""The page fits its screen, keeps its buttons in place, and uses only words that exist."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backgammon.rules.variants import KEYS
from games.templatetags.table_words import table_words
from tests.board.conftest import DESKTOP, PHONE
from tests.board.tables import doubled, free_stakes, may_double, to_play

pytestmark = pytest.mark.slow

Look = Callable[..., Any]
STATIC = Path(__file__).resolve().parents[2] / "static"
SCREENS = {
    "desktop": DESKTOP,
    "tablet": {"width": 1024, "height": 768},
    "phone": PHONE,
    "small phone": {"width": 360, "height": 640},
    "phone on its side": {"width": 844, "height": 390},
}
SETTLED = """async ({width, height}) => {
  const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  while (innerWidth !== width || innerHeight !== height) await frame();
  await frame();
}"""
BOXES = """() => {
  const of = '.bg, .strip, #actions button';
  const seen = [...document.querySelectorAll(of)].filter(each => each.checkVisibility());
  return seen.map(each => each.getBoundingClientRect().toJSON());
}"""


def resized(page: Any, first: int) -> Iterator[tuple[str, dict[str, int]]]:
    """Every screen in turn, beginning with that of the load; the layout follows each change."""
    names = [*SCREENS][first:] + [*SCREENS][:first]
    for name in names:
        page.set_viewport_size(SCREENS[name])
        page.evaluate(SETTLED, SCREENS[name])
        yield name, SCREENS[name]


@pytest.mark.parametrize(
    ("first", "table"), list(enumerate([to_play, may_double, doubled, free_stakes, to_play]))
)
def test_everything_fits_on_every_screen(look: Look, first: int, table: Any) -> None:
    """Each screen is once the one at loading; the others follow by resizing."""
    page = look(table(), viewport=[*SCREENS.values()][first], lang="de")
    for name, size in resized(page, first):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), name
        for box in page.evaluate(BOXES):
            assert box["left"] >= 0, name
            assert box["top"] >= 0, name
            assert box["right"] <= size["width"] + 0.5, name
            assert box["bottom"] <= size["height"] + 0.5, name


def test_buttons_stay_where_they_are_while_a_play_grows(look: Look) -> None:
    page = look(to_play((3, 1)))
    undo, done = (page.locator(f'[data-action="{name}"]') for name in ("undo", "done"))
    for name, _ in resized(page, 0):
        before = undo.bounding_box(), done.bounding_box()
        for point in (8, 6):
            page.locator(f'[data-point="{point}"]').click()
            assert (undo.bounding_box(), done.bounding_box()) == before, name
        undo.click()
        undo.click()


def test_nothing_shifts_while_the_page_loads_and_plays(look: Look) -> None:
    page = look(may_double(seat=1))
    page.evaluate(
        """() => {
          window.shift = 0;
          new PerformanceObserver(list => {
            for (const entry of list.getEntries()) {
              if (entry.hadRecentInput) continue;
              window.shift += entry.value;
              window.moved = entry.sources.map(s => s.node?.className || s.node?.nodeName);
            }
          }).observe({type: 'layout-shift', buffered: true});
        }"""
    )
    page.locator('[data-action="roll"]').click()
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    assert page.evaluate("window.shift") < 0.02, page.evaluate("window.moved")


def test_every_variant_has_a_name() -> None:
    assert set(table_words()["variants"]) == set(KEYS)


def test_the_page_s_own_scripts_stay_small() -> None:
    files = [*(STATIC / "board").glob("*.js"), *(STATIC / "js/table").glob("*.js")]
    for script in files:
        assert len(script.read_text(encoding="utf-8").splitlines()) <= 400, script.name
