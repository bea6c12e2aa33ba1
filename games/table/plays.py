"""The legal plays of a game's present roll, found once for all callers."""

from functools import lru_cache

from games.rules.options import Options
from games.rules.plays import LegalPlays
from games.rules.position import Position
from games.rules.variants import by_key
from games.table.state import Game, TableState


def legal_plays(state: TableState, game: Game, dice: tuple[int, ...]) -> LegalPlays:
    """The legal plays of `dice` for the player on roll, by the rules of this table."""
    first_turn = game.turns[game.on_roll] == 0
    return _legal_plays(state.variant.key, game.position, dice, first_turn, state.terms.options)


@lru_cache(maxsize=2048)  # more tables than a process serves at once; a few kB each
def _legal_plays(
    variant: str, position: Position, dice: tuple[int, ...], first_turn: bool, options: Options
) -> LegalPlays:
    return by_key(variant).plays_from(position, dice, first_turn=first_turn, options=options)
