"""The socket of one person on any page: what it reports, and that it leaves others as they are."""

import json
import time
from typing import Any

import pytest
import redis
from django.conf import settings
from websockets.sync.client import ClientConnection, connect

from accounts.models import User
from games.live import presence
from games.live.delivery import CLOSE_LOGGED_OUT, CLOSE_TOO_MANY
from games.live.places import ENTRY_SECONDS, SOCKETS_MAX, places_key
from games.services.practice import practice_open
from harness.logins import session_cookie
from harness.waiting import WAIT_SECONDS, wait_until
from tests.live.conftest import close_code

pytestmark = pytest.mark.django_db(transaction=True)


def opened(live: str, user: User | None) -> ClientConnection:
    headers = {} if user is None else {"Cookie": "=".join(session_cookie(user))}
    origin: Any = live
    address = f"{live.replace('http', 'ws')}/ws/me/"
    return connect(address, additional_headers=headers, origin=origin)


def received(socket: ClientConnection) -> str:
    return str(json.loads(socket.recv(timeout=WAIT_SECONDS))["type"])


def connections_of(user: User) -> int:
    """The connections that renew this person's presence."""
    return sum(each._people.get(user.pk, 0) for each in presence._attendants.values())


def wait_for_connections(user: User, number: int) -> None:
    wait_until(
        lambda: connections_of(user) == number,
        lambda: f"{connections_of(user)} connections are counted",
    )


def test_it_begins_with_both_reports_and_counts_the_person_as_present(
    live: str, magriel: User
) -> None:
    practice_open(user=magriel, strength="beginner")
    with opened(live, magriel) as socket:
        assert [received(socket), received(socket)] == ["running", "challenge"]
        wait_for_connections(magriel, 1)
    wait_for_connections(magriel, 0)


def test_a_stranger_gets_none(live: str) -> None:
    with opened(live, None) as socket:
        assert close_code(socket) == CLOSE_LOGGED_OUT


def test_one_that_is_refused_leaves_the_person_present(live: str, magriel: User) -> None:
    """A page too many closes nothing of the pages that are open."""
    with opened(live, magriel) as socket:
        assert [received(socket), received(socket)] == ["running", "challenge"]
        wait_for_connections(magriel, 1)
        with redis.Redis.from_url(settings.REDIS_URL) as client:
            ends = time.time() + ENTRY_SECONDS
            elsewhere = {f"elsewhere-{number}": ends for number in range(SOCKETS_MAX)}
            client.zadd(places_key(magriel.pk), elsewhere)
        with opened(live, magriel) as refused:
            assert close_code(refused) == CLOSE_TOO_MANY
        with opened(live, User.objects.create_user("hilde")) as after:  # the refused one has ended
            assert [received(after), received(after)] == ["running", "challenge"]
        assert connections_of(magriel) == 1
