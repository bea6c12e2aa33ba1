"""Whether a seat may double, beaver, raccoon or resign now, and if not, why."""

from typing import Final

from backgammon.rules.cube import CubeMoment, CubeRefusal, double_refusal, may_beaver, may_raccoon
from backgammon.rules.match import MatchScore
from backgammon.rules.scoring import game_points, most_to_lose, resignation_levels
from games.table.errors import Reason
from games.table.opening import TURNS_BEFORE
from games.table.state import Game, TableState, other
from kit.events import remembers_last

#: how often the cube has been turned when a beaver and a raccoon may answer.
_TURNS: Final = {"beaver": 1, "raccoon": 2}
_REASONS: Final = {refusal: Reason(refusal.value) for refusal in CubeRefusal}


@remembers_last
def why_no_double(state: TableState, seat: int) -> Reason | None:
    """The reason why `seat`, on roll, may or might not double before this roll; None if it may."""
    game, terms = state.game, state.terms
    assert game is not None, "no game is running"
    if not terms.has_cube:
        return Reason.NO_CUBE
    score = state.score if terms.contest == "points" else None  # else it has no say
    moment = CubeMoment(
        cube=game.cube,
        has_cube=terms.has_cube,
        rolls=game.turns,
        is_crawford=game.crawford,
        is_post_crawford=score is not None and score.is_post_crawford and not game.crawford,
        points_needed=_points_needed(score),
        limit_points=terms.limit_points,
    )
    refusal = double_refusal(moment, seat, terms.cube_rules)
    return None if refusal is None else _REASONS[refusal]


def _points_needed(score: MatchScore | None) -> tuple[int, int] | None:
    if score is None:
        return None
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


def auto_roll_because(state: TableState) -> Reason | None:
    """Why the house rolled, or is rolling, for the player on roll; None if they rolled themselves.

    A roll that the rules of the variant add to a turn is not a roll instead of a double.
    """
    game = state.game
    if game is None or state.phase not in ("rolling", "play") or game.in_flow:
        return None
    if game.starter is None or _rolled_by_hand(state, game):
        return None
    return why_no_double(state, game.on_roll)


def _rolled_by_hand(state: TableState, game: Game) -> bool:
    """Whether this is the first roll of a match, which always needs a command."""
    begun = state.match is not None and state.match.setup is not None
    first = game.number == 1 and game.turns == (TURNS_BEFORE if begun else (0, 0))
    return first and not state.terms.start.rolls_off


def cube_answer_refusal(state: TableState, name: str) -> Reason | None:
    """Why the offer of the cube that is pending cannot be answered by a beaver or a raccoon."""
    game, terms = state.game, state.terms
    assert game is not None, "no game is running"
    if not (terms.beavers if name == "beaver" else terms.raccoons):
        return Reason.NOT_AGREED
    if game.cube_turns != _TURNS[name]:
        return Reason.NO_OFFER
    may_turn = may_beaver if name == "beaver" else may_raccoon
    is_match = terms.is_match
    return None if may_turn(game.cube, terms.cube_rules, is_match=is_match) else Reason.CAP


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
