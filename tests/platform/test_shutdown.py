"""Ends of processes: how a web server ends, and failures that name their cause.

The server finishes what it has begun, and the page continues at the next server. A process that
dies is replaced, except the first one, with which all of them end.
"""

import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

import psutil
import pytest
from django.db import connection
from websockets.exceptions import ConnectionClosed

from accounts.models import User
from games.models import TableEvent
from harness.home import ROOT
from harness.processes import Processes
from harness.sitting import Sitting
from harness.voice import Voice, socket_of
from harness.waiting import PROGRAM_SECONDS, WAIT_SECONDS, wait_until
from pasch.backups.backup import base_backup
from pasch.backups.restore import restore
from pasch.servers.embedded import EmbeddedError, Home, postgres_start, postgres_stop
from pasch.servers.processes import cause, wait_until_ended

SERVICE_RESTART = 1012


@pytest.fixture
def house(transactional_db: None, tmp_path: Path) -> Iterator[Processes]:
    with Processes(tmp_path, [(3, 1), (4, 2)]) as house:
        house.start("web")
        yield house


@pytest.fixture
def sits(house: Processes, sitting: Sitting) -> Iterator[Callable[[User], Voice]]:
    """`sits(user)` is a connection to the table at the real web server."""
    opened = ExitStack()

    def call(user: User) -> Voice:
        socket = socket_of(user, house.address, sitting.pk)
        voice = Voice(opened.enter_context(socket))
        voice.resume()
        return voice

    with opened:
        yield call


@contextmanager
def events_held() -> Iterator[None]:
    """Transactions that store an event block until this ends."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0 AS"
            " $$ BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NEW; END $$;"
            "CREATE TRIGGER hold BEFORE INSERT ON games_tableevent FOR EACH ROW"
            " EXECUTE FUNCTION hold();"
            "SELECT pg_advisory_lock(4711)"
        )
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(4711)")
            cursor.execute("DROP TRIGGER hold ON games_tableevent; DROP FUNCTION hold()")


def wait_until_held() -> None:
    """Wait until a transaction blocks on the lock of `events_held`."""
    held = (
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    with connection.cursor() as cursor:
        wait_until(
            lambda: cursor.execute(held).fetchone()[0], "the command never came to its events"
        )


@pytest.mark.slow
def test_a_command_in_flight_is_carried_out_and_every_answer_was_true(
    house: Processes,
    sits: Callable[[User], Voice],
    sitting: Sitting,
    magriel: User,
    hilde: User,
) -> None:
    one, other = sits(magriel), sits(hilde)
    answers = [one.command({"type": "roll"})]
    while one.seq < sitting.table.seq:
        one.hear("update", "snapshot")
    play = {"type": "play", "moves": [[8, 5, 3], [6, 5, 1]]}
    answers.append(one.command(play))
    while other.seq < sitting.table.seq:
        other.hear("update", "snapshot")
    assert [answer["type"] for answer in answers] == ["accepted"] * 2

    command = {"type": "command", "id": str(uuid4()), "seq": other.seq, "command": {"type": "roll"}}
    begun = sitting.table.seq
    web = house.running["web"]
    with events_held():
        other.say(command)
        wait_until_held()
        web.send_signal(signal.SIGTERM)
        for each in (one, other):
            with pytest.raises(ConnectionClosed) as closed:
                each.hear("accepted")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == SERVICE_RESTART
    web.wait(WAIT_SECONDS)
    after = list(TableEvent.objects.filter(table=sitting.pk, seq__gt=begun).order_by("seq"))
    assert after[0].type == "dice_rolled", "what was begun was finished"
    assert begun >= max(answer["seq"] for answer in answers), "every answer was true"

    house.start("web")
    again = sits(hilde)
    again.say(command)
    assert again.hear("accepted", "rejected")["type"] == "accepted"
    rolls = TableEvent.objects.filter(table=sitting.pk, type="dice_rolled")
    assert rolls.count() == 2, "asked twice, done once"
    check_murder(house)


def check_murder(house: Processes) -> None:
    """One of the web processes dies, then the first one, which watches over the others."""
    first = psutil.Process(house.running["web"].pid)
    killed, *others = first.children()
    killed.kill()
    psutil.wait_procs([killed], timeout=WAIT_SECONDS)
    wait_until(
        lambda: len(first.children()) > len(others), "nobody took the place of the dead process"
    )
    left = first.children()
    assert killed not in left
    assert set(others) < set(left), "the others lived on"

    first.kill()
    assert wait_until_ended(left, WAIT_SECONDS) == [], "nobody may be left behind to hold the port"


# --- causes of failures ---------------------------------------------------------------------------
START = """
import sys
from pathlib import Path
from pasch.servers.embedded import EmbeddedError, Home, postgres_start
try:
    postgres_start(Home(Path(sys.argv[1])))
except EmbeddedError as error:
    print(error)
"""


@pytest.fixture
def home() -> Iterator[Home]:
    folder = Path(tempfile.mkdtemp(prefix="pasch-causes-"))
    home = Home(folder / "var")
    yield home
    postgres_stop(home, at_once=True)
    shutil.rmtree(folder)


@pytest.mark.slow
def test_a_data_folder_of_another_version_names_both_and_what_to_do(home: Home) -> None:
    postgres_start(home)
    url, backups = home.database_url(), home.root.parent / "backups"
    base = base_backup(url, backups, keys={}, keep=1)
    postgres_stop(home)
    for version in (home.postgres_data / "PG_VERSION", base.data / "PG_VERSION"):
        version.write_text("16\n")
    with pytest.raises(EmbeddedError) as caught:
        postgres_start(home)
    assert caught.value.code == "other_version"
    text = str(caught.value)
    assert f"The data folder {home.postgres_data} was made by PostgreSQL 16" in text
    assert "this house runs PostgreSQL 18" in text
    assert "docs/operations.md" in text
    assert "### Another version of PostgreSQL" in (ROOT / "docs/operations.md").read_text()
    shutil.rmtree(home.postgres_data)
    with pytest.raises(EmbeddedError, match="was made by PostgreSQL 16"):
        restore(home, backups)
    assert not home.postgres_data.exists()


@pytest.mark.slow
def test_a_full_disk_is_named(tmp_path: Path) -> None:
    """On a disk of 16 MiB, which needs the right to mount one."""
    folder = Path(tempfile.mkdtemp(prefix="pasch-full-"))
    mount = f'mount -t tmpfs -o size=16m none {folder} && exec "$@"'
    command = ["unshare", "--mount", "sh", "-c", mount, "sh"]
    try:
        if (
            not shutil.which("unshare")
            or subprocess.run([*command, "true"], capture_output=True, check=False).returncode
        ):
            pytest.skip("no disk can be mounted here")
        ran = subprocess.run(
            [*command, sys.executable, "-c", START, folder / "var"],
            capture_output=True,
            text=True,
            cwd=ROOT,
            timeout=PROGRAM_SECONDS,
            check=False,
        )
    finally:
        shutil.rmtree(folder)
    assert "cannot be made: the disk is full (No space left on device)." in ran.stdout, ran.stderr


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (
            'creating directory … ok\ninitdb: error: could not write to file "x": No space left on'
            ' device\ninitdb: removing contents of data directory "x"\n',
            "the disk is full (No space left on device)",
        ),
        (
            "pg_basebackup: error: connection to server failed: FATAL:  no such role\n"
            "pg_basebackup: removing data directory\n",
            "connection to server failed: FATAL:  no such role",
        ),
        (
            '2026-11-22 10:00:00.000 UTC [7] FATAL:  data directory "x" has wrong ownership\n',
            'data directory "x" has wrong ownership',
        ),
        ("done\nwhat it said last\n", "what it said last"),
        ("", "no reason given"),
    ],
    ids=["full", "error before the clean-up", "log of the server", "no complaint", "nothing"],
)
def test_the_cause_is_the_first_complaint_and_not_the_last_line(said: str, found: str) -> None:
    assert cause(said) == found
