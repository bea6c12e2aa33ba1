"""A server fails or takes no changes: pages say it, and all works when it is back.

A real web server on a PostgreSQL and a Valkey of its own, which are killed.
"""

import asyncio
import contextlib
import json
import re
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from statistics import median

import psycopg
import pytest
from django.db import InternalError, OperationalError, connection, transaction
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import PoolTimeout

from accounts.models import User
from games.services.fast_lane import FastRows
from harness.processes import Processes
from harness.sitting import Sitting
from harness.waiting import WAIT_SECONDS, wait_until
from pasch.observability.away import missing
from pasch.postgresql import base
from pasch.postgresql.base import WriteAccess
from pasch.postgresql.primary import ReadOnly, check
from pasch.servers.embedded import Home, postgres_start, postgres_stop, valkey_start, valkey_stop

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Answer:
    """The response of a page, and how long it took."""

    status: int
    headers: Message
    text: str
    seconds: float


def at_once(answers: Sequence[Answer]) -> bool:
    """Whether most answers did not wait for a server that is away, however busy the machine is."""
    return median(answer.seconds for answer in answers) < base.WAIT_SECONDS


def ask(
    house: Processes,
    path: str,
    language: str = "en",
    data: bytes | None = None,
    **headers: str,
) -> Answer:
    began = time.monotonic()
    told = {"Accept-Language": language, **headers}
    request = urllib.request.Request(f"{house.address}{path}", data, told)
    try:
        with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as page:
            answer = page.status, page.headers, page.read().decode()
    except urllib.error.HTTPError as page:
        answer = page.code, page.headers, page.read().decode()
    return Answer(*answer, time.monotonic() - began)


@pytest.mark.slow
def test_pages_say_at_once_that_postgresql_is_away(
    house: Processes, servers_of_its_own: Home
) -> None:
    postgres = servers_of_its_own
    assert ask(house, "/ranking/").status == 200
    before = house.log.stat().st_size
    postgres_stop(postgres, at_once=True)

    answers, began = [ask(house, "/ranking/")], time.monotonic()
    while time.monotonic() - began < 6:  # long enough for repeated tries
        answers += [ask(house, path) for path in ("/ranking/", "/", "/health/ready/", "/health/")]
    assert at_once(answers)
    assert {answer.status for answer in answers} == {503}
    assert json.loads(answers[-1].text) == {"database": False, "valkey": True}

    english, german = ask(house, "/ranking/"), ask(house, "/ranking/", "de")
    assert english.headers["Retry-After"] == german.headers["Retry-After"] == "5"
    assert "no-store" in english.headers["Cache-Control"]
    for page, words in ((english, "Back in a moment"), (german, "Gleich wieder da")):
        assert words in page.text
        assert "503" in page.text
        assert "500" not in page.text
    program = ask(house, "/api/v1/matches/", Authorization=f"Bearer pasch_{'x' * 43}")
    assert (program.status, json.loads(program.text)["code"]) == (503, "unavailable")
    assert program.headers["Retry-After"] == "5"

    said = house.log.read_text()[before:]
    assert "Traceback" not in said
    assert said.count("PostgreSQL does not answer") == 1, said
    assert len(said.splitlines()) == 1, said

    postgres_start(postgres)
    wait_until(lambda: ask(house, "/ranking/").status == 200)
    assert ask(house, "/health/").status == 200
    said = house.log.read_text()[before:]
    assert len(re.findall(r"PostgreSQL answers again, after \d+ s", said)) == 1
    assert len(said.splitlines()) == 2, said


@pytest.mark.slow
def test_a_busy_server_is_waited_for(transactional_db: None) -> None:
    """Longer than the pool alone waits: every connection is in use, and one becomes free."""
    connection.close()
    pool, taken = connection.pool, []
    try:
        while len(taken) < pool.max_size:  # a thread of an earlier test may still hold one
            with contextlib.suppress(PoolTimeout):
                taken.append(pool.getconn(timeout=0.2))
                continue
            break
        freed = threading.Timer(3 * pool.timeout, lambda: pool.putconn(taken.pop()))
        began = time.monotonic()
        freed.start()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        freed.join()
        assert time.monotonic() - began > 2 * pool.timeout
    finally:
        for each in taken:
            pool.putconn(each)
        connection.close()


@pytest.mark.slow
def test_a_server_that_takes_connections_and_is_silent_stops_no_other_thread() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        parameters = {"host": "127.0.0.1", "port": port, "connect_timeout": 4}
        ended, pauses = threading.Event(), []

        def work() -> None:
            while not ended.wait(0.01):
                pauses.append(1)

        worker = threading.Thread(target=work)
        worker.start()
        with pytest.raises(psycopg.OperationalError, match="PostgreSQL does not answer"):
            WriteAccess().ask(parameters)
        ended.set()
        worker.join()
    assert len(pauses) > 20, "while it waits, others work"


def test_a_server_without_a_free_connection_is_not_away(transactional_db: None) -> None:
    """It refuses, which is an answer: a busy server is waited for."""
    connection.ensure_connection()
    at = connection.connection.info
    door = WriteAccess()
    told = {"password": at.password, "dbname": "template0", "connect_timeout": 2}
    door.ask(conninfo_to_dict(at.dsn, **told))
    door.pass_or_fail("nothing is asked")


@pytest.mark.slow
def test_health_says_at_once_that_valkey_is_away(
    house: Processes, servers_of_its_own: Home
) -> None:
    assert ask(house, "/health/").status == 200
    before = house.log.stat().st_size
    valkey_stop(servers_of_its_own)
    answers = [ask(house, "/health/") for _ in range(20)]
    assert at_once(answers)
    assert {answer.status for answer in answers} == {503}
    assert json.loads(answers[-1].text) == {"database": True, "valkey": False}
    said = house.log.read_text()[before:]
    assert "Traceback" not in said
    assert len(said.splitlines()) <= 1, said
    valkey_start(servers_of_its_own)
    assert ask(house, "/health/").status == 200


# --- servers that take no changes -----------------------------------------------------------------
#: as an administrator or a manager of a cluster may set it for the whole server
DEMOTED = "SET default_transaction_read_only = on"


@pytest.fixture
def backend(transactional_db: None) -> Iterator[int]:
    """The process of a connection at a server that takes no changes any more."""
    with connection.cursor() as cursor:
        cursor.execute(DEMOTED)
    yield connection.connection.info.backend_pid
    connection.close()


@contextmanager
def without_pool() -> Iterator[None]:
    """Let this thread keep its connection, as a worker does."""
    connection.close()
    options = connection.settings_dict["OPTIONS"]
    pool = options.pop("pool")
    try:
        yield
    finally:
        connection.close()
        options["pool"] = pool


def test_what_it_refuses_means_that_postgresql_is_away(backend: int) -> None:
    with pytest.raises(OperationalError, match="read-only transaction") as refused:
        User.objects.create_user("nobody")
    assert missing(refused.value) == (
        "PostgreSQL",
        "cannot execute INSERT in a read-only transaction",
    )


def test_a_transaction_of_ours_that_may_not_write_is_another_matter(transactional_db: None) -> None:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
        with pytest.raises(InternalError, match="read-only") as refused:
            User.objects.create_user("nobody")
        transaction.set_rollback(True)
    assert missing(refused.value) is None


def test_a_pool_hands_it_out_no_more(backend: int) -> None:
    pool = connection.pool
    kept = [pool.getconn() for _ in range(pool.get_stats()["pool_available"])]
    connection.close()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid(), current_setting('transaction_read_only')")
            pid, read_only = cursor.fetchone()
    finally:
        for each in kept:
            pool.putconn(each)
    assert (pid == backend, read_only) == (False, "off")
    User.objects.create_user("somebody")


def test_a_worker_drops_it_before_its_next_task(transactional_db: None) -> None:
    with without_pool():
        with connection.cursor() as cursor:
            cursor.execute(DEMOTED)
        with pytest.raises(OperationalError):
            User.objects.create_user("nobody")
        connection.close_if_unusable_or_obsolete()
        User.objects.create_user("somebody")


def test_the_thread_of_a_table_drops_the_one_that_it_keeps(transactional_db: None) -> None:
    """It is out of the pool for long, and reading from a demoted server raises no error."""
    with connection.cursor() as cursor:
        cursor.execute(DEMOTED)
    connection.close_at = None  # as kit.database does
    connection.close_if_unusable_or_obsolete()
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        assert cursor.fetchone() == ("off",)
    connection.close()


def test_no_look_falls_into_a_transaction(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would undo the first half, and the second would be stored alone."""
    connection.ensure_connection()
    connection.close_at = None
    for _ in range(2):  # the second time no look is due yet
        connection.close_if_unusable_or_obsolete()
        connection.cursor().close()
    connection.close_if_unusable_or_obsolete()
    with transaction.atomic():
        User.objects.create_user("first")
        monkeypatch.setattr(base, "PAUSE_SECONDS", 0.0)  # now it is
        User.objects.create_user("second")
    assert set(User.objects.values_list("username", flat=True)) >= {"first", "second"}


def test_a_check_leaves_an_open_transaction_as_it_is(transactional_db: None) -> None:
    with transaction.atomic():
        User.objects.create_user("somebody")
        assert connection.is_usable()
    assert User.objects.filter(username="somebody").exists()


def test_the_fast_lane_opens_another_one(sitting: Sitting) -> None:
    async def lane() -> None:
        rows = FastRows()
        await rows.read([sitting.pk])
        for statement in (rows.read([sitting.pk]), rows.write([])):
            assert rows._connection is not None
            await rows._connection.execute(DEMOTED)
            with pytest.raises((psycopg.OperationalError, psycopg.InternalError)):
                await statement
            found, _ = await rows.read([sitting.pk])
            assert sitting.pk in found
        await rows.close()

    asyncio.run(lane())


def test_a_check_leaves_nothing_open(transactional_db: None) -> None:
    connection.ensure_connection()
    db = connection.connection
    for autocommit in (True, False):
        db.autocommit = autocommit
        check(db)
        assert db.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    db.autocommit = True
    db.execute(DEMOTED)
    with pytest.raises(ReadOnly):
        check(db)
    assert db.closed
    connection.close()
