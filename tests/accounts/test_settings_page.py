"""The settings page in a browser: a change is stored at once and holds on every device."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.face.inspection import findings

DESKTOP = {"viewport": {"width": 1366, "height": 768}, "locale": "en-GB"}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


@pytest.mark.slow
def test_a_set_that_was_chosen_is_there_on_another_device(player: Callable[..., Any]) -> None:
    page = player("magriel", **DESKTOP)
    page.goto("/settings/")
    page.get_by_label("Salon").check()
    expect(page.locator("html")).to_have_attribute("data-board", "salon")
    expect(page.locator("#settings-status")).not_to_be_empty()
    assert findings(page, page.locator("html").get_attribute("lang")) == []
    page.goto("/rules/")
    expect(page.locator("html")).to_have_attribute("data-board", "salon")
    phone = player("magriel", **PHONE)
    phone.goto("/settings/")
    expect(phone.locator("html")).to_have_attribute("data-board", "salon")
    assert findings(phone, phone.locator("html").get_attribute("lang")) == []
    assert page.problems == []
