"""The choices of a seat on turn: its plays, doubles and resignations, and if there are none, why.

The legal plays of a roll are found once for all callers.
"""

from contextlib import suppress
from typing import Final

from backgammon.rules.cube import CubeMoment, CubeRefusal, double_refusal, may_beaver, may_raccoon
from backgammon.rules.plays import LegalPlays
from backgammon.rules.position import Position
from backgammon.rules.scoring import game_points, most_to_lose, resignation_levels
from backgammon.rules.variant import Options
from backgammon.rules.variants import by_key
from games.modes.terms import MATCHES, cube_rules_of, limit_points_of, options_of
from games.table.errors import Reason
from games.table.opening import TURNS_BEFORE
from games.table.state import Flow, Game, TableState, other
from kit.events import remembers_last

_Roll = tuple[str, Position, tuple[int, ...], bool, Options]

#: more tables than a process serves at once; a few kB each.
_ROLLS_MAX: Final = 2048

_found: dict[_Roll, LegalPlays] = {}


def legal_plays(state: TableState, game: Game, dice: tuple[int, ...]) -> LegalPlays:
    """The legal plays of `dice` for the player on roll, by the rules of this table."""
    roll = _roll(state, game, dice)
    plays = _found.get(roll)
    if plays is None:
        variant, position, _, first_turn, options = roll
        plays = by_key(variant).plays_from(position, dice, first_turn=first_turn, options=options)
        if len(_found) >= _ROLLS_MAX:
            with suppress(RuntimeError, StopIteration):  # another thread may do so just now
                _found.pop(next(iter(_found)), None)
        _found[roll] = plays
    return plays


def forget_plays(state: TableState) -> None:
    """Free the plays of the roll that lies on this table: it has been played, here or elsewhere.

    They are hundreds of small objects, and a search for garbage goes through all that are kept.
    """
    game = state.game
    if game is not None and game.dice is not None:
        _found.pop(_roll(state, game, game.dice), None)


def _roll(state: TableState, game: Game, dice: tuple[int, ...]) -> _Roll:
    first_turn = game.turns[game.on_roll] == 0
    return state.variant.key, game.position, dice, first_turn, options_of(state.terms)


TURN_OVER = Flow()


def flow_after(
    state: TableState,
    game: Game,
    dice: tuple[int, ...],
    moves: tuple[tuple[int, int, int], ...],
) -> Flow:
    """The rest of the turn of the player on roll after these moves; `TURN_OVER` if none.

    Each part needs everything before it to have been played in full.
    """
    rules = state.variant
    if len(moves) < len(rules.single_dice(dice)):
        return TURN_OVER
    if game.flow != TURN_OVER:
        return game.flow
    if game.in_flow:
        return TURN_OVER
    given = rules.flow(
        dice,
        all_played=True,
        own_turns_before=game.turns[game.on_roll],
        options=options_of(state.terms),
    )
    return Flow(rolls=given.rolls, choose_double=given.choose_double, roll_again=given.roll_again)


# --- the cube and resignations ---------------------------------------------------------------

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
        points_needed=None if score is None else score.both_need,
        limit_points=limit_points_of(terms),
    )
    refusal = double_refusal(moment, seat, cube_rules_of(terms))
    return None if refusal is None else _REASONS[refusal]


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
    game, match = state.game, state.match
    if game is None or state.phase not in ("rolling", "play") or game.in_flow:
        return None
    if game.starter is None:
        return None
    before = TURNS_BEFORE if match is not None and match.setup is not None else (0, 0)
    if game.number == 1 and game.turns == before and not state.terms.start.rolls_off:
        return None  # the first roll of a match always needs a command
    return why_no_double(state, game.on_roll)


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
    return None if may_turn(game.cube, cube_rules_of(terms), is_match=is_match) else Reason.CAP


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
    points, limit = game_points(game.cube.value, level), limit_points_of(state.terms)
    if state.terms.contest in MATCHES:
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
