"""A server fails: pages report it at once, the log reports it once, and all works when it is back.

A real web server on a PostgreSQL and a Valkey of its own, which are killed.
"""

import contextlib
import json
import re
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import Message
from statistics import median

import psycopg
import pytest
from django.db import connection
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import PoolTimeout

from harness.processes import Processes
from harness.waiting import WAIT_SECONDS, wait_until
from pasch.postgresql import base
from pasch.postgresql.base import WriteAccess
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
