"""A page with a table behind it that no server has, for the tests of the board and its client."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.board.house import BoardHouse
from tests.board.page_server import TABLE_ID, page_server
from tests.page_pool import BY_HAND, PagePool

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


def action(page: Any, name: str) -> Any:
    """The button of this action."""
    return page.locator(f'[data-action="{name}"]')


@pytest.fixture(scope="session")
def pages(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """The address of the table page, which asks the database for a tournament of the table."""
    with django_db_blocker.unblock(), page_server() as address:
        yield address


@pytest.fixture
def look(pages: str, page_pool: PagePool) -> Iterator[Callable[..., Any]]:
    """`look(house)` opens the page of that table; every error on it fails the test at the end.

    `by_hand`: the page makes no forced play by itself.
    """
    opened = []

    def open_page(
        house: BoardHouse,
        *,
        lang: str = "en",
        theme: str = "nussbaum",
        by_hand: bool = False,
        **options: Any,
    ) -> Any:
        settings = {"viewport": DESKTOP, "reduced_motion": "reduce", "locale": "en-GB", **options}
        page = page_pool.take(**settings)
        opened.append(page)
        if by_hand:
            page.context.add_cookies([BY_HAND])
        house.attach(page)
        page.goto(f"{pages}/table/{TABLE_ID}/?lang={lang}&theme={theme}")
        page.wait_for_selector("body[data-free=true]")
        return page

    yield open_page
    problems = [problem for page in opened for problem in page.problems]
    for page in opened:
        page_pool.give_back(page, always_routed=True)
    assert problems == []


@pytest.fixture(scope="module")
def script(pages: str, page_pool: PagePool) -> Iterator[Any]:
    """A page from which the board's modules can be imported; no test changes it."""
    page = page_pool.take(viewport=DESKTOP, reduced_motion="reduce", locale="en-GB")
    page.goto(f"{pages}/static/board/board.js")
    yield page
    page_pool.give_back(page, always_routed=True)
