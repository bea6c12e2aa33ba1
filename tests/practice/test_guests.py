"""Guests play for nothing without registering, and can do nothing else."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.guests import SESSION_KEY, guest_of
from accounts.models import User
from accounts.names import is_well_formed
from accounts.selectors import person_named
from accounts.tasks import end_guests
from games.live.presence import people_online, person_seen
from games.live.table import TableConsumer
from games.models import Match, Table
from games.pages.lobby import people_rows
from games.selectors import table_state
from games.services.challenges import NobodyThere, challenge_make
from games.services.chat import MayNotTalk, message_say
from games.services.guests import GuestPlayedEnough, GuestPlaysAlready, GuestsPlayFree
from games.services.lobby import quick_pair
from games.services.practice import bots_answer_due, practice_open
from games.services.tables import table_command, table_join, table_open
from games.table import commands as cmd
from harness.servers import NO_VALKEY
from ledger.models import Account, Entry
from ratings.models import Rating

pytestmark = pytest.mark.django_db

GAME = {"strength": "beginner", "variant": "backgammon", "clock": "slow"}


@pytest.fixture
def tilo(db: None) -> User:
    """A person with an account."""
    return User.objects.create_user("tilo")


@pytest.fixture
def stranger(db: None) -> Client:
    """A person without an account or a session."""
    return Client(headers={"accept-language": "de"})


def press(client: Client, **wishes: str) -> Table:
    """Request a game and return the table that it leads to."""
    response = client.post(reverse("practice_open"), {**GAME, **wishes})
    assert response.status_code == 302
    return Table.objects.get(pk=response["location"].split("/")[2])


@pytest.fixture
def guest(stranger: Client) -> User:
    """A guest who plays."""
    press(stranger)
    return User.objects.get(is_guest=True)


def give(guest: User, command: cmd.PlayerCommand) -> None:
    table = Table.objects.get(opener=guest)
    table_command(
        table_id=table.pk,
        user_id=guest.pk,
        command_id=str(uuid4()),
        seen_seq=table.seq,
        command=command,
    )


# --- one press ------------------------------------------------------------------------------------
def test_one_press_sits_a_stranger_down_against_the_house_bot(stranger: Client) -> None:
    table = press(stranger)
    state = table_state(table)
    names = [person["name"] for person in table.people]
    assert names[0].startswith("Gast ")
    assert names[1] == "Mira Pasch"
    assert (state.terms.mode, state.phase, table.stake_cents) == ("practice", "roll", 0)


def test_a_guest_has_no_password_no_address_no_credits_and_no_rating(guest: User) -> None:
    give(guest, cmd.Roll())
    give(guest, cmd.Leave())
    assert Match.objects.get().ended_at
    assert (guest.has_usable_password(), guest.email) == (False, "")
    assert not is_well_formed(guest.username), "nobody can register such a name"
    assert not Account.objects.filter(owner=guest).exists()
    assert not Entry.objects.exists()
    assert not Rating.objects.exists()


def test_the_database_keeps_guests_from_being_anything_else(guest: User) -> None:
    for change in ({"is_bot": True}, {"is_staff": True}, {"email": "guest@example.org"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.filter(pk=guest.pk).update(**change)


def test_a_second_press_leads_back_to_the_running_game(stranger: Client) -> None:
    assert press(stranger) == press(stranger, variant="nackgammon")
    assert User.objects.filter(is_guest=True).count() == 1


def test_the_same_guest_plays_again_when_his_game_is_over(stranger: Client) -> None:
    first = press(stranger)
    guest = User.objects.get(is_guest=True)
    give(guest, cmd.StandUp())
    second = press(stranger)
    assert first != second
    assert second.opener_id == guest.pk


def test_a_guest_who_has_played_enough_is_asked_to_register(
    guest: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(GuestPlaysAlready):
        practice_open(user=guest)
    give(guest, cmd.StandUp())
    monkeypatch.setattr("games.services.guests.GUEST_TABLES_MAX", 1)
    with pytest.raises(GuestPlayedEnough):
        practice_open(user=guest)


def test_while_nothing_can_be_counted_no_guest_is_made(
    stranger: Client, settings: pytest.FixtureRequest
) -> None:
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": NO_VALKEY,
        }
    }
    response = stranger.post(reverse("practice_open"), GAME)
    assert response.status_code == 429
    assert not User.objects.filter(is_guest=True).exists()


# --- and nothing else -----------------------------------------------------------------------------
def test_every_service_that_seats_somebody_for_a_stake_refuses_a_guest(
    guest: User, tilo: User
) -> None:
    wishes: dict[str, Any] = {"mode": "prize5", "stake_cents": 250}
    give(guest, cmd.StandUp())
    waiting = table_open(user=tilo, **wishes)
    before = Table.objects.count()
    for seat in (
        lambda: table_open(user=guest, **wishes),
        lambda: table_join(user=guest, table_id=waiting.pk),
        lambda: quick_pair(user=guest, **wishes),
        lambda: challenge_make(user=guest, opponent_id=tilo.pk, **wishes),
    ):
        with pytest.raises(GuestsPlayFree):
            seat()
    assert Table.objects.count() == before
    assert Table.objects.get(pk=waiting.pk).phase == "open"


def test_nobody_can_ask_a_guest_for_anything(guest: User, tilo: User) -> None:
    assert person_named(guest.username) is None
    with pytest.raises(NobodyThere):
        challenge_make(user=tilo, opponent_id=guest.pk, mode="normal")


def test_a_guest_says_nothing(guest: User) -> None:
    table = Table.objects.get(opener=guest)
    with pytest.raises(MayNotTalk):
        message_say(table_id=table.pk, user_id=guest.pk, client_id="one", phrase="hello")


def test_a_guest_is_not_among_those_who_are_here(guest: User, stranger: Client) -> None:
    stranger.get(reverse("lobby"))
    stranger.get(reverse("table", args=[Table.objects.get(opener=guest).pk]))
    assert guest.pk not in people_online(40)
    person_seen(guest.pk)
    assert people_rows([guest.pk]) == []


def test_a_socket_knows_a_guest_at_his_own_table_alone(guest: User, tilo: User) -> None:
    own, other = Table.objects.get(opener=guest), practice_open(user=tilo, strength="beginner")
    known = {}
    for table in (own, other):
        socket = TableConsumer()
        socket.scope = {"session": {SESSION_KEY: guest.pk}}
        socket.user_id = None
        socket._know_guest(table_state(table))
        known[table] = (socket.user_id, socket.is_guest)
    assert known == {own: (guest.pk, True), other: (None, False)}


CLOSED_TO_STRANGERS = (
    "wallet",
    "wallet_payouts",
    "account",
    "archive",
    "challenges",
    "wallet_limits",
    "account_email",
    "account_change_password",
    "mfa_index",
)


def test_every_page_of_an_account_sends_a_guest_to_the_login(guest: User, stranger: Client) -> None:
    led = {name: stranger.get(reverse(name)) for name in CLOSED_TO_STRANGERS}
    login = reverse("account_login")
    assert [
        name for name, page in led.items() if not page.get("location", "").startswith(login)
    ] == []


def test_the_interface_for_programs_knows_no_guest(guest: User, stranger: Client) -> None:
    assert stranger.post("/api/v1/tables/", {"mode": "normal"}).status_code in (401, 403)


# --- what becomes of guests -----------------------------------------------------------------------
def test_every_page_says_who_plays_as_a_guest(guest: User, stranger: Client) -> None:
    page = stranger.get(reverse("rules")).content.decode()
    assert guest.username in page
    assert f'href="{reverse("account_signup")}"' in page


def test_a_session_cannot_make_an_account_a_guest(stranger: Client, tilo: User) -> None:
    for value in (tilo.pk, str(tilo.pk), None, -1):
        assert guest_of({SESSION_KEY: value}) is None


def age(guest: User, *, hours: float) -> None:
    User.objects.filter(pk=guest.pk).update(last_login=timezone.now() - timedelta(hours=hours))


def test_after_a_day_a_guest_is_a_stranger_again(guest: User, stranger: Client) -> None:
    age(guest, hours=24.1)
    assert guest.username not in stranger.get(reverse("rules")).content.decode()
    assert press(stranger).opener_id != guest.pk


def test_guests_are_ended_and_those_who_never_played_deleted(guest: User) -> None:
    idle = User.objects.create(username="Guest 1", is_guest=True, last_login=timezone.now())
    for person in (guest, idle):
        age(person, hours=25)
    fresh = User.objects.create(username="Guest 2", is_guest=True, last_login=timezone.now())
    assert end_guests() == 2
    assert not User.objects.filter(pk=idle.pk).exists()
    assert not User.objects.get(pk=guest.pk).is_active, "events name him for good"
    assert User.objects.get(pk=fresh.pk).is_active
    assert end_guests() == 0


def test_an_audit_finds_nothing_wrong_with_guests(
    guest: User, dice: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    dice((3, 1))
    give(guest, cmd.Roll())
    bots_answer_due()
    give(guest, cmd.Leave())
    age(guest, hours=25)
    end_guests()
    call_command("audit")
    assert "FAIL" not in capsys.readouterr().out


def test_sessions_that_have_run_out_are_deleted(stranger: Client) -> None:
    from django.contrib.sessions.models import Session

    from accounts.tasks import forget_sessions

    press(stranger)
    assert Session.objects.count() == 1
    forget_sessions()
    assert Session.objects.count() == 1
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    forget_sessions()
    assert not Session.objects.exists()


def test_a_throttle_counts_each_asker_for_himself() -> None:
    from kit.throttle import Rate, network_of, take

    rate = Rate(2, 86_400)
    assert [take("test", "one", rate) for _ in range(4)] == [True, True, False, False]
    assert take("test", "other", rate)
    assert network_of("192.0.2.7") == "192.0.2.7"
    assert network_of("2001:db8::7") == "2001:db8::/64"
    assert network_of("") == ""
