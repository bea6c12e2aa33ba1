"""The primary Valkey of a house fails: play and tasks go on, and every answer was true."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import connections
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from accounts.models import User
from games.models import CommandRecord, Table
from games.services.outages import SWEEP
from games.services.tables import table_join, table_open
from harness.hands import walk
from harness.processes import Processes, database_url
from harness.voice import Voice, socket_of
from harness.waiting import wait_until
from tests.e2e.test_crash import a_task_waits, swept_at
from tests.sentinels import Servers

ROLLS = [(3, 1), (4, 2), (6, 5), (2, 1), (5, 3), (6, 4), (5, 1), (4, 3), (6, 2)]
#: as long as a person thinks at least, so that the match outlasts the test.
THINK_SECONDS = 0.2
FAILURES = ("fail_over", "kill_primary", "freeze_primary")

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.cluster]


class Player(threading.Thread):
    """Plays by docs/protocol.md: what was not answered is sent again at the next connection."""

    def __init__(self, house: Processes, table: UUID, user: User, seat: int) -> None:
        super().__init__()
        self.house, self.table, self.user, self.seat = house, table, user, seat
        self.random = Random(seat)
        self.waits: dict[str, object] | None = None
        self.accepted: dict[str, int] = {}
        self.accepted_at: list[float] = []
        self.is_over = threading.Event()

    def run(self) -> None:
        try:
            while not self.is_over.is_set():
                try:
                    with socket_of(self.user, self.house.address, self.table) as socket:
                        self._play(Voice(socket))
                except (ConnectionClosed, InvalidHandshake, OSError):
                    self.is_over.wait(0.2)
        finally:
            connections.close_all()

    def _play(self, voice: Voice) -> None:
        view = voice.resume()["view"]
        while not self.is_over.is_set():
            if self.waits is None:
                self.waits = self._wish(voice, view)
            if self.waits is None:
                view = voice.hear("update", "snapshot")["view"]
                continue
            voice.say(self.waits)
            answer = voice.hear("accepted", "rejected")
            if answer["type"] == "accepted":
                self.accepted[answer["id"]] = answer["seq"]
                self.accepted_at.append(time.monotonic())
            self.waits = None
            self.is_over.wait(THINK_SECONDS)
            view = voice.resume(since=voice.seq)["view"]

    def _wish(self, voice: Voice, view: dict[str, object]) -> dict[str, object] | None:
        allowed = view["actions"][self.seat]
        command: dict[str, object] = {}
        if "play" in allowed:
            command = {"type": "play", "moves": walk(view["graph"], self.random)}
        else:
            command = {"type": next((n for n in ("roll", "ready") if n in allowed), "")}
        if command["type"]:
            return {"type": "command", "id": str(uuid4()), "seq": voice.seq, "command": command}
        return None


@pytest.fixture
def valkeys() -> Iterator[Servers]:
    servers = Servers(replicas=2)
    yield servers
    servers.stop()


@pytest.fixture
def house(transactional_db: None, valkeys: Servers, tmp_path: Path) -> Iterator[Processes]:
    with Processes(tmp_path, ROLLS) as house:
        house.environment |= {"REDIS_URL": valkeys.address, "WEB_WORKERS": "2"}
        house.start("web", "worker", "beat")
        yield house


@contextmanager
def a_task_held() -> Iterator[None]:
    """A task runs until this ends; its message is acknowledged only then."""
    with psycopg.connect(database_url()) as holder:
        holder.execute("SELECT 1 FROM games_heartbeat WHERE role = %s FOR UPDATE", [SWEEP])
        wait_until(a_task_waits, "a task runs")
        yield


def they_play(players: list[Player]) -> Callable[[], bool]:
    """Whether each of them has had some commands accepted from now on."""
    before = [len(player.accepted) for player in players]
    return lambda: all(len(p.accepted) > n + 2 for p, n in zip(players, before, strict=True))


@contextmanager
def match_played(house: Processes, *users: User) -> Iterator[tuple[Table, list[Player]]]:
    """A long match of two people in a house that runs; at the end every answer was true."""
    table = table_open(user=users[0], mode="match", target_points=25)
    table_join(user=users[1], table_id=table.pk)
    players = [Player(house, table.pk, user, seat) for seat, user in enumerate(users)]
    for player in players:
        player.start()
    try:
        wait_until(swept_at, "the first task runs")
        yield table, players
    finally:
        for player in players:
            player.is_over.set()
        for player in players:
            player.join()
    assert all(process.poll() is None for process in house.running.values())
    kept = dict(CommandRecord.objects.filter(table_id=table.pk).values_list("command_id", "seq"))
    for player in players:
        assert player.accepted.items() <= kept.items(), "every answer was true"
    table.refresh_from_db()
    assert table.seq >= max(max(player.accepted.values()) for player in players)


@pytest.mark.slow
def test_a_table_is_played_on_through_every_failure(
    house: Processes, valkeys: Servers, magriel: User, hilde: User
) -> None:
    with match_played(house, magriel, hilde) as (_, players):
        for failure in FAILURES:
            wait_until(they_play(players), "they play")
            with a_task_held():
                getattr(valkeys, failure)()
            swept = swept_at()
            wait_until(they_play(players), f"they play on after {failure}")
            wait_until(lambda seen=swept: swept_at() != seen, f"tasks run after {failure}")
            valkeys.mend()
