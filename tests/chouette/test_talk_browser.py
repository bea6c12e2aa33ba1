"""The talk of a chouette on its page: two tabs, two lines to write in, on desktop and phone."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.chouette.test_talk import Talkers
from tests.desk.test_browser import DESKTOP, PHONE

pytestmark = pytest.mark.django_db(transaction=True)


def written(page: Page, text: str) -> None:
    """Write a line in the chosen tab, by the keyboard."""
    field = page.locator("#talk-field")
    field.fill(text)
    field.press("Enter")
    expect(page.locator("#talk-list")).to_contain_text(text)


def test_captain_and_crew_talk_and_the_box_sees_none_of_it(player: Any, people: Any) -> None:
    talkers = Talkers(people(3))
    users = talkers.hands.players
    address = f"/chouette/{talkers.hands.circle.pk}/"

    def page_of(person: int, **screen: Any) -> Page:
        page: Page = player(users[person].username, locale="en-GB", **screen)
        page.goto(address)
        return page

    captain, box = page_of(talkers.captain, **DESKTOP), page_of(talkers.box, **DESKTOP)
    crew = page_of(talkers.crew, **PHONE)
    expect(box.locator("#talk-form")).to_be_visible()
    expect(box.get_by_role("tab", name="Crew")).to_be_hidden()

    # by the arrow keys to the crew's tab; what is read out says that it is for the crew
    captain.get_by_role("tab", name="Table").focus()
    captain.keyboard.press("ArrowRight")
    expect(captain.get_by_role("tab", name="Crew")).to_be_focused()
    expect(captain.locator("#talk-audience")).to_have_text("The box does not read this.")
    written(captain, "shall I run")
    expect(crew.locator("#talk-status")).to_have_text(re.compile("to the crew: shall I run"))
    expect(crew.locator('[data-action="panel"]')).to_have_attribute("data-unread", "")
    crew.locator('[data-action="panel"]').tap()
    expect(crew.locator("#talk-list .said:visible")).to_have_count(0)
    crew.get_by_role("tab", name="Crew, 1 new message").tap()
    expect(crew.locator("#talk-list .said:visible")).to_have_text(re.compile("shall I run"))
    written(crew, "hold the point")

    written(box, "well rolled")
    expect(box.locator("#talk-list .said")).to_have_count(1)
    expect(captain.get_by_role("tab", name="Table, 1 new message")).to_be_visible()

    # the captain wins, and what they were about to write to the crew is gone with the tab
    captain.locator("#talk-field").fill("not yet sent")
    talkers.captain_wins()
    expect(captain.get_by_role("tab", name="Table")).to_have_attribute("aria-selected", "true")
    expect(captain.locator("#talk-field")).to_have_value("")
    assert "hold the point" not in box.content()
