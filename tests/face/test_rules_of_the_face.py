"""Rules for all templates, style sheets and scripts, and that none relies on sight alone."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.board.tables import doubled, may_double, to_play
from tests.face.inspection import LAYOUT, settle
from tests.pages.texts import ROOT

pytestmark = pytest.mark.slow

STYLED = re.compile(r"\.setAttribute\(\s*[\"']style[\"']|\.cssText|insertAdjacentHTML|\.innerHTML")
#: 1280 by 800 at 200 %, as a browser lays it out
ZOOMED = {"viewport": {"width": 640, "height": 400}}


def test_no_script_writes_markup_or_style_attributes() -> None:
    scripts = [path for folder in ("board", "js", "fairness") for path in
               (ROOT / "static" / folder).rglob("*.js")]  # fmt: skip
    assert scripts
    assert [p.name for p in scripts if STYLED.search(p.read_text(encoding="utf-8"))] == []


def test_no_page_turns_with_the_phone() -> None:
    """WCAG 1.3.4; axe would have to copy the style sheets into the page to see it."""
    for path in (ROOT / "static" / "css").glob("*.css"):
        for block in path.read_text(encoding="utf-8").split("orientation:")[1:]:
            assert "rotate(" not in block.split("@media")[0], path.name


@pytest.mark.parametrize("table", [to_play, doubled])
def test_at_twice_the_size_everything_is_still_there(look: Callable[..., Any], table: Any) -> None:
    page = look(table(), lang="de", **ZOOMED)
    settle(page)
    assert page.evaluate(LAYOUT) == []
    for name in ("done",) if table is to_play else ("take", "drop"):
        assert page.locator(f'[data-action="{name}"]').is_visible()


def test_marks_differ_by_shape_and_not_by_colour_alone(look: Callable[..., Any]) -> None:
    page = look(may_double(seat=1))
    dashes = page.evaluate(
        """() => Object.fromEntries(['last-from', 'last-to'].map(name => {
          const mark = document.querySelector(`.bg-${name}`);
          return [name, mark && getComputedStyle(mark).strokeDasharray];
        }))"""
    )
    assert dashes["last-to"] == "none" != dashes["last-from"]
    page.emulate_media(forced_colors="active")
    border = "e => parseFloat(getComputedStyle(e).borderTopWidth)"
    assert page.locator('[data-action="roll"]').evaluate(border) > 0


def test_nothing_moves_for_who_asks_for_no_movement(look: Callable[..., Any]) -> None:
    page = look(to_play())
    page.locator('[data-point="8"]').click()
    assert page.evaluate("document.getAnimations().length") == 0
