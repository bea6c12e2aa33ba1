"""The worker survives its broker: Valkey is killed while a task runs, and tasks run afterwards.

A running task is the worst case, as its message is not acknowledged yet.
"""

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

from games.models import Heartbeat
from games.services.outages import SWEEP
from harness.processes import COMMANDS, Processes, _database_url
from harness.waiting import wait_until
from pasch.home.house import PROCESSES
from pasch.servers.embedded import Home, valkey_start, valkey_stop

KILLS = 3
COMPOSE = yaml.safe_load((Path(__file__).parents[2] / "deploy/compose.yaml").read_text())

WORKERS = {
    "at home": shlex.split(PROCESSES["worker"]),
    "in a container": ["-W", "ignore", "-m", *COMPOSE["services"]["worker"]["command"]],
}

pytestmark = pytest.mark.django_db(transaction=True)


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
    with psycopg.connect(_database_url()) as holder:
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
