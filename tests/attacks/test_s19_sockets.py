"""S19: one account opens socket after socket."""

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import redis
from django.conf import settings
from django.test import Client
from django.urls import reverse
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from accounts.models import User
from accounts.tokens import token_make
from games.live.places import ENTRY_SECONDS, SOCKETS_MAX, Places, places_key
from games.models import Table
from games.services.tables import table_open
from harness.logins import session_cookie
from harness.voice import socket_of
from harness.waiting import WAIT_SECONDS, wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

TRIED = 60


class Sockets(list[ClientConnection]):
    """The sockets that are open."""

    def enter_context(self, socket: ClientConnection) -> ClientConnection:
        """Keep a socket until the end of the test."""
        self.append(socket)
        return socket


@pytest.fixture
def opened() -> Iterator[Sockets]:
    """The sockets of a test; all are closed at the same time, because each waits for an answer."""
    sockets = Sockets()
    yield sockets
    for socket in sockets:
        socket.close_timeout = 0.2  # the test is over, so the answer of the house does not matter
    with ThreadPoolExecutor(max_workers=len(sockets) + 1) as closing:
        list(closing.map(ClientConnection.close, sockets))


def lobby(live: str, **headers: str) -> ClientConnection:
    origin: Any = None if "Authorization" in headers else live
    return connect(
        f"{live.replace('http', 'ws')}/ws/lobby/", additional_headers=headers, origin=origin
    )


def close_code(socket: ClientConnection) -> int | None:
    """The code with which the server closed; None if it is open and receives a frame."""
    try:
        socket.recv(timeout=WAIT_SECONDS)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd is not None else 1006
    return None


def codes(opened: Sockets, number: int, open_one: Callable[[], ClientConnection]) -> list[Any]:
    return [close_code(opened.enter_context(open_one())) for _ in range(number)]


def places_taken(user: User) -> int:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        return int(client.zcard(places_key(user.pk)))


def wait_for_places(user: User, number: int) -> None:
    wait_until(
        lambda: places_taken(user) == number, lambda: f"{places_taken(user)} places are taken"
    )


def test_s19_an_account_has_forty_sockets_to_the_lobby(
    live: str, magriel: User, opened: Sockets
) -> None:
    headers = {"Cookie": "=".join(session_cookie(magriel))}
    found = codes(opened, TRIED, lambda: lobby(live, **headers))
    assert found == [None] * SOCKETS_MAX + [4429] * (TRIED - SOCKETS_MAX)


def test_s19_lobby_and_tables_page_and_token_share_the_number(live: str, opened: Sockets) -> None:
    robo = User.objects.create_user("robo", is_bot=True)
    table = table_open(user=robo, mode="normal")
    cookie = {"Cookie": "=".join(session_cookie(robo))}
    token = {"Authorization": f"Bearer {token_make(robo)}"}
    half = SOCKETS_MAX // 2
    assert codes(opened, half, lambda: lobby(live, **cookie)) == [None] * half
    assert codes(opened, half, lambda: socket_of(robo, live, table.pk)) == [None] * half
    assert codes(opened, 2, lambda: lobby(live, **token)) == [4429] * 2
    assert codes(opened, 2, lambda: socket_of(robo, live, table.pk)) == [4429] * 2


def test_s19_a_guest_is_counted_too(live: str, opened: Sockets) -> None:
    client = Client()
    form = {"strength": "beginner", "variant": "backgammon", "clock": "slow"}
    client.post(reverse("practice_open"), form)
    table = Table.objects.get()
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    headers = {"Cookie": f"{cookie.key}={cookie.value}"}
    url = f"{live.replace('http', 'ws')}/ws/table/{table.pk}/"

    def guests() -> ClientConnection:
        return connect(url, additional_headers=headers, origin=live)  # type: ignore[arg-type]  # text is an origin

    found = codes(opened, SOCKETS_MAX + 5, guests)
    assert found == [None] * SOCKETS_MAX + [4429] * 5


def test_s19_others_are_not_in_the_way(live: str, magriel: User, opened: Sockets) -> None:
    hilde = User.objects.create_user("hilde")
    headers = {"Cookie": "=".join(session_cookie(magriel))}
    codes(opened, SOCKETS_MAX + 1, lambda: lobby(live, **headers))
    headers = {"Cookie": "=".join(session_cookie(hilde))}
    assert codes(opened, 1, lambda: lobby(live, **headers)) == [None]
    assert codes(opened, 3, lambda: lobby(live)) == [None] * 3


def test_s19_a_socket_that_ends_makes_room(live: str, magriel: User, opened: Sockets) -> None:
    headers = {"Cookie": "=".join(session_cookie(magriel))}
    first = [opened.enter_context(lobby(live, **headers)) for _ in range(SOCKETS_MAX)]
    assert [close_code(socket) for socket in first] == [None] * SOCKETS_MAX
    assert codes(opened, 1, lambda: lobby(live, **headers)) == [4429]
    for socket in first[:5]:
        socket.close()
    wait_for_places(magriel, SOCKETS_MAX - 5)
    assert codes(opened, 6, lambda: lobby(live, **headers)) == [None] * 5 + [4429]


def test_s19_what_another_process_holds_counts_and_a_crash_does_not_last(
    live: str, magriel: User, opened: Sockets
) -> None:
    """A process that died does not renew its entries, so they expire."""
    headers = {"Cookie": "=".join(session_cookie(magriel))}
    elsewhere = {
        f"elsewhere-{number}": time.time() + ENTRY_SECONDS for number in range(SOCKETS_MAX)
    }
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.zadd(places_key(magriel.pk), elsewhere)
        assert codes(opened, 1, lambda: lobby(live, **headers)) == [4429]
        over = {name: time.time() - 1 for name in elsewhere}
        client.zadd(places_key(magriel.pk), over)
        assert codes(opened, 1, lambda: lobby(live, **headers)) == [None]


def test_s19_entries_are_renewed_and_come_back_after_valkey_was_emptied(magriel: User) -> None:
    async def live_on() -> int:
        places = Places()
        assert await places.take(magriel.pk, "one")
        with redis.Redis.from_url(settings.REDIS_URL) as client:
            client.delete(places_key(magriel.pk))
        await places.renew()
        taken = places_taken(magriel)
        await places.leave(magriel.pk, "one")
        return taken

    assert asyncio.run(live_on()) == 1
    assert places_taken(magriel) == 0


def test_s19_at_the_same_moment_no_more_come_in(magriel: User) -> None:
    async def storm() -> list[bool]:
        crowds = [Places(), Places(), Places()]
        took = [crowds[n % 3].take(magriel.pk, str(n)) for n in range(200)]
        return list(await asyncio.gather(*took))

    assert 1 <= sum(asyncio.run(storm())) <= SOCKETS_MAX
