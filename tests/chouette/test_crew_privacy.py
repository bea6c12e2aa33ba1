"""The box of a game receives no line of its crew: by sockets, pages, programs or the export."""

import io
import json
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
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
