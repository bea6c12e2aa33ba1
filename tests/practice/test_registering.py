"""A guest who registers keeps their games: the guest's row becomes the account's."""

from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.conf import settings as site
from django.core.cache import cache
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from accounts import guests
from accounts.crowds import SIGN_UP
from accounts.models import User
from accounts.services import preferences_save
from games.models import LearntStep, Match, Table
from games.selectors import table_state
from games.services.figures import figures_make, statistics_of
from games.services.practice import practice_open
from games.table import commands as cmd
from harness.logins import logged_in
from harness.waiting import WAIT_SECONDS
from ledger.models import Account
from ledger.selectors import wallet_balance
from ratings.models import Rating
from tests.pages.test_pages import text_of
from tests.practice.conftest import SECRET, game_of_a_guest, give, lose, sign_up
from tests.racing import racers, tries, wait_for_a_waiter
from tests.services.conftest import race

__all__ = ["race"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

WELCOME_CENTS = 10_000
BOT = {"strength": "beginner", "variant": "backgammon", "clock": "slow"}


@pytest.fixture
def table(stranger: Client, tilo: User) -> Table:
    """A running free game of tilo with a guest."""
    return game_of_a_guest(stranger, tilo)


def the_guest(table: Table) -> User:
    assert table.guest_id is not None
    return User.objects.get(pk=table.guest_id)


def age(user: User, *, hours: float) -> None:
    User.objects.filter(pk=user.pk).update(last_login=timezone.now() - timedelta(hours=hours))


# --- the games ------------------------------------------------------------------------------------
def test_a_guest_registers_and_has_the_game_with_its_statistics(
    stranger: Client, table: Table, tilo: User
) -> None:
    guest = the_guest(table)
    lose(table, tilo)
    assert f"1 game as {guest.username} is kept in your account." in text_of(
        stranger.get(reverse("account_signup"))
    )
    welcome = stranger.get(sign_up(stranger, "walter")["location"], follow=True)
    assert "1 game as a guest is kept in your account." in text_of(welcome)

    walter = User.objects.get(username="walter")
    assert walter.pk == guest.pk
    assert (walter.is_guest, walter.is_active, walter.has_usable_password()) == (False, True, True)
    assert walter.check_password("a-long-enough-secret")
    assert walter.date_joined > guest.date_joined, "the age of the account is not the guest's"
    assert wallet_balance(walter.pk) == WELCOME_CENTS
    assert "tilo" in text_of(stranger.get(reverse("archive")))

    figures_make()
    assert statistics_of(walter.pk).total.won == 1
    for name, other in (("walter", "tilo"), ("tilo", "walter")):
        page = text_of(stranger.get(reverse("player", args=[name])))
        assert other in page
    assert guest.username not in text_of(stranger.get(reverse("player", args=["tilo"])))


def test_a_running_game_goes_on_under_the_new_name_and_stays_unrated(
    stranger: Client, table: Table, tilo: User
) -> None:
    guest = the_guest(table)
    sign_up(stranger, "walter")
    table.refresh_from_db()
    assert [person["name"] for person in table.people] == ["tilo", "walter"]
    page = stranger.get(reverse("table", args=[table.pk]))
    assert page.status_code == 200
    assert guest.username not in page.content.decode()
    lose(table, tilo)
    match = Match.objects.get()
    assert (match.winner_seat, match.rated) == (1, False)
    assert not Rating.objects.exists()
    assert wallet_balance(guest.pk) == WELCOME_CENTS


def test_a_rematch_begins_after_the_registration_and_is_rated(
    stranger: Client, table: Table, tilo: User
) -> None:
    lose(table, tilo)
    give(table, the_guest(table), cmd.Rematch())
    sign_up(stranger, "walter")
    give(table, tilo, cmd.Rematch())
    assert list(Match.objects.order_by("number").values_list("rated", flat=True)) == [False, True]


def test_a_waiting_table_and_the_games_with_the_bot_come_along(stranger: Client) -> None:
    stranger.post(reverse("practice_open"), BOT)
    practice = Table.objects.get()
    give(practice, practice.opener, cmd.StandUp())
    stranger.post(reverse("play_now"))
    sign_up(stranger, "walter")
    waiting = Table.objects.get(phase="open")
    assert waiting.opener.username == "walter"
    assert waiting.people[0]["name"] == "walter"
    assert Table.objects.filter(opener__username="walter").count() == 3


def test_lessons_and_choices_of_the_browser_come_along(stranger: Client, table: Table) -> None:
    stranger.cookies["preferences"] = "theme=ahorn"
    session = stranger.session
    session["learnt"] = [["way", "run", True]]
    session.save()
    sign_up(stranger, "walter")
    walter = User.objects.get(username="walter")
    assert LearntStep.objects.get().person_id == walter.pk
    assert walter.theme == "ahorn"


def test_the_guest_is_forgotten_and_the_address_noted(stranger: Client, table: Table) -> None:
    guest = the_guest(table)
    sign_up(stranger, "walter", "walter@example.org")
    assert guests.SESSION_KEY not in stranger.session
    walter = User.objects.get(username="walter")
    assert walter.email == "walter@example.org"
    assert walter.mailboxes.exists()
    stranger.post(reverse("account_logout"))
    assert guest.username not in stranger.get(reverse("home")).content.decode()


def test_an_audit_finds_nothing_wrong(
    stranger: Client, table: Table, tilo: User, capsys: pytest.CaptureFixture[str]
) -> None:
    lose(table, tilo)
    sign_up(stranger, "walter")
    call_command("audit")
    assert "FAIL" not in capsys.readouterr().out


def test_where_an_address_must_be_confirmed_the_game_waits_for_it(
    stranger: Client, table: Table, settings: Any
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
    assert "as soon as you have confirmed your address" in text_of(
        stranger.get(reverse("account_signup"))
    )
    sign_up(stranger, "walter", "walter@example.org")
    walter = User.objects.get(username="walter")
    assert walter.pk == table.guest_id
    assert stranger.get(reverse("account")).status_code == 302
    walter.emailaddress_set.update(verified=True)
    stranger.post(reverse("account_login"), {"login": "walter", "password": SECRET})
    assert "tilo" in text_of(stranger.get(reverse("home")))
    assert stranger.get(reverse("table", args=[table.pk])).status_code == 200


# --- who keeps nothing ----------------------------------------------------------------------------
def test_a_name_that_is_taken_leaves_the_guest_as_they_are(
    stranger: Client, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is taken between the look at it and the writing."""
    monkeypatch.setattr(
        "accounts.adapter.AccountAdapter.clean_username", lambda self, name, shallow=False: name
    )
    answer = sign_up(stranger, "tilo")
    assert answer.status_code == 409
    beside = answer.content.decode().partition('id="id_username"')[2].partition("</div>")[0]
    assert "This name has just been taken by somebody else." in beside
    guest = the_guest(table)
    assert (guest.is_guest, guest.username.startswith("Guest ")) == (True, True)
    assert guest.username in stranger.get(reverse("home")).content.decode()
    assert not Account.objects.filter(owner=guest).exists()


def test_one_sign_up_too_many_leaves_the_guest_as_they_are(stranger: Client, table: Table) -> None:
    for number in range(SIGN_UP.of_network.count):
        sign_up(Client(), f"person{number}")
    sign_up(stranger, "walter")
    assert the_guest(table).is_guest
    cache.clear()
    sign_up(stranger, "walter")
    assert the_guest(table).username == "walter"


def test_an_expired_guest_stays_behind(stranger: Client, table: Table) -> None:
    age(the_guest(table), hours=24.1)
    assert "is kept" not in text_of(stranger.get(reverse("account_signup")))
    sign_up(stranger, "walter")
    assert User.objects.get(username="walter").pk != table.guest_id
    assert the_guest(table).is_guest


def test_logging_in_to_an_account_of_before_takes_nothing_over(
    stranger: Client, table: Table, tilo: User
) -> None:
    User.objects.create_user("ida", password="a-long-enough-secret")
    page = text_of(stranger.get(reverse("account_login")))
    assert "be added to an existing account" in page
    stranger.post(reverse("account_login"), {"login": "ida", "password": "a-long-enough-secret"})
    lose(table, tilo)
    assert "tilo" not in text_of(stranger.get(reverse("archive")))
    assert the_guest(table).is_guest


def test_a_guest_who_is_an_opponent_has_no_link_until_they_register(
    stranger: Client, table: Table, tilo: User
) -> None:
    lose(table, tilo)
    figures_make()
    client = logged_in(Client(), tilo)
    pages = (reverse("archive"), reverse("player", args=["tilo"]))
    assert not any("/player/Guest" in client.get(page).content.decode() for page in pages)
    sign_up(stranger, "walter")
    assert all("/player/walter/" in client.get(page).content.decode() for page in pages)


# --- at the same moment ---------------------------------------------------------------------------
def test_registering_against_the_end_of_the_guest(tilo: User) -> None:
    """Either the account has the game, or it is a new one and the guest is closed; never both."""
    outcomes = set()
    with racers(2) as run:
        for number in range(tries(8, long=60)):
            cache.clear()
            client = Client(REMOTE_ADDR=f"192.0.2.{number % 200}")
            table = game_of_a_guest(client, tilo)
            guest = the_guest(table)
            name = f"walter{number}"
            lose(table, tilo)
            run([lambda c=client, n=name: sign_up(c, n), lambda g=guest: _expire_and_end(g)])
            account = User.objects.get(username=name)
            row = User.objects.get(pk=guest.pk)
            assert not account.is_guest
            assert account.is_active, "no account is closed with its guest"
            assert row.is_guest != (row.pk == account.pk)
            outcomes.add(row.is_guest)
    assert outcomes


def _expire_and_end(guest: User) -> None:
    age(guest, hours=25)
    guests.guests_end()


def test_the_end_of_a_guest_waits_for_a_registration_and_then_leaves_the_account(
    table: Table,
) -> None:
    """On two connections: the guest is found expired, and registers before they are ended."""
    guest = the_guest(table)
    age(guest, hours=25)

    def register() -> None:
        with transaction.atomic():
            row = User.objects.select_for_update().get(pk=guest.pk)
            both.wait(timeout=WAIT_SECONDS)
            wait_for_a_waiter()
            row.is_guest, row.username = False, "walter"
            row.save()

    def end() -> int:
        both.wait(timeout=WAIT_SECONDS)
        return guests.guests_end()

    both = Barrier(2)
    with racers(2) as run:
        registered, ended = run([register, end])
    assert (registered, ended) == (None, 0)
    assert User.objects.get(username="walter").is_active


def test_two_registrations_at_once_make_one_account_of_the_guest(tilo: User) -> None:
    with racers(2) as run:
        for number in range(tries(5, long=60)):
            cache.clear()
            clients = [Client(REMOTE_ADDR=f"192.0.2.{number % 200}") for _ in range(2)]
            table = game_of_a_guest(clients[0], tilo)
            clients[1].cookies = deepcopy(clients[0].cookies)
            names = [f"walter{number}", f"willi{number}"]
            run([lambda c=c, n=n: sign_up(c, n) for c, n in zip(clients, names, strict=True)])
            accounts = User.objects.filter(username__in=names)
            assert sorted(each.username for each in accounts) == names
            assert not accounts.filter(is_guest=True).exists()
            assert accounts.filter(pk=table.guest_id).count() == 1
            assert all(wallet_balance(each.pk) == WELCOME_CENTS for each in accounts)
            lose(table, tilo)


def test_registering_while_the_game_goes_on_locks_nobody_out(
    stranger: Client, tilo: User, race: Callable[..., Any]
) -> None:
    """A rematch begins, which refers to the guest's row, while the row becomes the account's."""
    table = game_of_a_guest(stranger, tilo)
    lose(table, tilo)
    give(table, the_guest(table), cmd.Rematch())
    answers = race(
        lambda: sign_up(stranger, "walter").status_code,
        lambda: give(table, tilo, cmd.Rematch()),
    )
    assert answers == (302, None)
    table.refresh_from_db()
    assert table_state(table).phase == "roll"
    assert table.people[1]["name"] == "walter"


def test_practice_of_an_account_is_no_guests(tilo: User) -> None:
    """A session cannot name an account as its guest."""
    client = Client()
    session = client.session
    session[guests.SESSION_KEY] = tilo.pk
    session.save()
    preferences_save(tilo, theme="ahorn")
    practice_open(user=tilo, strength="beginner")
    sign_up(client, "walter")
    assert User.objects.get(username="walter").pk != tilo.pk
    assert User.objects.get(pk=tilo.pk).username == "tilo"


def test_the_card_at_the_end_offers_a_guest_to_keep_the_game(
    player: Callable[..., Any], stranger: Client, table: Table, tilo: User, live: str
) -> None:
    page = player(None, locale="en-GB")
    name = site.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": stranger.cookies[name].value, "url": live}])
    lose(table, tilo)
    page.goto(reverse("table", args=[table.pk]))
    expect(page.locator("#result-keep")).to_contain_text("you keep this game")
    expect(page.locator("#result-unrated")).to_have_text("Not rated: you played as a guest.")
    assert page.problems == []
