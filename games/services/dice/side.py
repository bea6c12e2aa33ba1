"""One player's contribution to the dice of a game."""

import re
from typing import Any, Final, Protocol

import msgspec

from games.table.errors import TableError

HEXADECIMAL: Final = re.compile("[0-9a-f]{64}")


class DiceGame(Protocol):
    """A row with the dice of a game, `GameDice` or one like it."""

    id: Any
    mode: Any
    terms: Any
    house_tip: Any
    house_secret: Any
    next_roll: Any
    open_hash: Any
    signature: Any
    opened_at: Any
    sides: Any

    @property
    def key(self) -> str:
        """Its id as text."""


class DiceRefused(TableError):
    """A player's part in the dice does not fit: another game, too late, or not of their chain."""

    code = "dice_refused"


class Side(msgspec.Struct, kw_only=True):
    """One player's part in the dice, in hexadecimal. `value` is the tip (L) or commitment (K).

    `hidden` is the seed of a house bot until the opening, encrypted. `seen` is the last real
    element, the `depth`-th of the chain. A `silent` side has not answered last time and is not
    waited for until its client is there again.
    """

    value: str | None = None
    seed: str | None = None
    hidden: str | None = None
    seen: str | None = None
    depth: int = 0
    element: str | None = None
    silent: bool = False


def part_bytes(value: str) -> bytes:
    """32 bytes from 64 small hexadecimal digits. Raises `DiceRefused`."""
    if not HEXADECIMAL.fullmatch(value):
        raise DiceRefused("a part in the dice is 32 bytes in small hexadecimal digits")
    return bytes.fromhex(value)
