"""A guest who plays a free game with a person, and how they register."""

from typing import Any

from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Table
from games.services.tables import table_open
from games.table import commands as cmd
from tests.practice.commands import give

SECRET = "a-long-enough-secret"


def sign_up(client: Client, name: str, email: str = "", **more: Any) -> Any:
    """Send the form of the sign-up page."""
    form = {"username": name, "email": email, "password1": SECRET}
    return client.post(reverse("account_signup"), {**form, **more})


def game_of_a_guest(client: Client, opener: User, **wishes: Any) -> Table:
    """A free game, before the first roll, of this opener and the guest of this client."""
    table = table_open(user=opener, **{"mode": "normal", **wishes})
    client.post(reverse("table_join", args=[table.pk]))
    table.refresh_from_db()
    assert table.guest is not None
    assert table.guest.is_guest
    return table


def lose(table: Table, user: User) -> None:
    """Roll for the start and leave, which loses the match."""
    table.refresh_from_db()
    if table.phase in ("roll_off", "roll"):
        give(table, user, cmd.Roll())
    give(table, user, cmd.Leave())
