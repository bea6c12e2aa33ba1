"""The end of a game, and the cost of leaving a table now, for the leaver and for previews."""

from backgammon.rules.position import Position
from backgammon.rules.scoring import game_points, leave_level, leave_points
from games.modes.terms import Terms
from games.table import events as ev
from games.table.state import Game, TableState


def forfeit_points(state: TableState, loser: int) -> int:
    """The points at which a game that stands alone is lost by leaving; 0 in longer matches."""
    game = state.game
    if game is None or state.terms.is_match:
        return 0
    level = leave_level(
        state.variant,
        as_seen_by(state, game, loser),
        jacoby=state.terms.jacoby,
        double_taken=game.double_taken,
    )
    answers = state.phase == "double_offered" and state.decider == loser
    turns = game.cube_turns if answers else 0
    return forfeited_points(state.terms, game.cube.value, level, answered_turns=turns)


def forfeited_points(terms: Terms, cube_value: int, level: int, *, answered_turns: int) -> int:
    """The points of a forfeit at the largest `level` that still counts; 0 in longer matches.

    The largest score still possible × cube. If the leaver owes an answer to the cube, which has
    been turned `answered_turns` times, leaving is a drop at the value before the last turn. The
    leaver's own offer, if still unanswered, is void.
    """
    if terms.is_match:
        return 0
    value = cube_value << max(0, answered_turns - 1)
    return leave_points(value, level, answers_double=answered_turns > 0)


def as_seen_by(state: TableState, game: Game, seat: int) -> Position:
    """The board as this seat sees it."""
    return game.position if game.on_roll == seat else game.position.turned(state.variant.way)


def game_ended(
    state: TableState, winner: int | None, level: int, cube: int, ending: str, now_ms: int
) -> ev.GameEnded:
    """The end of the running game at this level and cube; a draw (no winner) has no points."""
    points = 0 if winner is None else game_points(cube, level)
    return ev.GameEnded(
        at_ms=now_ms,
        winner=winner,
        points=points,
        level=level,
        cube=cube,
        ending=ending,
        score=state.score.after(winner, points).points,
    )
