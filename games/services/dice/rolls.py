"""The stored parts of a table's dice, and rolls as clients and records have them."""

from typing import Any, Final, Protocol
from uuid import UUID

import msgspec

from games.models import GameDice
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
