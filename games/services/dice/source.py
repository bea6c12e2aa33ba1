"""The dice of a table: where they come from, and the rows and frames of rolls.

The machine never rolls. While something is decided at a table, a `TableDice` answers whether
the players' parts must be waited for, draws, and returns what must be stored with everything else.
"""

from collections.abc import Sequence
from typing import Any, Final, Protocol
from uuid import UUID

import msgspec
from django.conf import settings
from django.utils.module_loading import import_string

from games.models import GameDice, Table
from games.table.events import Event
from games.table.state import TableState
from games.wire import encode


class RollRow(msgspec.Struct, frozen=True):
    """A roll that has been drawn: the fields of `DiceRoll`, and the table where it fell."""

    table_id: UUID
    game_id: UUID
    n: int
    kind: int
    flags: int
    house: bytes
    white: bytes
    black: bytes
    dice: tuple[int, ...]
    seq: int

    @property
    def dice_json(self) -> str:
        """The dice as they are stored."""
        return encode(self.dice)


class GameRow(msgspec.Struct, frozen=True):
    """The fields of a game's dice that change with every part and every roll; `sides` is JSON."""

    table_id: UUID
    game_id: UUID
    sides: str
    next_roll: int


class DiceRows(msgspec.Struct, frozen=True):
    """Everything that is to be stored of the dice of a table.

    `opened` are games whose dice have been opened: their openings are written first, inside a
    transaction. `game` has the dice of the game that runs, if they were looked at.
    """

    games: tuple[GameRow, ...] = ()
    rolls: tuple[RollRow, ...] = ()
    opened: tuple[GameDice, ...] = ()
    game: GameDice | None = None


#: of dice that leave nothing behind.
NO_ROWS: Final = DiceRows()


class StoredRoll(Protocol):
    """A row with a roll, `DiceRoll` or one like it."""

    n: Any
    kind: Any
    flags: Any
    house: Any
    white: Any
    black: Any
    dice: Any


def roll_frame(roll: RollRow | StoredRoll) -> dict[str, Any]:
    """A roll as clients and records have it."""
    return {
        "n": roll.n,
        "kind": roll.kind,
        "flags": roll.flags,
        "s": bytes(roll.house).hex(),
        "eW": bytes(roll.white).hex(),
        "eB": bytes(roll.black).hex(),
        "dice": list(roll.dice),
    }


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
