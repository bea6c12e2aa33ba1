"""A guest has no rating: no page shows one beside the name, and the name links to no profile."""

import re

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Match, Table
from games.selectors import table_state, view_frame
from games.services.tables import table_open
from games.table import commands as cmd
from games.table.view_types import View
from tests.api.conftest import Program
from tests.pages.test_pages import text_of
from tests.practice.commands import give

pytestmark = pytest.mark.django_db


@pytest.fixture
def stranger(db: None) -> Client:
    """A person without an account or a session."""
    return Client(headers={"accept-language": "en"})


@pytest.fixture
def reader(db: None) -> Client:
    """A player with an account, who looks at the pages."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(User.objects.create_user("hilde"))
    return client


def the_guest() -> User:
    return User.objects.get(is_guest=True)


def waiting(stranger: Client) -> Table:
    """The table at which the guest waits."""
    stranger.post(reverse("play_now"))
    return Table.objects.get()


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
    assert "href" not in shown, "a guest has no page"


def test_the_lobby_shows_no_rating_of_a_guest(stranger: Client, reader: Client) -> None:
    waiting(stranger)
    shown = beside(the_guest().username, reader.get(reverse("lobby")).content.decode())
    assert "1500" not in shown
    assert "strength" not in shown
    assert "href" not in shown


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
