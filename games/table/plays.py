"""The legal plays of a game's present roll, found once for all callers."""

from functools import lru_cache

from games.rules.plays import LegalPlays
from games.rules.position import Position
from games.rules.variants import by_key
from games.table.state import Game


def legal_plays(variant: str, game: Game, dice: tuple[int, ...]) -> LegalPlays:
    """The legal plays of `dice` for the player on roll."""
    return _legal_plays(variant, game.position, dice, game.turns[game.on_roll] == 0)


@lru_cache(maxsize=2048)  # more tables than a process serves at once; a few kB each
def _legal_plays(
    variant: str, position: Position, dice: tuple[int, ...], first_turn: bool
) -> LegalPlays:
    return by_key(variant).plays_from(position, dice, first_turn=first_turn)
