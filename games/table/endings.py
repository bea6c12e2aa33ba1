"""The event that ends a game."""

from backgammon.rules.scoring import game_points
from games.table import events as ev
from games.table.state import TableState


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
