"""Pages that may be a moment old are read at a standby, and at the primary when that is no good.

Real servers: a primary, its standby and a web server that has the addresses of both.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from django.db import transaction

from accounts.identity import name_change
from accounts.models import User
from games.models import Match
from harness.processes import Processes
from harness.waiting import wait_until
from ledger.models import Account
from pasch.postgresql.replica import LOOK_SECONDS, Router, reading, replica
from pasch.servers.embedded import Home, postgres_pid, postgres_start, postgres_stop
from pasch.web.stale import COOKIE, COOKIE_SECONDS
from ratings.models import Rating
from tests.platform.standby import QUICK, TOKEN, Servers, house_on, two_servers, using
from tests.platform.test_away import ask, at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pair() -> Iterator[Servers]:
    with two_servers() as made:
        yield made


@pytest.fixture
def house(transactional_db: None, pair: Servers, tmp_path: Path) -> Iterator[Processes]:
    """A web process that writes to the primary and has the standby for reading."""
    url = pair.primary.database_url()
    addresses = {"DATABASE_URL": url, "DATABASE_REPLICA_URL": pair.standby.database_url()}
    with house_on(pair, tmp_path, **addresses) as house, using(url):
        User.objects.create_user("anna")
        house.start("web")
        yield house


def read_at(house: Processes) -> dict[str, float]:
    """How many pages were read at which server."""
    lines = ask(house, "/metrics/", Authorization=f"Bearer {TOKEN}").text.splitlines()
    counted = [line.split() for line in lines if line.startswith("pasch_replica_pages_total{")]
    return {name.split('"')[1]: float(value) for name, value in counted}


def until_read_at(house: Processes, server: str) -> None:
    """Ask for the ranking until it is read at this server."""
    before = read_at(house).get(server, 0)

    def read() -> bool:
        assert ask(house, "/ranking/").status == 200
        return read_at(house).get(server, 0) > before

    wait_until(read, f"nothing is read at the {server}")


@pytest.mark.slow
def test_pages_are_read_at_the_standby_while_it_is_of_use(house: Processes, pair: Servers) -> None:
    what_is_changed_is_read_where_it_was_changed(house)
    it_follows(house, pair)
    it_dies(house, pair)
    it_hangs(house, pair)


def it_follows(house: Processes, pair: Servers) -> None:
    until_read_at(house, "replica")
    pair.on_standby("SELECT pg_wal_replay_pause()")
    name_change(user_id=User.objects.get(username="anna").pk, name="berta")

    assert "/player/anna/" in ask(house, "/player/anna/").text, "as the standby still has it"
    assert ask(house, "/player/berta/").status == 200, "not there yet, so the primary is asked"
    assert '"anna"' in ask(house, "/api/v1/players/anna/").text
    fresh = ask(house, "/player/anna/", Cookie=f"{COOKIE}=1")
    assert "/player/anna/" not in fresh.text, "who changed something is led to the new name"

    until_read_at(house, "primary")
    assert "/player/anna/" not in ask(house, "/player/anna/").text
    pair.on_standby("SELECT pg_wal_replay_resume()")
    until_read_at(house, "replica")


def it_dies(house: Processes, pair: Servers) -> None:
    """It is missed by nobody."""
    until_read_at(house, "replica")
    postgres_stop(pair.standby, at_once=True)
    answers = [ask(house, "/player/anna/") for _ in range(5)]
    assert [answer.status for answer in answers] == [200] * 5
    assert at_once(answers)
    postgres_start(pair.standby, settings=QUICK)
    until_read_at(house, "replica")


def it_hangs(house: Processes, pair: Servers) -> None:
    """It is left alone at the next look."""
    until_read_at(house, "replica")
    # A page looks at the standby first, unless that was done less than LOOK_SECONDS ago. A page of
    # that second waits for a server that hangs; this one comes after it.
    time.sleep(2 * LOOK_SECONDS)
    with standing_still(pair.standby):
        answers = [ask(house, "/player/anna/") for _ in range(3)]
    assert [answer.status for answer in answers] == [200] * 3
    assert at_once(answers)
    until_read_at(house, "replica")


@contextmanager
def standing_still(home: Home) -> Iterator[None]:
    """Let a server keep its connections and do nothing."""
    pid = postgres_pid(home)
    assert pid is not None
    first = psutil.Process(pid)
    processes = [first, *first.children(recursive=True)]
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in processes:
            process.resume()


def what_is_changed_is_read_where_it_was_changed(house: Processes) -> None:
    """A form that was sent sets the cookie that leads to the primary; reading sets none."""
    assert COOKIE not in str(ask(house, "/ranking/").headers)
    refused = ask(house, "/accounts/login/", data=b"login=anna")
    assert f"{COOKIE}=1" in str(refused.headers)
    assert f"Max-Age={COOKIE_SECONDS}" in str(refused.headers)


def test_books_sessions_and_transactions_are_read_at_the_primary() -> None:
    router = Router()
    assert router.db_for_read(Rating) == "default"
    with reading():
        assert router.db_for_read(Rating) == router.db_for_read(Match) == "replica"
        assert router.db_for_read(Account) == "default"
        assert router.db_for_write(Rating) == "default"
        with transaction.atomic():
            assert router.db_for_read(Rating) == "default"
    assert router.db_for_read(Rating) == "default"


def test_a_house_without_a_standby_has_none() -> None:
    assert not replica.is_configured
    assert not replica.is_usable()
