"""A page with a table behind it, without database: what the board and its client promise."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.board.house import House
from tests.board.page_server import TABLE_ID, page_server
from tests.conftest import REPORT_VIOLATIONS

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="session")
def pages() -> Iterator[str]:
    """The address of the table page."""
    with page_server() as address:
        yield address


@pytest.fixture
def look(pages: str, browser: Any) -> Iterator[Callable[..., Any]]:
    """`look(house)` opens the page of that table; every error on it fails the test at the end."""
    opened = []

    def open_page(
        house: House, *, lang: str = "en", theme: str = "nussbaum", **options: Any
    ) -> Any:
        viewport = options.pop("viewport", DESKTOP)
        motion = options.pop("reduced_motion", "reduce")
        context = browser.new_context(
            viewport=viewport, reduced_motion=motion, locale="en-GB", **options
        )
        page = context.new_page()
        page.problems = []
        page.on("console", lambda note: note.type == "error" and page.problems.append(note.text))
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.add_init_script(REPORT_VIOLATIONS)
        opened.append(page)
        house.attach(page)
        page.goto(f"{pages}/table/{TABLE_ID}/?lang={lang}&theme={theme}")
        page.wait_for_selector("body[data-free=true]")
        return page

    yield open_page
    problems = [problem for page in opened for problem in page.problems]
    for page in opened:
        page.context.close()
    assert problems == []


@pytest.fixture
def script(pages: str, browser: Any) -> Iterator[Any]:
    """A page from which the board's modules can be imported."""
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(f"{pages}/static/board/board.js")
    yield page
    context.close()
