"""Whether a seat may double now, and if not, why."""

from typing import Final

from games.rules.cube import CubeMoment, CubeRefusal, double_refusal, may_beaver, may_raccoon
from games.table.remembering import remembers_last
from games.table.state import Game, TableState

#: how often the cube has been turned when a beaver and a raccoon may answer.
_TURNS: Final = {"beaver": 1, "raccoon": 2}


@remembers_last
def why_no_double(state: TableState, seat: int) -> CubeRefusal | None:
    """The reason why `seat`, on roll before its dice, may not double; None if it may."""
    game, terms = state.game, state.terms
    assert game is not None, "no game is running"
    moment = CubeMoment(
        cube=game.cube,
        has_cube=terms.has_cube,
        rolls=game.turns,
        is_crawford=game.crawford,
        is_post_crawford=state.score.is_post_crawford and not game.crawford,
        points_needed=_points_needed(state),
        limit_points=terms.limit_points,
    )
    return double_refusal(moment, seat, terms.cube_rules)


def _points_needed(state: TableState) -> tuple[int, int] | None:
    score = state.score
    needed = (score.points_needed(0), score.points_needed(1))
    return None if needed[0] is None or needed[1] is None else (needed[0], needed[1])


def rolls_by_itself(state: TableState) -> bool:
    """Whether the next roll needs no decision: the turn has begun and no double is possible.

    The first roll of a match always needs a command: until then both may stand up at no cost.
    """
    if state.before_first_roll or state.phase not in ("roll", "roll_off"):
        return False
    if state.phase == "roll_off":
        return True
    assert state.game is not None, "no game is running"
    return why_no_double(state, state.game.on_roll) is not None


def offered_value(game: Game) -> int:
    """The value of the cube if the pending offer were taken."""
    return game.cube.value << game.cube_turns


def cube_answers(state: TableState) -> tuple[str, ...]:
    """The possible answers to the pending offer of the cube, besides take and drop."""
    game, rules = state.game, state.terms.cube_rules
    assert game is not None
    is_match = state.terms.contest != "game"
    if game.cube_turns == _TURNS["beaver"] and may_beaver(game.cube, rules, is_match=is_match):
        return ("beaver",)
    if game.cube_turns == _TURNS["raccoon"] and may_raccoon(game.cube, rules, is_match=is_match):
        return ("raccoon",)
    return ()
