"""Guests play free games with people: by invitation, at once, or with the bot instead."""

import re
from uuid import uuid4

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Match, StandIn, Table
from games.pages.words import code_text
from games.selectors import table_state, view_frame
from games.services.guests import GuestPlaysAlready
from games.services.lobby import quick_pair
from games.services.tables import table_command, table_join, table_open
from games.table import commands as cmd
from games.table.view_types import View
from ledger.models import Account
from ratings.models import Rating
from tests.api.conftest import Program
from tests.pages.test_pages import text_of
from tests.practice.conftest import give

pytestmark = pytest.mark.django_db


@pytest.fixture
def tilo(db: None) -> User:
    """A person with an account."""
    return User.objects.create_user("tilo")


@pytest.fixture
def stranger(db: None) -> Client:
    """A person without an account or a session."""
    return Client(headers={"accept-language": "en"})


@pytest.fixture
def invitation(tilo: User) -> Table:
    """A free private table at which tilo waits."""
    return table_open(user=tilo, mode="normal", private=True)


def link(table: Table) -> str:
    return reverse("table_code", args=[code_text(table.code or "")])


def the_guest() -> User:
    return User.objects.get(is_guest=True)


# --- an invitation --------------------------------------------------------------------------------
def test_an_invitation_shows_the_table_and_who_invites(stranger: Client, invitation: Table) -> None:
    response = stranger.get(link(invitation), follow=True)
    words = text_of(response)
    assert "tilo invites you to a game of backgammon" in words
    assert "Normal game" in words
    assert "Play as a guest" in words
    assert not User.objects.filter(is_guest=True).exists(), "looking makes no guest"


def test_a_stranger_plays_a_free_invitation_as_a_guest(
    stranger: Client, invitation: Table, tilo: User
) -> None:
    join = stranger.get(link(invitation))["location"]
    response = stranger.post(join)
    assert response["location"] == reverse("table", args=[invitation.pk])
    invitation.refresh_from_db()
    assert invitation.guest_id == the_guest().pk
    assert stranger.get(response["location"]).status_code == 200, "no watchers, but a player"
    assert stranger.get(link(invitation), follow=True).status_code == 200


def test_a_match_with_a_guest_is_unrated_and_moves_nothing(
    stranger: Client, invitation: Table, tilo: User
) -> None:
    stranger.post(reverse("table_join", args=[invitation.pk]))
    table_command(
        table_id=invitation.pk,
        user_id=tilo.pk,
        command_id=str(uuid4()),
        seen_seq=Table.objects.get(pk=invitation.pk).seq,
        command=cmd.Roll(),
    )
    give(invitation, the_guest(), cmd.Leave())
    match = Match.objects.get()
    assert match.ended_at is not None
    assert not match.rated
    assert not Rating.objects.exists()
    assert not Account.objects.filter(owner=the_guest()).exists()


def test_an_invitation_for_credits_leads_to_an_account_and_back(
    stranger: Client, tilo: User
) -> None:
    table = table_open(user=tilo, mode="prize5", stake_cents=250, private=True)
    response = stranger.get(link(table), follow=True)
    words, join = text_of(response), reverse("table_join", args=[table.pk])
    assert "Your stake" in words
    assert "Play as a guest" not in words
    assert f"{reverse('account_signup')}?next={join}" in response.content.decode()
    assert stranger.post(join)["location"].startswith(reverse("account_login"))
    assert not User.objects.filter(is_guest=True).exists()
    table.refresh_from_db()
    assert table.phase == "open"


def test_a_guest_sits_at_one_table_at_a_time(stranger: Client, invitation: Table) -> None:
    stranger.post(reverse("table_join", args=[invitation.pk]))
    other = table_open(user=User.objects.create_user("ida"), mode="normal")
    answer = stranger.post(reverse("table_join", args=[other.pk]))
    assert answer["location"] == reverse("table", args=[invitation.pk])
    with pytest.raises(GuestPlaysAlready):
        table_open(user=the_guest(), mode="normal")
    with pytest.raises(GuestPlaysAlready):
        quick_pair(user=the_guest(), mode="normal")
    again = table_join(user=the_guest(), table_id=invitation.pk)
    assert again.pk == invitation.pk, "the answer to a lost answer"


# --- at once --------------------------------------------------------------------------------------
def test_the_lobby_lets_a_stranger_press_the_tile_of_a_free_game(stranger: Client) -> None:
    page = stranger.get(reverse("lobby"))
    words = text_of(page)
    assert "You need no account for this." in words
    form = page.content.decode().partition("<b>Match to 3</b>")[0].rpartition("<form")[2]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    stranger.post(reverse("quick"), fields)
    table = Table.objects.get(phase="open")
    assert table.opener == the_guest()
    assert table_state(table).terms.target_points == 3


def test_two_strangers_who_press_play_now_meet(stranger: Client) -> None:
    """Both play the bot at once, and both say yes."""
    second = Client(headers={"accept-language": "en"}, REMOTE_ADDR="192.0.2.7")
    for browser in (stranger, second):
        browser.post(reverse("play_now"))
    own, table = Table.objects.filter(phase="open").order_by("created_at")
    stranger.post(reverse("seat_offer"), {"accept": str(table.pk)})
    led = second.post(reverse("seat_offer"), {"accept": str(own.pk)})["location"]
    assert led == reverse("table", args=[own.pk])
    match = table_state(Table.objects.get(pk=own.pk)).match
    assert match is not None
    assert not match.rated


def test_play_now_takes_the_clock_of_the_person_who_waits(stranger: Client, tilo: User) -> None:
    table = table_open(user=tilo, mode="normal", clock="fast")
    assert stranger.post(reverse("play_now"))["location"] == reverse("table", args=[table.pk])


def test_a_tile_for_credits_leads_a_stranger_to_the_login(stranger: Client) -> None:
    assert reverse("account_login") in stranger.get(reverse("quick") + "?for=credits")["location"]
    sent = {"for": "credits", "mode": "prize5", "variant": "backgammon", "tile": "250:normal"}
    assert stranger.post(reverse("quick"), sent).status_code in (200, 302)
    assert not Table.objects.exists()


# --- no rating ------------------------------------------------------------------------------------
@pytest.fixture
def reader(db: None) -> Client:
    """A player with an account, who looks at the pages."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(User.objects.create_user("hilde"))
    return client


def waiting(stranger: Client) -> Table:
    """The open table at which a guest does nothing but wait."""
    stranger.post(reverse("play_now"))
    StandIn.objects.all().delete()
    return Table.objects.get(opener=the_guest(), phase="open")


def playing(stranger: Client) -> Table:
    """A free table at which the guest plays tilo, who has an account."""
    table = table_open(user=User.objects.create_user("tilo"), mode="normal")
    stranger.post(reverse("table_join", args=[table.pk]))
    table.refresh_from_db()
    give(table, table.opener, cmd.Roll())
    table.refresh_from_db()
    return table


def beside(name: str, html: str) -> str:
    """The markup around a player's name, as the pages of tables show it."""
    found = re.search(
        rf'<(?:a|span) class="player"[^>]*>(?:(?!class="player").)*?{name}.*?</', html
    )
    assert found, f"{name} is not on the page"
    end = html[found.end() : found.end() + 80]
    return found[0] + end


def test_the_view_has_neither_a_rating_nor_a_strength_for_a_guest(stranger: Client) -> None:
    table = playing(stranger)
    view = msgspec.to_builtins(view_frame(table, table_state(table)))
    tilo, guest = msgspec.convert(view, View).players
    assert tilo is not None
    assert (tilo.elo, tilo.strength) == (1500, 3)
    assert guest is not None
    assert (guest.elo, guest.strength) == (None, None)


def test_the_page_of_tables_to_watch_shows_no_rating_of_a_guest(
    stranger: Client, reader: Client
) -> None:
    playing(stranger)
    html = reader.get(reverse("watch")).content.decode()
    assert "1500" in beside("tilo", html)
    shown = beside(the_guest().username, html)
    assert "1500" not in shown
    assert "strength" not in shown
    assert "<a " not in shown, "a guest has no page"


def test_the_lobby_shows_no_rating_of_a_guest(stranger: Client, reader: Client) -> None:
    waiting(stranger)
    shown = beside(the_guest().username, reader.get(reverse("lobby")).content.decode())
    assert "1500" not in shown
    assert "strength" not in shown
    assert "<a " not in shown


def test_a_guest_is_nobody_of_about_ones_own_strength(stranger: Client, reader: Client) -> None:
    waiting(stranger)
    near = reader.get(reverse("lobby"), {"near": "on"})
    assert near.status_code == 200
    assert the_guest().username not in text_of(near)


def test_the_page_of_a_match_says_that_a_guest_has_no_rating(
    stranger: Client, reader: Client
) -> None:
    table = playing(stranger)
    give(table, the_guest(), cmd.Leave())
    words = text_of(reader.get(reverse("match", args=[Match.objects.get().pk])))
    assert f"{the_guest().username} no rating" in words
    assert "tilo 1500 (±0)" in words


def test_programs_are_told_of_no_rating(stranger: Client) -> None:
    waiting(stranger)
    (table,) = Program(User.objects.create_user("magriel")).get("tables/").json()
    assert [(each["elo"], each["strength"]) for each in table["players"]] == [(None, None)]
