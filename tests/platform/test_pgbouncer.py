"""A real PgBouncer in transaction mode in front of the database: nothing of a session is relied on.

Each transaction may run on another connection to the server, and what one of them leaves behind is
another one's. Without DATABASE_POOLER=transaction the prepared statements of the fast lane fail.
"""

import asyncio
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection, transaction

from accounts.models import User
from analysis.answering import Taken, question_hold, question_take
from analysis.models import Question
from games.services.fast_lane import FastRows
from harness.dice import DICE_FILE
from harness.home import free_port
from harness.processes import Processes
from harness.servers import addresses
from harness.waiting import WAIT_SECONDS, listens, wait_until
from pasch.checks import check_connections
from pasch.servers.processes import open_path, server_user
from tests.platform.standby import using
from tests.platform.test_primary_moves import Players, answers_with, sweep_beats

BOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
CONFIGURATION = """
[databases]
* = host={host} port=5432 user=postgres pool_size=3
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 300
; the settings of these tests send one; a house sends none
ignore_startup_parameters = options
logfile = {folder}/log
"""
#: tests at the same time have databases of their own on the same server
LOCKS = """
SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
 WHERE locktype = 'advisory' AND datname = current_database()
"""

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(BOUNCER is None, reason="PgBouncer is not installed"),
]


@pytest.fixture
def bounced(transactional_db: None) -> Iterator[str]:
    """The address of this test's database behind PgBouncer, which has three connections to it."""
    assert BOUNCER is not None
    folder, user = Path(tempfile.mkdtemp(prefix="pasch-bouncer-")), server_user()
    host = psycopg.conninfo.conninfo_to_dict(addresses()[0])["host"]
    port = free_port()
    settings = folder / "pgbouncer.ini"
    settings.write_text(CONFIGURATION.format(host=host, port=port, folder=folder))
    if user is not None:
        open_path(folder, user)
        shutil.chown(folder, user, user)
        shutil.chown(settings, user, user)
    command = [BOUNCER, "-q", str(settings)]
    process = subprocess.Popen(command, user=user, group=user, cwd=folder)
    try:
        wait_until(lambda: listens(port), "PgBouncer does not start")
        yield f"postgresql://postgres@127.0.0.1:{port}/{connection.settings_dict['NAME']}"
    finally:
        connection.close()
        process.terminate()
        process.wait(WAIT_SECONDS)
        shutil.rmtree(folder)


@pytest.fixture
def shared(bounced: str, settings: Any) -> Iterator[str]:
    """This process behind PgBouncer, too."""
    settings.DATABASE_POOLED = True
    with using(bounced):
        yield bounced


@pytest.mark.slow
def test_a_game_is_played_in_both_lanes_and_settled(
    shared: str, tmp_path: Path, transactional_db: None
) -> None:
    with Processes(tmp_path, []) as house:
        del house.environment[DICE_FILE]
        house.environment |= {"DATABASE_URL": shared, "DATABASE_POOLER": "transaction"}
        house.environment |= {"WEB_WORKERS": "2"}
        house.start("web", "worker", "beat")
        players = Players(house, 1)
        players.play(20)
        players.leave()
        sweep_beats()
        answers_with(house, "/health/ready/", 200)
    assert players.lost() == set()
    assert "Traceback" not in house.log.read_text()
    call_command("audit")


def test_the_fast_lane_prepares_nothing(shared: str) -> None:
    """Five at once on three connections: a prepared statement would be unknown, or known twice."""

    async def ask() -> None:
        lanes = [FastRows() for _ in range(5)]
        for _ in range(4):
            await asyncio.gather(*(rows.read([]) for rows in lanes))
        await asyncio.gather(*(rows.close() for rows in lanes))

    asyncio.run(ask())
    with connection.cursor() as cursor:
        for _ in range(8):
            cursor.execute("SELECT count(*) FROM pg_prepared_statements")
            assert cursor.fetchone() == (0,)
            cursor.execute("SHOW plan_cache_mode")
            assert cursor.fetchone() == ("auto",)


def test_long_results_need_no_cursor_of_a_session(shared: str) -> None:
    User.objects.bulk_create([User(username=f"many{n}") for n in range(250)])
    threads = 4
    together, found = Barrier(threads), []

    def read() -> None:
        together.wait(WAIT_SECONDS)
        seen = 0
        for _ in User.objects.order_by("pk").iterator(chunk_size=50):
            seen += 1
            User.objects.exists()  # another transaction, maybe on another connection
        with transaction.atomic():  # here it may have one, and reads piece by piece
            rows = User.objects.order_by("pk").iterator(chunk_size=50)
            seen += sum(1 for _ in rows)
        found.append(seen)
        connection.close()

    _all([Thread(target=read) for _ in range(threads)])
    assert found == [500] * threads


def test_a_question_is_taken_by_one_worker(shared: str) -> None:
    Question.objects.create(xgid="a position", depth="quick", urgency=1)
    together, found = Barrier(4), []

    def take() -> None:
        together.wait(WAIT_SECONDS)
        found.append(question_take(Question.objects.all()))
        connection.close()

    _all([Thread(target=take) for _ in range(4)])
    (taken,) = [each for each in found if isinstance(each, Taken)]
    with transaction.atomic():
        assert question_hold(taken) == taken.question
    assert Question.objects.get().tries == 1
    with connection.cursor() as cursor:
        cursor.execute(LOCKS)
        assert cursor.fetchone() == (0,)


def test_the_connections_of_the_server_are_the_poolers(shared: str, settings: Any) -> None:
    settings.WEB_WORKERS = 100
    assert check_connections(databases=["default"]) == []
    settings.DATABASE_POOLED = False
    assert [message.id for message in check_connections(databases=["default"])] == ["pasch.E010"]


def _all(threads: list[Thread]) -> None:
    with ExitStack() as ended:
        for thread in threads:
            thread.start()
            ended.callback(thread.join, 30)
