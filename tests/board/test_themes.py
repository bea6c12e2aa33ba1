"""The theme follows the device; a board keeps its own scheme in any theme."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.board.conftest import PHONE
from tests.board.tables import to_play

pytestmark = pytest.mark.slow
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
