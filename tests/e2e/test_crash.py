"""A match survives the death of every process of the house, and tasks that of their broker."""

import os
import shlex
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import psycopg
import pytest
import yaml
from django.db import connection

from games.models import Heartbeat, TableEvent
from games.selectors import table_state
from games.services.outages import SWEEP
from harness.processes import COMMANDS, Processes, database_url
from harness.waiting import wait_until
from pasch.home.house import PROCESSES
from pasch.servers.embedded import Home, valkey_start, valkey_stop
from tests.e2e.test_match import DICE, check_settled, play_on, seat_down, step

pytestmark = pytest.mark.django_db(transaction=True)

UNHARMED = {"player_absent", "player_back", "outage_credited"}


@pytest.fixture
def house(transactional_db, tmp_path):
    """The running house, all of whose processes are killed at the end."""
    with Processes(tmp_path, DICE) as house:
        house.start("web", "worker", "beat")
        yield house


@pytest.mark.slow
def test_web_server_and_worker_die_and_the_match_goes_on(house, player):
    one, two, table = seat_down(player, base_url=house.address)
    hands = (one, two)
    for _ in range(5):
        table.refresh_from_db()
        step(hands, table_state(table))
        for each in hands:
            each.sees(table.seq + 1)
    events = list(TableEvent.objects.order_by("seq").values_list("seq", "payload"))

    house.kill("web", "worker")
    for each in hands:
        each.sees_that_the_connection_is_lost()
    house.start("web", "worker")
    table.refresh_from_db()
    for each in hands:
        each.sees(table.seq)
        each.sees_that_the_connection_is_back()
    now = list(TableEvent.objects.order_by("seq").values_list("seq", "payload"))
    assert now[: len(events)] == events
    # since then people only came back and got their time back
    assert {payload["type"] for _, payload in now[len(events) :]} <= UNHARMED

    play_on(hands, table, "double_offered")
    house.kill("worker", "beat")
    two.drop()
    for each in hands:
        each.sees_phase("between_games")
    house.start("worker", "beat")
    # no player does anything: the new worker's sweep finds the deadline and starts the game
    for each in hands:
        each.sees_that_play_goes_on()
    play_on(hands, table, "play", seat=1)
    two.leave()
    for each in hands:
        each.sees_phase("over")
    check_settled(one, two, winner=0)


# --- the broker dies ------------------------------------------------------------------------------
KILLS = 3
COMPOSE = yaml.safe_load((Path(__file__).parents[2] / "deploy/compose.yaml").read_text())

WORKERS = {
    "at home": shlex.split(PROCESSES["worker"]),
    "in a container": ["-W", "ignore", "-m", *COMPOSE["services"]["worker"]["command"]],
}


@pytest.fixture
def broker() -> Iterator[Home]:
    """A separate Valkey that no other test uses."""
    home = Home(Path(tempfile.mkdtemp(prefix="pasch-broker-")))
    valkey_start(home)
    yield home
    valkey_stop(home)
    shutil.rmtree(home.root)


def swept_at() -> datetime | None:
    return Heartbeat.objects.filter(role=SWEEP).values_list("beat_at", flat=True).first()


def a_task_waits() -> bool:
    """Whether the worker runs a task that waits for the row that the test has locked."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])


def kill_in_a_task(broker: Home, house: Processes, pause_s: float) -> None:
    """Kill Valkey while a task runs; start it again; then let the task end."""
    with psycopg.connect(database_url()) as holder:
        holder.execute("SELECT 1 FROM games_heartbeat WHERE role = %s FOR UPDATE", [SWEEP])
        wait_until(a_task_waits, "a task ran")
        os.kill(int((broker.run / "valkey.pid").read_text()), signal.SIGKILL)
        (broker.run / "valkey.pid").unlink()
        time.sleep(pause_s)  # the kills differ in the length of the outage
        valkey_start(broker)


@pytest.mark.slow
@pytest.mark.parametrize("worker", WORKERS)
def test_tasks_run_on_after_every_death_of_the_broker(
    transactional_db: None,
    tmp_path: Path,
    broker: Home,
    worker: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(COMMANDS, "worker", tuple(WORKERS[worker]))
    with Processes(tmp_path, []) as house:
        house.environment["REDIS_URL"] = broker.redis_url
        house.start("worker", "beat")
        wait_until(swept_at, "the first task ran")
        for number in range(KILLS):
            kill_in_a_task(broker, house, pause_s=number * 0.7)
            before = swept_at()
            wait_until(lambda seen=before: swept_at() != seen, "a task ran again")
        assert house.running["beat"].poll() is None
