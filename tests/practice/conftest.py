"""Practice tables, guests who register, and the worker's tasks called directly."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from backgammon.bots.strength import STRONGEST
from games.bots.player import answer
from games.models import Table
from games.selectors import table_state
from games.services.practice import practice_open
from games.services.tables import CommandAnswer, table_command, table_open
from games.table import commands as cmd
from games.table.state import TableState


def decided(state: TableState, seat: int) -> cmd.PlayerCommand:
    """The command of an expert in this seat without the cube; finding it takes long."""
    if state.phase == "roll":
        return cmd.Roll()
    command = answer(state, seat, strength=STRONGEST, seed="")
    assert command is not None
    return command


class Practice:
    """hilde in seat 0 against the house bot in seat 1."""

    def __init__(self, user: User, table: Table) -> None:
        self.user, self.pk = user, table.pk

    @property
    def table(self) -> Table:
        return Table.objects.get(pk=self.pk)

    @property
    def state(self):
        return table_state(self.table)

    def give(self, command: cmd.PlayerCommand, **options: Any) -> CommandAnswer:
        """A command of hilde on the current view."""
        options = {"command_id": str(uuid4()), "seen_seq": self.table.seq, **options}
        return table_command(table_id=self.pk, user_id=self.user.pk, command=command, **options)

    def types(self) -> list[str]:
        return list(self.table.events.order_by("seq").values_list("type", flat=True))


@pytest.fixture
def practise(hilde: User, dice: Callable[..., None]) -> Callable[..., Practice]:
    """`practise(strength=…)` opens a table for hilde."""

    def open_table(**wishes: Any) -> Practice:
        wishes = {"start_rule": "opener_alternates", **wishes}
        return Practice(hilde, practice_open(user=hilde, **wishes))

    return open_table


# --- commands -------------------------------------------------------------------------------------
def give(table: Table, user: User, command: cmd.PlayerCommand) -> None:
    """Give a command of this player on the present view."""
    table.refresh_from_db()
    table_command(
        table_id=table.pk,
        user_id=user.pk,
        command_id=str(uuid4()),
        seen_seq=table.seq,
        command=command,
    )
    table.refresh_from_db()


# --- guests who register --------------------------------------------------------------------------
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
