"""The primary moves to another server under a house that plays: all find it, nothing is lost.

Real servers: a primary with a synchronous standby, and a web server, a worker and beat on them.
"""

import json
import re
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, connection
from websockets.exceptions import WebSocketException

from accounts.models import User
from examples.fair_dice import Part
from games.models import CommandRecord, Heartbeat
from games.services.outages import SWEEP
from games.services.tables import table_join, table_open
from harness.processes import Processes
from harness.voice import Voice, socket_of
from harness.waiting import WAIT_SECONDS, wait_until
from ledger.audit import run
from pasch.postgresql.primary import ASK
from pasch.servers.embedded import Home
from tests.live.test_fast_lane import Pair
from tests.platform.standby import TOKEN, Servers, house_on, two_servers, using
from tests.platform.test_away import Answer, ask

#: what a client meets while the primary is away
LOST = (WebSocketException, OSError, TimeoutError, DatabaseError, psycopg.Error)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.cluster]


@pytest.fixture(scope="module")
def pair() -> Iterator[Servers]:
    with two_servers() as made:
        yield made


@pytest.fixture
def house(transactional_db: None, pair: Servers, tmp_path: Path) -> Iterator[Processes]:
    """A web process, a worker and beat at both servers, with the dice of the house."""
    with house_on(pair, tmp_path, DATABASE_URL=pair.url) as house:
        house.start("web", "worker", "beat")
        with using(pair.url):
            yield house


class Players:
    """Two who play on through as many connections as it takes, and note each accepted command."""

    def __init__(self, house: Processes, number: int) -> None:
        self.address = house.address
        self.people = [User.objects.create_user(f"{name}{number}") for name in ("anna", "berta")]
        one, other = self.people
        wishes: dict[str, Any] = {"mode": "match", "stake_cents": 250, "target_points": 25}
        self.table = table_open(user=one, **wishes)
        table_join(user=other, table_id=self.table.pk)
        self.parts = [Part(0), Part(1)]
        self.accepted: list[tuple[float, str]] = []

    def play(self, commands: int, *, after: threading.Event | None = None) -> None:
        """Play until so many commands were accepted, all of them after an event."""
        before, deadline = None, time.monotonic() + WAIT_SECONDS
        while before is None or len(self.accepted) < before + commands:
            assert time.monotonic() < deadline, "nothing is accepted any more"
            try:
                with self._connected() as both:
                    while before is None or len(self.accepted) < before + commands:
                        if before is None and (after is None or after.is_set()):
                            before = len(self.accepted)
                        self._turn(both)
            except LOST:
                time.sleep(0.05)
            except AssertionError as error:  # of the dice, what a command gets as a refusal
                if "too_fast" in str(error):  # each new connection says its parts again
                    time.sleep(0.5)
                elif "'code': 'busy'" not in str(error):
                    raise

    def leave(self) -> None:
        """One of them leaves, and the other one gets the stakes."""
        with self._connected() as both:
            both.level()
            answer = both.give(0, {"type": "leave"})
            assert answer["type"] == "accepted", answer
            self.accepted.append((time.monotonic(), answer["id"]))

    @contextmanager
    def _connected(self) -> Iterator[Pair]:
        connection.close()
        with ExitStack() as opened:
            sockets = [
                socket_of(user, self.address, self.table.pk, max_size=None) for user in self.people
            ]
            voices = [Voice(opened.enter_context(socket)) for socket in sockets]
            yield Pair(self.table, voices, self.parts)

    def _turn(self, both: Pair) -> None:
        both.level()
        if both.views[0]["decider"] is None:  # a command from before the loss has just rolled
            both.listen(0, "update")
            return
        seat, command = both.wish()
        answer = both.give(seat, command)
        if answer["type"] == "accepted":
            self.accepted.append((time.monotonic(), answer["id"]))
        else:
            assert answer["code"] in ("busy", "stale"), answer

    def lost(self) -> set[str]:
        """The accepted commands that the database does not have."""
        stored = CommandRecord.objects.filter(table_id=self.table.pk, refusal__isnull=True)
        return {each for _, each in self.accepted} - set(
            stored.values_list("command_id", flat=True)
        )


def moved(pair: Servers, took: threading.Event) -> threading.Thread:
    """A thread that kills the primary in a second, and promotes its standby a second later."""

    def move() -> None:
        time.sleep(1)
        pair.kill_primary()
        time.sleep(1)
        pair.promote()
        took.set()

    thread = threading.Thread(target=move)
    thread.start()
    return thread


def answers_with(house: Processes, path: str, status: int) -> Answer:
    """The first answer of a page with this status."""

    def asked() -> Answer | None:
        answer = ask(house, path)
        return answer if answer.status == status else None

    found = wait_until(asked, lambda: (path, ask(house, path)))
    assert found is not None
    return found


def lanes(house: Processes) -> dict[str, float]:
    """How many commands took each lane."""
    told = {"Authorization": f"Bearer {TOKEN}"}
    request = urllib.request.Request(f"{house.address}/metrics/", headers=told)
    with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as page:
        lines = page.read().decode().splitlines()
    counted = [line.split() for line in lines if line.startswith("pasch_command_lanes_total{")]
    return {name.split('"')[1]: float(value) for name, value in counted}


def users(home: Home) -> int:
    """How many connections of the house have asked a server for more than whether it is the one."""
    with psycopg.connect(home.database_url(), autocommit=True) as db:
        row = db.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
            " AND query_start > now() - interval '1 second' AND query <> %s",
            [ASK],
        ).fetchone()
    assert row is not None
    return int(row[0])


def sweep_beats() -> None:
    """Wait for a new heartbeat of the sweep: beat and the worker both found the primary."""
    connection.close()
    beats = Heartbeat.objects.filter(role=SWEEP)
    before = beats.values_list("beat_at", flat=True).first()  # none of a worker that still starts
    newer = beats.filter(beat_at__gt=before) if before else beats
    wait_until(newer.exists, "the sweep does not find the primary")


def played_in_both_lanes(house: Processes, number: int) -> None:
    """Two new players sit down for a stake; one leaves, which only the sure lane settles."""
    before, players = lanes(house), Players(house, number)
    players.play(6)
    players.leave()
    assert players.lost() == set()

    def counted() -> bool:  # they are every second
        after = lanes(house)
        return all(after.get(lane, 0) > before.get(lane, 0) for lane in ("fast", "sure"))

    wait_until(counted, lambda: (before, lanes(house)))


def it_dies(house: Processes, pair: Servers, players: Players) -> None:
    """`kill -9` of every process of the primary; then its standby is promoted."""
    took = threading.Event()
    mover = moved(pair, took)
    players.play(12, after=took)
    mover.join()
    times = [at for at, _ in players.accepted]
    assert max(later - sooner for sooner, later in pairwise(times)) > 1, "it was away"


def it_is_demoted(house: Processes, pair: Servers, players: Players) -> None:
    """The primary takes no changes any more but lives on; then its standby is promoted."""
    old, before = pair.primary, house.log.stat().st_size
    players.play(1)
    assert users(old) > 0
    pair.on_primary("ALTER SYSTEM SET default_transaction_read_only = on")
    pair.on_primary("SELECT pg_reload_conf()")
    assert answers_with(house, "/ranking/", 503).headers["Retry-After"] == "5"
    assert json.loads(answers_with(house, "/health/", 503).text) == {
        "database": False,
        "valkey": True,
    }
    said = house.log.read_text()[before:]
    assert re.search("PostgreSQL takes no changes|in a read-only transaction", said)
    assert "Traceback" not in said
    assert len(said.splitlines()) <= 3, said  # the web process and the two of the worker
    pair.promote()
    answers_with(house, "/ranking/", 200)
    began = time.monotonic()
    while time.monotonic() - began < 2:  # longer than a table's thread trusts its connection
        players.play(4)
    assert users(old) == 0


@pytest.mark.slow
def test_the_primary_dies_and_its_successor_is_demoted(house: Processes, pair: Servers) -> None:
    players = Players(house, 1)
    players.play(6)
    for number, event in enumerate((it_dies, it_is_demoted), 2):
        event(house, pair, players)
        answers_with(house, "/health/", 200)
        sweep_beats()
        answers_with(house, "/health/ready/", 200)
        connection.close()
        assert players.lost() == set()
        played_in_both_lanes(house, number)
        if event is it_dies:
            pair.follow()
    found = {result.code for result in run().results if result.findings}
    assert found <= {"A0"}, "a copy without the rights of roles is all that an audit finds"
