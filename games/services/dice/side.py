"""One side's contribution to the dice of a game: a player's, a house bot's, the house's chain."""

import re
import secrets
from functools import lru_cache
from typing import Any, Final, Protocol
from uuid import UUID

import msgspec
from django.utils.translation import gettext_noop as _

from backgammon.dice.chain import HOUSE, LENGTH, ROLES, VALUE_BYTES, steps
from backgammon.dice.opening import commitment, context_hash
from games.services.dice.keys import secret_show, seed_hide, seed_show
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
    sentence = _("The game has moved on. Please roll again.")


class DiceSide(msgspec.Struct, kw_only=True):
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


#: of a chain so many elements are kept in memory that each is at most so many steps away.
KEPT_EVERY: Final = 8


def house_element(game: DiceGame, index: int) -> bytes:
    """Element `index` (0 to 1024) of the house's chain of this game."""
    kept = _kept_of(game.id, bytes(game.house_secret))
    above = -(-index // KEPT_EVERY)
    return steps(game.id.bytes, HOUSE, kept[above], above * KEPT_EVERY - index)


@lru_cache(maxsize=4096)
def _kept_of(game_id: UUID, hidden: bytes) -> tuple[bytes, ...]:
    """Every eighth element from the tip, cached for recent games: 8 kB each instead of 65."""
    kept = [secret_show(game_id, hidden)]
    for _turn in range(LENGTH // KEPT_EVERY):
        kept.append(steps(game_id.bytes, HOUSE, kept[-1], KEPT_EVERY))
    return tuple(reversed(kept))


def bot_side(game: DiceGame, seat: int) -> DiceSide:
    """The side of a house bot in a game of mode K: committed to a fresh seed, which stays hidden.

    Needs the game's terms and the house's tip; the commitment contains both.
    """
    assert game.mode == "K", "house bots play without a stake"
    seed = secrets.token_bytes(VALUE_BYTES)
    ctx = context_hash(game.terms.encode())
    bound = commitment(game.id.bytes, ctx, ROLES[seat], bytes(game.house_tip), seed)
    return DiceSide(value=bound.hex(), hidden=seed_hide(game.id, ROLES[seat], seed).hex())


def bot_reveal(game: DiceGame, seat: int, side: DiceSide) -> None:
    """Show the seed of a house bot, as the opening has fixed all commitments."""
    if side.hidden is not None:
        seed = seed_show(game.id, ROLES[seat], bytes.fromhex(side.hidden))
        side.seed, side.hidden = seed.hex(), None
