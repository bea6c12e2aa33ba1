"""Valkey is killed, and two people at a table play on through PostgreSQL, each at a process of
their own; then it comes back.

Two real web servers share a PostgreSQL and a Valkey of their own.
"""

import json
import shutil
import signal
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID, uuid4

import psutil
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect
from websockets.typing import Origin

from accounts.models import User
from games.models import CommandRecord, Table
from games.services.tables import table_join, table_open
from harness.hands import walk
from harness.logins import session_cookie
from harness.processes import Processes
from harness.voice import Voice
from harness.waiting import WAIT_SECONDS, wait_until
from pasch.servers.embedded import Home, valkey_start, valkey_stop

ROLLS: list[tuple[int, ...]] = [
    (3, 1),
    (4, 2),
    (6, 5),
    (2, 1),
    (5, 3),
    (6, 4),
    (5, 1),
    (4, 3),
    (6, 2),
]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def valkey() -> Iterator[Home]:
    """A Valkey of its own, which may be killed."""
    home = Home(Path(tempfile.mkdtemp(prefix="pasch-valkey-")) / "var")
    valkey_start(home)
    yield home
    valkey_stop(home)
    shutil.rmtree(home.root.parent)


@pytest.fixture
def webs(transactional_db: None, valkey: Home, tmp_path: Path) -> Iterator[list[Processes]]:
    """Two web servers of one process each; the second one is not started yet."""
    with ExitStack() as closing:
        houses = []
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            house = closing.enter_context(Processes(tmp_path / name, ROLLS))
            house.environment |= {"REDIS_URL": valkey.redis_url, "WEB_WORKERS": "1"}
            houses.append(house)
        yield houses


def valkey_kill(home: Home) -> None:
    """End it as a power cut would."""
    (server,) = [
        each
        for each in psutil.process_iter(["cmdline"])
        if any(str(home.root) in part for part in each.info["cmdline"] or ())
    ]
    server.send_signal(signal.SIGKILL)
    server.wait(WAIT_SECONDS)


class Player:
    """One person's page: it connects again and sends again, as docs/protocol.md says."""

    def __init__(self, web: Processes, table: UUID, user: User, seat: int) -> None:
        self.web, self.table, self.seat = web, table, seat
        self.cookie = "=".join(session_cookie(user))
        self.random = Random(seat)
        self.voice: Voice | None = None
        self.accepted: dict[str, int] = {}
        self.closed: list[int] = []
        self.welcome: dict[str, Any] = {}

    def open(self) -> Voice:
        """The socket, opened again if it was closed; it has the newest view."""
        deadline = time.monotonic() + WAIT_SECONDS
        while self.voice is None:
            try:
                socket = connect(
                    f"{self.web.address.replace('http', 'ws')}/ws/table/{self.table}/",
                    additional_headers={"Cookie": self.cookie},
                    origin=Origin(self.web.address),
                    open_timeout=WAIT_SECONDS,
                )
                voice = Voice(socket)
                self.welcome = voice.hear("welcome")
                voice.resume()
                voice.say({"type": "chat"})
                voice.hear("chat")
                self.voice = voice
            except (ConnectionClosed, InvalidHandshake, OSError) as error:
                self._note(error)
                assert time.monotonic() < deadline, self.closed
                time.sleep(0.1)
        return self.voice

    def tried(self, talk: Callable[[Voice], Any]) -> Any:
        """What a talk over the socket gives, repeated over a new one if that was closed."""
        while True:
            try:
                return talk(self.open())
            except ConnectionClosed as error:
                self._note(error)
                self.voice = None

    def _note(self, error: Exception) -> None:
        received = getattr(error, "rcvd", None)
        if received is not None:
            self.closed.append(received.code)

    def hear(self, *types: str) -> dict[str, Any]:
        frame: dict[str, Any] = self.tried(lambda voice: voice.hear(*types))
        return frame

    def command(self, command: dict[str, Any]) -> dict[str, Any]:
        """Give a command, again with the same id if the connection was lost."""
        told = {"type": "command", "id": str(uuid4()), "command": command}

        def talk(voice: Voice) -> dict[str, Any]:
            voice.say({**told, "seq": voice.seq})
            return voice.hear("accepted", "rejected")

        answer: dict[str, Any] = self.tried(talk)
        assert answer["type"] == "accepted", answer
        self.accepted[answer["id"]] = answer["seq"]
        return answer

    def until_seq(self, seq: int) -> None:
        """Wait for this event: by what is published, or by what a new connection reads."""
        while self.open().seq < seq:
            try:
                self.open().hear("update", "snapshot")
            except ConnectionClosed as error:  # the next one reads what is new
                self._note(error)
                self.voice = None

    @property
    def view(self) -> dict[str, Any]:
        """The newest view of the open socket."""
        frames = reversed(self.open().heard)
        return next(f["view"] for f in frames if f["type"] in ("update", "snapshot"))

    @property
    def allowed(self) -> list[str]:
        """The commands that this seat may give."""
        allowed: list[str] = self.view["actions"][self.seat]
        return allowed

    def wish(self) -> dict[str, Any] | None:
        """The next command of this seat; None while the other one is to act."""
        if "play" in self.allowed:
            return {"type": "play", "moves": walk(self.view["graph"], self.random)}
        return next(({"type": name} for name in ("roll", "ready") if name in self.allowed), None)


class Game:
    """Two players who act in turn; each waits for what the other one did."""

    def __init__(self, players: list[Player]) -> None:
        self.players = players
        self.longest_seconds = 0.0

    def act(self, commands: int) -> None:
        """So many commands, each seen by both; the longest time of one is kept."""
        for _ in range(commands):
            began = time.monotonic()
            for player in self.players:
                player.open()
            newest = max(player.open().seq for player in self.players)
            for player in self.players:
                player.until_seq(newest)
            player, wish = next(
                (player, wish) for player in self.players if (wish := player.wish())
            )
            seq = player.command(wish)["seq"]
            for each in self.players:
                each.until_seq(seq)
            self.longest_seconds = max(self.longest_seconds, time.monotonic() - began)


def page(web: Processes, path: str, **options: Any) -> tuple[int, str]:
    request = urllib.request.Request(f"{web.address}{path}", **options)
    try:
        with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as answer:
        return answer.code, answer.read().decode()
    except OSError:
        return 0, ""


def says(player: Player, other: Player, text: str) -> None:
    """One says a phrase, and the other one receives it."""
    told = {"type": "say", "id": str(uuid4()), "phrase": text}

    def talk(voice: Voice) -> dict[str, Any]:
        voice.say(told)
        return voice.hear("said", "unsaid")

    assert player.tried(talk)["type"] == "said"
    while other.hear("said")["phrase"] != text:
        pass


def give_up(game: Game, which: int) -> None:
    """The one on roll offers to give up the game; at the highest level that needs no answer."""
    other, player = sorted(game.players, key=lambda each: "offer_resignation" in each.allowed)
    level = player.view["resignable_levels"][which]
    other.until_seq(player.command({"type": "offer_resignation", "level": level})["seq"])
    if "accept_resignation" in other.allowed:
        player.until_seq(other.command({"type": "accept_resignation"})["seq"])


def log_out(player: Player, web: Processes) -> None:
    """End the session of a player at another web server."""
    cookies = f"{player.cookie}; csrftoken={'x' * 32}"
    status, text = page(
        web,
        "/accounts/logout/",
        data=f"csrfmiddlewaretoken={'x' * 32}".encode(),
        headers={"Cookie": cookies, "Origin": web.address, "Referer": web.address},
    )
    assert status == 200, (status, text[:500])


def a_table(magriel: User, hilde: User) -> Table:
    table = table_open(user=magriel, mode="match", target_points=3)
    table_join(user=hilde, table_id=table.pk)
    return table


@pytest.mark.slow
def test_two_play_on_while_valkey_is_gone(
    webs: list[Processes],
    valkey: Home,
    magriel: User,
    hilde: User,
    record_testsuite_property: Callable[[str, object], None],
) -> None:
    one, two = webs
    one.start("web")
    two.start("web")
    table = a_table(magriel, hilde)
    players = [
        Player(web, table.pk, user, seat)
        for seat, (web, user) in enumerate(((one, magriel), (two, hilde)))
    ]
    game = Game(players)
    game.act(6)
    assert [player.closed for player in players] == [[], []]
    usual = game.longest_seconds

    valkey_kill(valkey)
    game.longest_seconds = 0.0
    game.act(4)
    at_the_loss, game.longest_seconds = game.longest_seconds, 0.0
    assert [player.closed for player in players] == [[1013], [1013]], "each starts over once"
    assert [player.welcome["slow"] for player in players] == [True, True]
    game.act(8)
    says(players[0], players[1], "good_luck")
    give_up(game, 0)
    game.act(6)
    without, game.longest_seconds = game.longest_seconds, 0.0
    assert [player.closed for player in players] == [[1013], [1013]]
    for web in webs:
        status, text = page(web, "/health/ready/")
        assert status == 200
        assert "Valkey does not answer" in json.loads(text)["valkey"]
        assert page(web, "/health/house/")[0] == 503

    log_out(players[1], one)
    with pytest.raises(ConnectionClosed) as closed:
        players[1].open().hear("pong")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401, "a logout at the other web server closes the socket"
    players[1] = game.players[1] = Player(two, table.pk, hilde, 1)
    game.act(2)

    valkey_start(valkey)
    wait_until(lambda: not any(slow(player) for player in players), "both are back at Valkey")
    game.act(6)
    assert [player.welcome["slow"] for player in players] == [False, False]
    back = game.longest_seconds
    give_up(game, -1)
    assert Table.objects.get(pk=table.pk).phase == "over"
    kept = dict(CommandRecord.objects.filter(table_id=table.pk).values_list("command_id", "seq"))
    for player in players:
        assert player.accepted.items() <= kept.items(), "every answer was true"
    longest = {"with Valkey": usual, "killed": at_the_loss, "without": without, "back": back}
    record_testsuite_property(
        "longest_seconds", {name: round(found, 2) for name, found in longest.items()}
    )
    assert max(longest.values()) < WAIT_SECONDS, longest


@pytest.mark.slow
def test_web_servers_that_start_without_valkey_serve_players(
    webs: list[Processes], valkey: Home, magriel: User, hilde: User
) -> None:
    valkey_stop(valkey)
    for web in webs:
        web.ready_at = "/health/started/"
        web.start("web")
    table = a_table(magriel, hilde)
    game = Game(
        [
            Player(web, table.pk, user, seat)
            for seat, (web, user) in enumerate(zip(webs, (magriel, hilde), strict=True))
        ]
    )
    game.act(4)
    assert [player.closed for player in game.players] == [[], []]
    assert [player.welcome["slow"] for player in game.players] == [True, True]
    valkey_start(valkey)
    wait_until(lambda: not any(slow(player) for player in game.players), "both are back at Valkey")
    game.act(4)
    assert [player.closed for player in game.players] == [[1013], [1013]]


def slow(player: Player) -> bool:
    """Whether the newest connection of a page goes by the stopgap."""

    def talk(voice: Voice) -> None:
        voice.say({"type": "ping", "sent_ms": 1})
        voice.hear("pong")

    player.tried(talk)
    return bool(player.welcome["slow"])
