"""The house's chain of a game: hidden in the database, walked in memory."""

from functools import lru_cache
from typing import Final
from uuid import UUID

from backgammon.dice.chain import HOUSE, LENGTH, steps
from games.services.dice.keys import secret_show
from games.services.dice.side import DiceGame

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
    for _ in range(LENGTH // KEPT_EVERY):
        kept.append(steps(game_id.bytes, HOUSE, kept[-1], KEPT_EVERY))
    return tuple(reversed(kept))
