"""The talk of a chouette on its page: two tabs, two lines to write in, on desktop and phone."""

import json
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from games.models import ChatMessage
from harness.waiting import WAIT_SECONDS
from tests.chouette.test_talk import Talkers
from tests.desk.test_browser import DESKTOP, PHONE

pytestmark = pytest.mark.django_db(transaction=True)


def written(page: Page, text: str) -> None:
    """Write a line in the chosen tab, by the keyboard."""
    field = page.locator("#talk-field")
    field.fill(text)
    field.press("Enter")
    expect(page.locator("#talk-list")).to_contain_text(text)


@pytest.mark.slow
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


class Wire:
    """The socket between a page and the server: frames of one type can be held back."""

    def __init__(self, page: Page) -> None:
        self.held: set[str] = set()
        self.waiting: list[str] = []
        self.said: list[str] = []
        self.begun = 0
        self.tab = page
        page.route_web_socket("**/ws/chouette/**", self._connected)

    def _connected(self, page: WebSocketRoute) -> None:
        self.page, self.server = page, page.connect_to_server()
        server = self.server
        page.on_message(lambda text: self._pass_on(server, str(text)))
        server.on_message(lambda text: self._pass_on(page, str(text)))

    def _pass_on(self, to: WebSocketRoute, text: str) -> None:
        frame = json.loads(text)
        if frame["type"] == "say":
            self.said.append(frame["text"])
        if frame == {"type": "chat"}:  # the first frame of every connection
            self.begun += 1
        if frame["type"] in self.held:
            self.waiting.append(text)
        else:
            to.send(text)

    def break_off(self) -> None:
        """What was held back is lost with the connection; wait until the page has a new one."""
        self.waiting, self.said, self.begun = [], [], 0
        self.server.close()
        self.page.close(code=1012)
        self.wait_for(lambda: self.begun > 0)

    def wait_for(self, done: Callable[[], object]) -> None:
        deadline = time.monotonic() + WAIT_SECONDS
        while not done():
            assert time.monotonic() < deadline, "the frame does not come"
            self.tab.wait_for_timeout(20)

    def go_on(self) -> None:
        """What the server sent meanwhile arrives late."""
        self.held = set()
        for text in self.waiting:
            self.page.send(text)


@pytest.mark.slow
def test_a_line_that_was_not_sent_in_its_game_is_not_sent_in_the_next(
    player: Any, people: Any
) -> None:
    talkers = Talkers(people(3))
    page: Page = player(talkers.hands.players[talkers.crew].username, locale="en-GB", **DESKTOP)
    wire, field = Wire(page), page.locator("#talk-field")
    page.goto(f"/chouette/{talkers.hands.circle.pk}/")
    crew = page.get_by_role("tab", name="Crew")
    crew.click()
    wire.held = {"say"}
    field.fill("the box is afraid")
    field.press("Enter")
    wire.wait_for(lambda: wire.waiting)

    # the page sees nothing of the next game, and its connection comes back
    old_box = talkers.box
    wire.held = {"say", "snapshot", "update"}
    talkers.captain_wins()
    talkers.next_game()
    assert old_box in talkers.state.game.team
    wire.held = {"snapshot", "update"}
    wire.break_off()
    expect(page.locator("#talk-note")).to_contain_text("Nobody received the message")
    assert not ChatMessage.objects.exists()

    # it sees game 2: draft and tab of game 1 are gone
    wire.go_on()
    expect(page.get_by_role("tab", name="Table")).to_have_attribute("aria-selected", "true")
    expect(field).to_have_value("")
    crew.click()
    expect(field).to_have_value("")

    # what waits when the page sees the end of its game is not sent again
    wire.held = {"say"}
    field.fill("and now")
    field.press("Enter")
    talkers.captain_wins()
    expect(page.get_by_role("tab", name="Table")).to_have_attribute("aria-selected", "true")
    wire.held = set()
    wire.break_off()
    written(page, "well played")
    assert wire.said == ["well played"]


@pytest.mark.slow
def test_an_answer_that_comes_late_leaves_the_other_draft_alone(player: Any, people: Any) -> None:
    talkers = Talkers(people(3))
    page: Page = player(talkers.hands.players[talkers.crew].username, locale="en-GB", **DESKTOP)
    wire, field = Wire(page), page.locator("#talk-field")
    page.goto(f"/chouette/{talkers.hands.circle.pk}/")
    table, crew = (page.get_by_role("tab", name=name) for name in ("Table", "Crew"))
    crew.click()
    wire.held = {"said"}
    field.fill("shall I run")
    field.press("Enter")
    table.click()
    field.fill("well ro")
    wire.wait_for(lambda: wire.waiting)
    wire.go_on()
    expect(page.locator("#talk-list")).to_contain_text("shall I run")
    expect(field).to_have_value("well ro")
    crew.click()
    expect(field).to_have_value("")

    # so does an answer in the same room: the next line is under way
    wire.held, wire.waiting = {"said"}, []
    field.fill("or stay")
    field.press("Enter")
    field.fill("I would st")
    wire.wait_for(lambda: wire.waiting)
    wire.go_on()
    expect(page.locator("#talk-list")).to_contain_text("or stay")
    expect(field).to_have_value("I would st")
