"""Where the dice of a table come from: the seam between what happens at a table and its dice.

The machine never rolls. While something is decided at a table, a `TableDice` answers whether
the players' parts must be waited for, draws, and returns what must be stored with everything else.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from games.models import Table
from games.services.dice.rolls import DiceRows
from games.table.events import Event
from games.table.state import TableState

#: the only source of an open house: dice that no party can choose or predict
FAIR_DICE: Final = "games.services.dice.fair.FairDice"


class TableDice(Protocol):
    """The dice of one table while one change of it is decided."""

    def take(self, state: TableState, seat: int, element: str) -> None:
        """Take in a player's part (hexadecimal) in the roll that comes next."""

    def wait_until_ms(self, state: TableState, now_ms: int) -> int | None:
        """How long to wait for the players' parts in the next roll; None if none is awaited."""

    def is_over(self, state: TableState) -> bool:
        """Whether this game has had all the rolls that its dice can give."""

    def draw(self, state: TableState) -> tuple[int, ...]:
        """The dice of the next roll, as many as the phase and the variant need."""

    def finish(self, state: TableState, events: Sequence[Event]) -> DiceRows:
        """The rows to store; `events` are all of this change, `state` is the state after them.

        From now on the public view of the dice is on the table's row (`fair`).
        """


def dice_of(table: Table) -> TableDice:
    """The table's dice, by the setting DICE_SOURCE (a dotted path to a class)."""
    dice: TableDice = import_string(settings.DICE_SOURCE)(table)
    return dice
