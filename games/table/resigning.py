"""The levels at which a game may be given up now, and why not at the others."""

from games.rules.scoring import leave_level, most_to_lose, resignation_levels
from games.table.reasons import Reason
from games.table.remembering import remembers_last
from games.table.state import Game, TableState

_NO_LEVELS: dict[int, Reason] = {}


def highest_resignation(state: TableState, game: Game) -> int:
    """The highest level the player on roll could still lose by, and so the most they can offer."""
    return leave_level(
        state.variant,
        game.position,
        jacoby=state.terms.jacoby,
        double_taken=game.double_taken,
    )


@remembers_last
def resignable_levels(state: TableState) -> tuple[int, ...]:
    """The levels the player on roll may offer to resign at now, ascending."""
    game = state.game
    if game is None or state.phase not in ("roll", "play") or state.before_first_roll:
        return ()
    return resignation_levels(
        state.variant,
        game.position,
        refused_level=game.refused_level,
        jacoby=state.terms.jacoby,
        double_taken=game.double_taken,
    )


def refused_levels(state: TableState) -> dict[int, Reason]:
    """Why the player on roll may not resign at the variant's other levels; empty off their turn."""
    game, offered = state.game, resignable_levels(state)
    if game is None or not offered:
        return _NO_LEVELS
    levels = state.variant.levels
    if len(offered) == len(levels):
        return _NO_LEVELS
    return {level: why_not_at(state, game, level) for level in levels if level not in offered}


def why_not_at(state: TableState, game: Game, level: int) -> Reason:
    """Why a resignation at this level, which is not among the resignable ones, is refused."""
    if state.before_first_roll:
        return Reason.BEFORE_FIRST_ROLL
    if level not in state.variant.levels:
        return Reason.NO_SUCH_LEVEL
    if level <= game.refused_level:
        return Reason.REFUSED_LEVEL
    possible = most_to_lose(state.variant, game.position)
    return Reason.JACOBY if level <= possible else Reason.OUT_OF_REACH
