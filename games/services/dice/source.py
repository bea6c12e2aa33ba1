"""Where the dice of a table come from: the seam between a table's transaction and its dice.

The machine never rolls. While a transaction changes a table, a `TableDice` is asked whether the
players must be heard first, draws, and writes down what it drew together with everything else.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from games.models import Table
from games.table.events import Event
from games.table.state import TableState

#: the only source of a house that is open: dice that nobody can choose or know.
FAIR_DICE: Final = "games.services.dice.fair.FairDice"


class TableDice(Protocol):
    """The dice of one table within one transaction that holds the table's lock."""

    def __init__(self, table: Table) -> None: ...

    def take(self, state: TableState, seat: int, element: str) -> None:
        """Take in a player's part (hexadecimal) in the roll that comes next."""

    def wait_until_ms(self, state: TableState, now_ms: int) -> int | None:
        """How long to wait for the players' parts in the next roll; None if nobody is awaited."""

    def is_over(self, state: TableState) -> bool:
        """Whether this game has had all the rolls that its dice can give."""

    def draw(self, state: TableState) -> tuple[int, ...]:
        """The dice of the next roll, as many as the phase and the variant want."""

    def store(self, state: TableState, events: Sequence[Event]) -> None:
        """Write what was drawn; `events` are all of this transaction, `state` what they lead to."""


def dice_of(table: Table) -> TableDice:
    """The table's dice, by the setting DICE_SOURCE (a dotted path to a class)."""
    dice: TableDice = import_string(settings.DICE_SOURCE)(table)
    return dice
