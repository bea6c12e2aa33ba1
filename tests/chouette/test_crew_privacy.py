"""The talk of a chouette on its page; the box of a game receives no line of its crew."""

import io
import json
import re
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from playwright.sync_api import Page, WebSocketRoute, expect
from websockets.sync.client import ClientConnection

from accounts.models import User
from accounts.scopes import Scope
from accounts.tokens import token_make
from games.models import ChatMessage
from harness.voice import mistakes, socket_of
from harness.waiting import WAIT_SECONDS
from pasch.personal_data import export_write
from tests.api.conftest import Program
from tests.chouette.test_talk import Talkers
from tests.desk.test_browser import DESKTOP, PHONE


class Ear:
    """One socket of a person at the chouette, with every frame that it has received, as text."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.received: list[str] = []
        self.chat = self.ask({"type": "chat"}, "chat")

    def ask(self, frame: dict[str, Any], *answers: str) -> dict[str, Any]:
        self.socket.send(json.dumps(frame))
        return self.hear(lambda heard: heard["type"] in (*answers, "error"))

    def say(self, text: str, **fields: Any) -> dict[str, Any]:
        """Say something, and return the answer to it."""
        name = str(uuid4())
        self.socket.send(json.dumps({"type": "say", "id": name, "text": text, **fields}))
        return self.hear(lambda frame: frame.get("id") == name)

    def hear(self, is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            text = self.socket.recv(timeout=max(0.0, deadline - time.monotonic()))
            self.received.append(str(text))
            frame: dict[str, Any] = json.loads(text)
            assert mistakes(frame) == []
            if is_it(frame):
                return frame

    def up_to(self, text: str) -> str:
        """Everything received, once this line to the table has come: lines come in order."""
        if not any(text in each for each in self.received):
            self.hear(lambda frame: frame.get("text") == text)
        return "\n".join(self.received)


@pytest.fixture
def ear(live: str) -> Iterator[Callable[..., Ear]]:
    """`ear(circle, person)` is a socket of theirs; of None, one without a login."""
    opened = ExitStack()

    def listen(circle: object, person: User | None, **headers: str) -> Ear:
        socket = socket_of(person, live, circle, kind="chouette", **headers)
        return Ear(opened.enter_context(socket))

    with opened:
        yield listen


def everything_read(person: User, circle: object, client: Client) -> str:
    """All that the pages, the interface for programs and the export show a person."""
    client.force_login(person)
    pages = [client.get(f"/chouette/{circle}/{page}") for page in ("", "dice.json")]
    program = Program(person).get(f"chouettes/{circle}/")
    assert {answer.status_code for answer in (*pages, program)} == {200}
    written = io.BytesIO()
    export_write(person, written)
    with zipfile.ZipFile(written) as export:
        files = [export.read(name).decode() for name in export.namelist()]
    return "\n".join([*(answer.content.decode() for answer in (*pages, program)), *files])


@pytest.mark.slow
def test_the_box_never_receives_a_line_of_the_crew(ear, people, client):
    talkers = Talkers(people(4))
    circle, players = talkers.hands.circle.pk, talkers.hands.players
    ears = {person: ear(circle, user) for person, user in players.items()}
    watcher = ear(circle, None)
    box, captain, crew = talkers.box, talkers.captain, talkers.crew
    third = next(each for each in players if each not in (box, captain, crew))

    said = [
        ears[captain].say("hushhush-of-the-captain", to="crew", game=1),
        ears[crew].say("hushhush-of-the-crew", to="crew", game=1),
    ]
    assert [(each["type"], each["audience"]) for each in said] == 2 * [("said", "crew")]
    assert ears[box].say("hello-from-the-box", to="everybody")["audience"] == "everybody"
    for member in (captain, crew, third):
        heard = ears[member].up_to("hello-from-the-box")
        assert "hushhush-of-the-captain" in heard
        assert "hushhush-of-the-crew" in heard
    assert "hushhush" not in watcher.up_to("hello-from-the-box")

    # the box writes to the crew, reports its lines, changes its settings, and comes back
    assert ears[box].say("let-me-in", to="crew", game=1)["code"] == "crew_silent"
    assert ears[box].say("no-audience")["code"] == "bad_frame"
    report = {"type": "report", "message": said[0]["number"], "reason": "advice"}
    assert ears[box].ask(report, "reported")["code"] == "no_such_message"
    ears[box].ask({"type": "free_text", "on": True}, "chat")
    again = ear(circle, players[box])
    assert [each["text"] for each in again.chat["messages"]] == ["hello-from-the-box"]
    assert "hushhush" not in ears[box].up_to("hello-from-the-box")
    assert "hushhush" not in everything_read(players[box], circle, client)
    assert "hushhush-of-the-crew" in everything_read(players[crew], circle, client)

    # the captain wins and becomes box: what the new crew writes goes to the old box, not to them
    talkers.captain_wins()
    talkers.next_game()
    assert talkers.box == captain
    assert box in talkers.state.game.team
    writer = talkers.captain
    assert ears[writer].say("new-line", to="crew", game=2)["audience"] == "crew"
    ears[writer].say("game-two", to="everybody")
    assert "new-line" not in ears[captain].up_to("game-two")
    assert "new-line" in ears[box].up_to("game-two")
    assert "hushhush" not in "\n".join(ears[box].received)
    for person, texts in (
        (captain, ["hushhush-of-the-captain", "hushhush-of-the-crew", "hello-from-the-box"]),
        (box, ["hello-from-the-box", "new-line"]),
    ):
        back = ear(circle, players[person])
        assert [each["text"] for each in back.chat["messages"]] == [*texts, "game-two"]
    assert "new-line" not in everything_read(players[captain], circle, client)
    assert "hushhush" not in everything_read(players[box], circle, client)


def test_a_line_for_the_crew_of_one_game_is_not_stored_in_the_next(ear, people):
    talkers = Talkers(people(4))
    circle, players = talkers.hands.circle.pk, talkers.hands.players
    old_box, writer = talkers.box, talkers.crew
    talkers.captain_wins()
    talkers.next_game()
    assert writer == talkers.captain
    assert old_box in talkers.state.game.team
    mouth, old = ear(circle, players[writer]), ear(circle, players[old_box])

    # it was written in game 1, and comes when the box of game 1 reads what the crew writes
    for wrong in ({"to": "crew"}, {"to": "everybody", "game": 2}, {"to": "crew", "game": 0}):
        assert mouth.say("no such address", **wrong)["code"] == "bad_frame"
    for game in (1, 3):
        answer = mouth.say("for-the-old-crew", to="crew", game=game)
        assert (answer["type"], answer["code"]) == ("unsaid", "crew_silent")
    mouth.say("for-the-new-crew", to="crew", game=2)
    assert "for-the-old-crew" not in old.up_to("for-the-new-crew")
    assert [each.text for each in ChatMessage.objects.all()] == ["for-the-new-crew"]


def test_a_token_reads_the_talk_and_writes_with_its_scope(ear, people):
    talkers = Talkers(people(3))
    circle, robo = talkers.hands.circle.pk, User.objects.create_user("robo", is_bot=True)
    talkers.say(talkers.captain, "a secret")
    talkers.say(talkers.captain, "hello", to="everybody")
    token = token_make(robo, scopes=[Scope.READ])
    reader = ear(circle, robo, Authorization=f"Bearer {token}")
    assert [each["text"] for each in reader.chat["messages"]] == ["hello"]
    assert reader.say("hi", to="everybody")["code"] == "scope_missing"
    token = token_make(robo, scopes=[Scope.READ, Scope.PLAY])
    assert ear(circle, robo, Authorization=f"Bearer {token}").say("hi", to="everybody")["code"] == (
        "phrases_only"
    )
    assert ChatMessage.objects.count() == 2


# --- in a browser ---------------------------------------------------------------------------------
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
