"""Commands fail and the house still runs: no clock falls, and the time is given back.

A house of real processes, whose PostgreSQL has its data on a disk of 200 MB. That disk is filled,
the server takes no changes, and nobody gets a connection any more.
"""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import psycopg
import pytest
from django.db import connection

from accounts.models import User
from games.models import Deadline, Match, Outage, Table
from games.selectors import table_state
from games.services.tables import table_join, table_open
from games.table.machine import due_ms
from games.table.state import GRACE_MS
from harness.processes import Processes
from harness.sitting import Sitting
from harness.waiting import wait_until
from kit.database import database_now_ms, moment
from pasch.servers.embedded import Home, postgres_start, postgres_stop, valkey_start, valkey_stop
from tests.platform.conftest import schema_copy
from tests.platform.standby import using
from tests.platform.test_away import ask

DISK_MB = 200
#: so long commands fail: longer than the silence that is no outage, and than the clock of the match
FAILS_SECONDS = 18
CLOCK_MS = 8_000
#: events in the log of web server, worker and beat meanwhile: each says it once a minute
EVENTS_MAX = 20
#: short, or a server that is full checks a gigabyte of its log
SMALL = {"max_connections": "40", "min_wal_size": "32MB", "max_wal_size": "48MB", "fsync": "off"}

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A folder with a disk of its own."""
    folder = Path(tempfile.mkdtemp(prefix="pasch-disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=755", "none", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        folder.rmdir()
        pytest.skip("a small disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)
    folder.rmdir()


@pytest.fixture
def home(transactional_db: None, small_disk: Path) -> Iterator[Home]:
    home = Home(small_disk / "var")
    try:
        postgres_start(home, settings=SMALL)
        valkey_start(home)
        schema_copy(home)
        yield home
    finally:
        valkey_stop(home)
        postgres_stop(home, at_once=True)
        if home.run != home.root / "run":
            shutil.rmtree(home.run, ignore_errors=True)


@pytest.fixture
def house(home: Home, tmp_path: Path) -> Iterator[Processes]:
    with Processes(tmp_path, [(3, 1), (4, 2)]) as house:
        house.environment |= {"DATABASE_URL": home.database_url(), "REDIS_URL": home.redis_url}
        house.environment |= {"WEB_WORKERS": "1", "ALLOWED_HOSTS": "127.0.0.1", "EMBEDDED": "1"}
        house.start("web", "worker", "beat")
        with using(home.database_url()):
            yield house


# --- what breaks ----------------------------------------------------------------------------------


@contextmanager
def full_disk(home: Home) -> Iterator[None]:
    """Not a byte is free where PostgreSQL has its data."""
    filling = home.root / "filling"
    with filling.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(65536))
    with filling.open("ab", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(512))
    try:
        yield
    finally:
        filling.unlink()


@contextmanager
def read_only(home: Home) -> Iterator[None]:
    """The server takes no changes, as after `ALTER SYSTEM` by somebody who looks after it."""
    with psycopg.connect(home.database_url(), autocommit=True) as db:
        db.execute("SET default_transaction_read_only = off")
        db.execute("ALTER SYSTEM SET default_transaction_read_only = on")
        db.execute("SELECT pg_reload_conf()")
        try:
            yield
        finally:
            db.execute("ALTER SYSTEM RESET default_transaction_read_only")
            db.execute("SELECT pg_reload_conf()")


@contextmanager
def no_connection_left(home: Home) -> Iterator[None]:
    """All connections belong to somebody else, but those that the sweep and one thread have."""
    taken = []
    with psycopg.connect(home.database_url(), autocommit=True) as db:
        kept = "query LIKE '%%games_heartbeat%%' OR query LIKE '%%games_deadline%%'"
        try:
            while True:
                with suppress(psycopg.OperationalError):
                    while True:
                        taken.append(psycopg.connect(home.database_url()))
                ended = db.execute(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                    " WHERE backend_type = 'client backend' AND pid <> ALL(%s)"
                    f" AND NOT ({kept})",
                    [[db.info.backend_pid, *(each.info.backend_pid for each in taken)]],
                ).fetchone()
                if ended == (0,):
                    break
            yield
        finally:
            for each in taken:
                each.close()


@contextmanager
def locked_table(home: Home) -> Iterator[None]:
    """Somebody locks the table of events for a long change of it."""
    with psycopg.connect(home.database_url()) as db:
        db.execute("LOCK TABLE games_tableevent IN SHARE MODE")
        yield


# --- the story ------------------------------------------------------------------------------------


def house_says(house: Processes) -> dict[str, str]:
    """Each part that is not ready, by the words of /health/house/; empty if all is well."""
    answer = ask(house, "/health/house/")
    parts = msgspec.json.decode(answer.text)
    assert isinstance(parts, dict)
    return {} if answer.status == 200 else parts


def a_match_with_seconds_left(name: str) -> Sitting:
    """Two people play for a stake, and the one whose turn it is has `CLOCK_MS` for it."""
    one, other = (User.objects.create_user(f"{who}-{name}") for who in ("anna", "berta"))
    table = table_open(user=one, mode="prize5", stake_cents=250)
    table_join(user=other, table_id=table.pk)
    sitting = Sitting(table, (one, other))
    sitting.turn()
    state = sitting.state
    clock = msgspec.structs.replace(
        state.clock, since_ms=database_now_ms(), delay_left_ms=(0, 0), reserve_ms=(CLOCK_MS,) * 2
    )
    state = msgspec.structs.replace(state, clock=clock)
    Table.objects.filter(pk=table.pk).update(state=msgspec.to_builtins(state))
    due = due_ms(state)
    assert due is not None
    Deadline.objects.filter(table=table.pk).update(due_at=moment(due))
    return sitting


def story(house: Processes, home: Home, broken: Callable[[Home], object], seconds: int) -> None:
    """Something breaks in a match; then it is as before, and the player has lost nothing."""
    wait_until(lambda: not house_says(house), "the house was not ready")
    Outage.objects.all().delete()
    name = getattr(broken, "__name__", "")
    sitting = a_match_with_seconds_left(name)
    due, balances = due_ms(sitting.state), sitting.balances()
    assert due is not None
    connection.close()
    before = len(house.log.read_text())
    said: list[dict[str, str]] = []
    with broken(home):  # type: ignore[attr-defined]
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            with suppress(OSError, TimeoutError):
                ask(house, "/lobby/")
                said.append(house_says(house))
            time.sleep(0.5)
    assert said[-1], f"{name}: the house said that all is well"
    logged = [line for line in house.log.read_text()[before:].splitlines() if line[:4].isdigit()]
    assert len(logged) < EVENTS_MAX, f"{name}: {len(logged)} events"
    if broken is full_disk:
        assert [line for line in logged if "is full" in line], "the log does not name the reason"
    wait_until(
        lambda: Outage.objects.filter(credited_at__isnull=False).exists(), f"{name}: no outage"
    )
    now_ms = database_now_ms()
    assert Match.objects.get(table=sitting.pk).ending == "", name
    assert due_ms(table_state(Table.objects.get(pk=sitting.pk))) >= now_ms + GRACE_MS - 10_000, name
    assert sitting.balances() == balances
    wait_until(lambda: not house_says(house), f"{name}: the house was not ready again")
    Deadline.objects.all().delete()


def test_no_clock_falls_while_commands_fail(
    house: Processes, home: Home, dice: Callable[..., None]
) -> None:
    dice((3, 1), (4, 2))
    for broken in (full_disk, read_only, no_connection_left, locked_table):
        story(house, home, broken, FAILS_SECONDS)
