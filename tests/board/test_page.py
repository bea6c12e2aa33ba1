"""The page itself: it fits its screen, keeps its buttons in place and can be read by everyone."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.rules.variants import KEYS
from games.templatetags.table_strings import table_strings
from tests.axe import violations
from tests.board.conftest import DESKTOP, PHONE
from tests.board.tables import ALL, doubled, free_stakes, may_double, to_play

Look = Callable[..., Any]
STATIC = Path(__file__).resolve().parents[2] / "static"
SCREENS = {
    "desktop": DESKTOP,
    "tablet": {"width": 1024, "height": 768},
    "phone": PHONE,
    "small phone": {"width": 360, "height": 640},
    "phone on its side": {"width": 844, "height": 390},
}
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.mark.browser
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("table", [to_play, may_double, doubled, free_stakes])
def test_everything_fits_on_one_screen(look: Look, screen: str, table: Any) -> None:
    size = SCREENS[screen]
    page = look(table(), viewport=size, lang="de")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for selector in ("svg.bg", ".strip", "#actions button:visible"):
        for box in [each.bounding_box() for each in page.locator(selector).all()]:
            assert box["x"] >= 0
            assert box["y"] >= 0
            assert box["x"] + box["width"] <= size["width"] + 0.5
            assert box["y"] + box["height"] <= size["height"] + 0.5


@pytest.mark.browser
@pytest.mark.parametrize("screen", SCREENS)
def test_buttons_stay_where_they_are_while_a_play_grows(look: Look, screen: str) -> None:
    page = look(to_play((3, 1)), viewport=SCREENS[screen])

    def boxes() -> list[Any]:
        return [page.locator(f'[data-action="{name}"]').bounding_box() for name in ("undo", "done")]

    before = boxes()
    page.locator('[data-point="8"]').click()
    assert boxes() == before
    page.locator('[data-point="6"]').click()
    assert boxes() == before


@pytest.mark.browser
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
    page.wait_for_selector("body[data-phase=play]")
    assert page.evaluate("window.shift") < 0.02, page.evaluate("window.moved")


@pytest.mark.browser
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("theme", "screen", "lang"), [("nussbaum", "desktop", "en"), ("ahorn", "phone", "de")]
)
def test_everyone_can_read_it(look: Look, name: str, theme: str, screen: str, lang: str) -> None:
    page = look(ALL[name](), theme=theme, viewport=SCREENS[screen], lang=lang)
    assert _axe(page) == []
    text = page.locator("body").inner_text()
    labels = page.locator("[aria-label]").evaluate_all("all => all.map(e => e.ariaLabel)")
    for written in [text, *labels]:
        assert "{" not in written
        assert "undefined" not in written


@pytest.mark.browser
@pytest.mark.parametrize("table", [to_play, doubled])
def test_everyone_can_read_it_in_high_contrast(look: Look, table: Any) -> None:
    assert _axe(look(table(), theme="kontrast")) == []


def _axe(page: Any) -> list[str]:
    """What axe finds on the page as it stands; answers that are not armed yet are waited for."""
    if page.locator("#actions").get_attribute("data-mode") == "decision":
        page.wait_for_selector("#actions .slot-b button:visible:enabled")
    return violations(page, *WCAG)


def test_the_scripts_ask_only_for_words_the_page_brings() -> None:
    """Every key in a call of say() exists; keys built from parts are listed by their parts."""
    brought = set(table_strings())
    stems = brought | {re.sub("_(one|other)$", "", key) for key in brought}
    scripts = [*(STATIC / "board").glob("*.js"), *(STATIC / "js/table").glob("*.js")]
    scripts.append(STATIC / "js/table.js")
    asked = {
        key
        for script in scripts
        for key in re.findall(r'\bsay\("(\w+)"', script.read_text(encoding="utf-8"))
    }
    assert len(asked) > 80
    assert asked - stems == set()


def test_every_variant_has_a_name() -> None:
    brought = set(table_strings())
    assert {f"variant_{key}" for key in KEYS if key != "backgammon"} <= brought


def test_the_page_s_own_scripts_stay_small() -> None:
    files = [*(STATIC / "board").glob("*.js"), *(STATIC / "js/table").glob("*.js")]
    for script in files:
        assert len(script.read_text(encoding="utf-8").splitlines()) <= 400, script.name
