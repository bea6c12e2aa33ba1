"""The legal plays of a game's present roll, found once for all callers, and what follows them."""

from contextlib import suppress
from typing import Final

from backgammon.rules.plays import LegalPlays
from backgammon.rules.position import Position
from backgammon.rules.variant import Options
from backgammon.rules.variants import by_key
from games.table.state import Flow, Game, TableState

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
        _keep(roll, plays)
    return plays


def _keep(roll: _Roll, plays: LegalPlays) -> None:
    if len(_found) >= _ROLLS_MAX:
        with suppress(RuntimeError, StopIteration):  # another thread may do so at the same moment
            _found.pop(next(iter(_found)), None)
    _found[roll] = plays


def forget_plays(state: TableState) -> None:
    """Free the plays of the roll that lies on this table: it has been played, here or elsewhere.

    They are hundreds of small objects, and a search for garbage goes through all that are kept.
    """
    game = state.game
    if game is not None and game.dice is not None:
        _found.pop(_roll(state, game, game.dice), None)


def _roll(state: TableState, game: Game, dice: tuple[int, ...]) -> _Roll:
    first_turn = game.turns[game.on_roll] == 0
    return state.variant.key, game.position, dice, first_turn, state.terms.options


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
        options=state.terms.options,
    )
    return Flow(rolls=given.rolls, choose_double=given.choose_double, roll_again=given.roll_again)
