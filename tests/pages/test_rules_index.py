"""The rules are folded on the page, and whole for printing."""

import re
from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db

SECTIONS = ["options", "modes", "endings", "clock", "rating"]


def folds(page: str) -> list[tuple[str, bool]]:
    """The sections that can be folded, and whether each is open."""
    found = re.findall(
        r'<section class="prose" id="(\w+)"[^>]*>\s*<details class="fold"( open)?>', page
    )
    return [(name, bool(opened)) for name, opened in found]


def test_sections_are_folded_until_all_are_wanted() -> None:
    page = Client().get("/rules/").content.decode()
    assert folds(page) == [(name, False) for name in SECTIONS]
    assert '<a href="?all">Everything on one page, for printing</a>' in page
    whole = Client().get("/rules/?all").content.decode()
    assert folds(whole) == [(name, True) for name in SECTIONS]
    assert "for printing" not in whole


@pytest.mark.django_db(transaction=True)
def test_the_section_of_the_address_opens_and_all_open_before_printing(
    live: str, page: Any
) -> None:
    page.goto(f"{live}/rules/#rating")
    assert page.locator("#rating .formula").is_visible()
    assert not page.locator("#endings .data").first.is_visible()
    page.locator("nav a[href='#endings']").first.click()
    page.locator("#endings .data").first.wait_for(state="visible")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details.fold:not([open])").count() == 0


@pytest.mark.django_db(transaction=True)
def test_the_page_is_not_wider_than_a_phone(live: str, page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live}/rules/?all")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
