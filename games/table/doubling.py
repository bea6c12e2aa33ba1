"""Whether a seat may double now, and if not, why."""

from games.rules.cube import CubeMoment, CubeRefusal, CubeRules, double_refusal
from games.table.state import TableState


def why_no_double(state: TableState, seat: int) -> CubeRefusal | None:
    """The reason why `seat`, being on roll before his dice, may not double; None if he may."""
    match, game, target = state.match, state.game, state.terms.target_points
    assert match is not None, "there is no match"
    assert game is not None, "no game is running"
    moment = CubeMoment(
        cube=game.cube,
        has_cube=state.terms.has_cube,
        rolls=game.turns,
        is_crawford=game.crawford,
        points_needed=(target - match.score[0], target - match.score[1]),
    )
    return double_refusal(moment, seat, CubeRules(crawford=state.terms.crawford))


def rolls_by_itself(state: TableState) -> bool:
    """Whether the next roll needs no decision: the turn has begun and no double is possible.

    The first roll of a match is always asked for: until it falls both may stand up unharmed.
    """
    if state.phase != "roll" or state.before_first_roll:
        return False
    assert state.game is not None, "no game is running"
    return why_no_double(state, state.game.on_roll) is not None
