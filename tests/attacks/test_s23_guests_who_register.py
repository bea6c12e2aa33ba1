"""S23: what a guest may never do, done by registering before, during or after a guest's game."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from accounts.models import User
from games.live.delivery import CLOSE_LOGGED_OUT
from games.models import Match, Table
from games.services.guests import GuestsPlayFree
from games.services.people import SamePerson
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.waiting import WAIT_SECONDS
from ledger.models import Account, Entry
from ledger.selectors import wallet_balance
from ratings.models import Rating
from tests.practice.conftest import SECRET, game_of_a_guest, give, lose, sign_up
from tests.racing import racers, tries

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

WELCOME_CENTS = 10_000
PRIZE: dict[str, Any] = {"mode": "prize5", "stake_cents": 250}


@pytest.fixture
def tilo(transactional_db: None) -> User:
    return User.objects.create_user("tilo", "tilo@example.org")


# --- ratings and credits --------------------------------------------------------------------------
def test_s23_games_won_as_a_guest_give_no_rating_afterwards(stranger: Client, tilo: User) -> None:
    """Three wins as a guest, the last one finished after registering."""
    for number in range(3):
        table = game_of_a_guest(stranger, tilo)
        if number == 2:
            sign_up(stranger, "walter")
        lose(table, tilo)
    assert set(Match.objects.values_list("winner_seat", "rated")) == {(1, False)}
    assert not Rating.objects.exists()
    assert wallet_balance(tilo.pk) == wallet_balance(table.guest_id) == WELCOME_CENTS


def test_s23_registering_again_and_again_pays_the_welcome_once(
    stranger: Client, tilo: User
) -> None:
    table = game_of_a_guest(stranger, tilo)
    sign_up(stranger, "walter")
    for name in ("willi", "wilma"):
        stranger.post(reverse("account_logout"))
        sign_up(stranger, name)
    walter = User.objects.get(pk=table.guest_id)
    assert (walter.username, wallet_balance(walter.pk)) == ("walter", WELCOME_CENTS)
    assert Entry.objects.filter(account__owner=walter).count() == 1
    assert Account.objects.filter(owner=walter, key__startswith="wallet:").count() == 1


def test_s23_a_stake_at_the_moment_of_registering_is_an_accounts_or_none(tilo: User) -> None:
    outcomes = set()
    with racers(2) as run:
        for number in range(tries(6, long=60)):
            cache.clear()
            client = Client(REMOTE_ADDR=f"192.0.2.{number % 200}")
            played = game_of_a_guest(client, tilo)
            lose(played, tilo)
            guest = User.objects.get(pk=played.guest_id)
            opener = User.objects.create_user(f"opener{number}")
            waiting = table_open(user=opener, **PRIZE)
            _, joined = run(
                [
                    lambda c=client, n=number: sign_up(c, f"walter{n}"),
                    lambda g=guest, t=waiting: table_join(user=g, table_id=t.pk),
                ]
            )
            staked = isinstance(joined, Table)
            assert staked or isinstance(joined, GuestsPlayFree)
            assert wallet_balance(guest.pk) == WELCOME_CENTS - (250 if staked else 0)
            assert Match.objects.filter(player_1=guest, stake_cents__gt=0).exists() is staked
            outcomes.add(staked)
    assert outcomes


def test_s23_no_second_account_of_a_person_plays_on_for_a_rating(
    stranger: Client, tilo: User
) -> None:
    """tilo's own guest registers with tilo's mailbox after the match, for rated rematches."""
    table = game_of_a_guest(stranger, tilo)
    lose(table, tilo)
    guest = User.objects.get(pk=table.guest_id)
    give(table, guest, cmd.Rematch())
    sign_up(stranger, "walter", "tilo+two@example.org")
    with pytest.raises(SamePerson):
        give(table, tilo, cmd.Rematch())
    assert Match.objects.count() == 1


# --- sessions and sockets -------------------------------------------------------------------------
def cookie_of(client: Client) -> str:
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={client.cookies[name].value}"


@pytest.fixture
def sockets() -> Iterator[ExitStack]:
    """Sockets that are closed at the end of the test."""
    with ExitStack() as opened:
        yield opened


def close_code(socket: ClientConnection) -> int | None:
    """The code with which the server closes this socket, whatever it sends before."""
    with suppress(ConnectionClosed):
        while True:
            socket.recv(timeout=WAIT_SECONDS)
    return socket.close_code


def test_s23_a_guests_cookie_and_sockets_end_with_the_registration(
    live: str, sockets: ExitStack, stranger: Client, tilo: User
) -> None:
    """Somebody has copied the guest's cookie, and keeps sockets open with it."""
    table = game_of_a_guest(stranger, tilo)
    copied = cookie_of(stranger)

    def opened(path: str, cookie: str) -> ClientConnection:
        headers = {"Cookie": cookie}
        address = f"{live.replace('http', 'ws')}{path}"
        return sockets.enter_context(
            connect(address, additional_headers=headers, origin=live)  # type: ignore[arg-type]  # text is an origin
        )

    def seat(cookie: str) -> int | None:
        socket = opened(f"/ws/table/{table.pk}/", cookie)
        welcome = json.loads(socket.recv(timeout=WAIT_SECONDS))
        assert welcome["type"] == "welcome"
        found: int | None = welcome["seat"]
        return found

    held = [opened(f"/ws/table/{table.pk}/", copied), opened("/ws/me/", copied)]
    for socket in held:  # both are accepted
        assert json.loads(socket.recv(timeout=WAIT_SECONDS))
    assert seat(copied) == 1
    sign_up(stranger, "walter")
    assert [close_code(socket) for socket in held] == [CLOSE_LOGGED_OUT] * 2
    assert seat(copied) is None
    assert seat(cookie_of(stranger)) == 1

    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = copied.partition("=")[2]
    assert thief.get(reverse("account")).status_code == 302
    assert thief.get(reverse("wallet")).status_code == 302


def test_s23_a_name_that_was_a_guests_opens_nothing(stranger: Client, tilo: User) -> None:
    table = game_of_a_guest(stranger, tilo)
    name = User.objects.get(pk=table.guest_id).username
    sign_up(stranger, "walter")
    other = Client()
    other.post(reverse("account_login"), {"login": name, "password": SECRET})
    assert other.get(reverse("wallet")).status_code == 302
    assert other.get(reverse("player", args=[name])).status_code == 404
