"""Whether a seat may double now, and if not, why."""

from games.rules.cube import Refusal, refusal
from games.table.state import Game, TableState


def points_needed(state: TableState, seat: int) -> int:
    """How many points this seat still needs to win the match."""
    assert state.match is not None
    return state.terms.target_points - state.match.score[seat]


def why_no_double(state: TableState, seat: int) -> Refusal | None:
    """The reason why `seat`, being on roll before his dice, may not double; None if he may."""
    game = _running_game(state)
    return refusal(
        game.cube,
        seat,
        has_cube=state.terms.has_cube,
        first_turn=game.turns == (0, 0),
        crawford=game.crawford,
        points_needed=points_needed(state, seat),
    )


def rolls_by_itself(state: TableState) -> bool:
    """Whether the next roll needs no decision: the turn has begun and no double is possible.

    The first roll of a match is always asked for: until it falls both may stand up unharmed.
    """
    if state.phase != "roll" or state.before_first_roll:
        return False
    return why_no_double(state, _running_game(state).on_roll) is not None


def _running_game(state: TableState) -> Game:
    assert state.game is not None, "no game is running"
    return state.game
