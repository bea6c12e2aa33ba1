"""A practice table for tests, with the worker's tasks called directly."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from accounts.models import User
from backgammon.bots.strength import STRONGEST
from games.bots.player import answer
from games.models import Table
from games.selectors import table_state
from games.services.practice import practice_open
from games.services.tables import CommandAnswer, table_command
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
