"""A match step by step: the position after every event that shows on the board."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from backgammon.rules.errors import NotationError
from backgammon.rules.position import Position, Way
from backgammon.rules.position_id import format_position_id
from backgammon.rules.variant import Variant
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Offer, Xgid
from games.modes.terms import Terms
from games.table import events as ev
from games.table.evolve import evolve
from games.table.state import TableState
from games.table.turn import offered_value
from games.table.view import board_view

Step = dict[str, Any]

TOLD: Final = (
    ev.GameStarted
    | ev.RolledOff
    | ev.DiceRolled
    | ev.PlayMade
    | ev.DoubleOffered
    | ev.Beavered
    | ev.Raccooned
    | ev.DoubleTaken
    | ev.DoubleDropped
    | ev.ResignationOffered
    | ev.ResignationAccepted
    | ev.ResignationRefused
    | ev.GameEnded
)
"""The events a replay stops at."""


def steps(events: Iterable[ev.Event], *, terms: Terms, seats: tuple[int, int]) -> list[Step]:
    """One step for every event of `TOLD` in one match, whose first event is its `MatchStarted`.

    A step is the event's fields with its `type`, and under `view` what the board shows after it,
    in the words of the table's view: `board` in seat 0's numbering with the `way` and `capture` of
    the game's variant, `pips`, `dice` on the board, `cube`, `last_play`, `position_id` and `xgid`
    (None where the variant has none; X of the XGID is seat 0), `phase`, `on_roll`, `decider`,
    `game`, `crawford`, `score`.
    """
    state = TableState(phase="open", terms=terms, seats=seats)
    told = []
    for event in events:
        state = evolve(state, event)
        if isinstance(event, TOLD):
            told.append({**msgspec.to_builtins(event), "view": _shown(state)})
    return told


def _shown(state: TableState) -> Step:
    match, game = state.match, state.game
    assert match is not None, "a step belongs to a match"
    assert game is not None, "a step belongs to a game"
    position = game.position
    if game.on_roll != 0:
        position = position.turned(state.variant.way)
    return {
        "game": game.number,
        "way": state.variant.way.value,
        "capture": state.variant.movement.capture,
        "crawford": game.crawford,
        "score": list(match.score),
        "phase": state.phase,
        "on_roll": game.on_roll,
        "decider": state.decider,
        "board": msgspec.to_builtins(board_view(position)),
        "position_id": _position_id(state),
        "xgid": _xgid(state, position),
        "pips": list(position.pips(state.variant.way)),
        "dice": list(game.dice) if game.dice else None,
        "cube": {
            "value": game.cube.value,
            "owner": game.cube.owner,
            "offered_by": game.double_offered_by,
            "offered_value": offered_value(game) if game.cube_turns else None,
        },
        "last_play": msgspec.to_builtins(game.last_play) if game.last_play else None,
    }


def _position_id(state: TableState) -> str | None:
    """The GNU Position ID in the view of the player on roll."""
    assert state.game is not None, "a step belongs to a game"
    if not _is_written(state.variant):
        return None
    try:
        return format_position_id(state.game.position)
    except NotationError:
        return None


def _is_written(variant: Variant) -> bool:
    """Whether other programs can read its positions: both move against each other and hit."""
    return variant.way is Way.AGAINST and variant.movement.capture == "hit"


def _xgid(state: TableState, position: Position) -> str | None:
    """The XGID of a position in seat 0's numbering; None where it cannot be written.

    That is also while a beaver or a raccoon waits for its answer.
    """
    game, terms = state.game, state.terms
    assert game is not None, "a step belongs to a game"
    assert state.match is not None, "a step belongs to a match"
    if not _is_written(state.variant) or game.cube_turns > 1:
        return None
    offerer, length = game.double_offered_by, terms.target_points
    is_match = terms.contest == "points"
    try:
        return Xgid(
            position=position,
            cube_value=game.cube.value,
            cube_owner=game.cube.owner,
            turn=game.on_roll if offerer is None else offerer,
            dice=(game.dice[0], game.dice[1]) if game.dice and offerer is None else None,
            offer=None if offerer is None else Offer.DOUBLE,
            score=state.match.score if is_match else (0, 0),
            length=length if is_match else 0,
            crawford=is_match and game.crawford,
            jacoby=terms.jacoby and not is_match,
            beavers=terms.beavers and not is_match,
            cube_cap=terms.cube_cap if terms.has_cube else 1,
        ).text()
    except NotationError:
        return None


def setting(terms: Terms) -> Step:
    """The data for the board that stays the same from step to step."""
    variant = by_key(terms.variant)
    return {
        "way": variant.way.value,
        "capture": variant.movement.capture,
        "has_cube": terms.has_cube,
    }
