"""The levels at which a game may be given up now, and why not at the others."""

from backgammon.rules.scoring import game_points, most_to_lose, resignation_levels
from games.table.reasons import Reason
from games.table.remembering import remembers_last
from games.table.state import Game, TableState, other

_NO_LEVELS: dict[int, Reason] = {}


@remembers_last
def resignable_levels(state: TableState) -> tuple[int, ...]:
    """The levels the player on roll may offer to resign at now, ascending.

    The last one cannot be refused: no level gives the opponent more.
    """
    game = state.game
    if game is None or state.phase not in ("roll", "play") or state.before_first_roll:
        return ()
    return resignation_levels(
        state.variant,
        game.position,
        refused_level=game.refused_level,
        jacoby=state.terms.jacoby,
        double_taken=game.double_taken,
        decides=lambda level: _decides(state, game, level),
    )


def _decides(state: TableState, game: Game, level: int) -> bool:
    """Return True if this level wins the opponent the match, or reaches a game's limit."""
    points, limit = game_points(game.cube.value, level), state.terms.limit_points
    if state.terms.is_match:
        opponent = other(game.on_roll)
        return state.score.after(opponent, points).winner == opponent
    return limit is not None and points >= limit


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
    if level > most_to_lose(state.variant, game.position):
        return Reason.OUT_OF_REACH
    jacoby = state.terms.jacoby and not game.double_taken
    return Reason.JACOBY if jacoby else Reason.DECIDED
