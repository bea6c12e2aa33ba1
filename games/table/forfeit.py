"""The cost of leaving a table now, for the leaver and for previews."""

from games.rules.position import Position
from games.rules.scoring import leave_level, leave_points
from games.table.state import Game, TableState


def forfeit_points(state: TableState, loser: int) -> int:
    """The points at which a game that stands alone is lost by leaving; 0 in longer matches.

    The largest score still possible × cube; a double that waits for the leaver's answer is a drop
    at the cube's old value, and their own offer, if still unanswered, is void.
    """
    game = state.game
    if game is None or state.terms.contest != "game":
        return 0
    answers_double = state.phase == "double_offered" and state.decider == loser
    turns_before = max(0, game.cube_turns - 1) if answers_double else 0
    cube_value = game.cube.value << turns_before
    level = leave_level(
        state.variant,
        as_seen_by(state, game, loser),
        jacoby=state.terms.jacoby,
        double_taken=game.double_taken,
    )
    return leave_points(cube_value, level, answers_double=answers_double)


def as_seen_by(state: TableState, game: Game, seat: int) -> Position:
    """The board as this seat sees it."""
    return game.position if game.on_roll == seat else game.position.turned(state.variant.way)
