"""The cube and resignations: what is offered, and how it may be answered."""

from games.rules.cube import points_for_dropping
from games.table import commands as cmd
from games.table import events as ev
from games.table.actions import highest_resignation, resignable_levels
from games.table.doubling import cube_answers, offered_value, why_no_double
from games.table.errors import MayNotDouble, MayNotResign
from games.table.evolve import evolve
from games.table.gameplay import Events, end_game
from games.table.guards import on_turn
from games.table.state import Game, TableState, other


def double(state: TableState, now_ms: int, seat: int) -> Events:
    """Offer a double. Raises `MayNotDouble` with the reason."""
    game = on_turn(state, seat, "roll")
    reason = why_no_double(state, seat)
    if reason is not None:
        raise MayNotDouble(f"you may not double now: {reason.value}", reason=reason.value)
    return (ev.DoubleOffered(at_ms=now_ms, seat=seat, value=2 * game.cube.value),)


def answer_double(
    state: TableState, command: cmd.Take | cmd.Drop, now_ms: int, seat: int
) -> Events:
    """Take or drop a double, a beaver or a raccoon; dropping costs the value before its last turn.

    Taking a beaver does not move the cube: it stays with the player who was offered the double.
    """
    game = on_turn(state, seat, "double_offered")
    value = offered_value(game)
    if isinstance(command, cmd.Take):
        return (ev.DoubleTaken(at_ms=now_ms, seat=seat, value=value),)
    dropped = ev.DoubleDropped(at_ms=now_ms, seat=seat, value=value)
    return (dropped, *_dropped(state, game, seat, now_ms))


def _dropped(state: TableState, game: Game, seat: int, now_ms: int) -> Events:
    cost = points_for_dropping(game.cube, turns=game.cube_turns)
    return end_game(state, other(seat), 1, "double_dropped", now_ms, cube_value=cost)


def turn_again(
    state: TableState, command: cmd.Beaver | cmd.Raccoon, now_ms: int, seat: int
) -> Events:
    """Answer by turning the cube once more. Raises `MayNotDouble` if not allowed."""
    game = on_turn(state, seat, "double_offered")
    name = "beaver" if isinstance(command, cmd.Beaver) else "raccoon"
    if name not in cube_answers(state):
        raise MayNotDouble(f"a {name} is not possible now", reason="not_offered")
    event = ev.Beavered if name == "beaver" else ev.Raccooned
    return (event(at_ms=now_ms, seat=seat, value=2 * offered_value(game)),)


def offer_resignation(state: TableState, level: int, now_ms: int, seat: int) -> Events:
    """Offer to give up the game at a level; the highest possible one is accepted at once.

    Raises `MayNotResign`.
    """
    game = on_turn(state, seat, "roll", "play")
    if level not in resignable_levels(state):
        raise MayNotResign(f"a resignation at level {level} cannot be offered now")
    offered = ev.ResignationOffered(at_ms=now_ms, seat=seat, level=level)
    if level < highest_resignation(state, game):
        return (offered,)
    # no higher level is possible, so there is no reason to refuse
    return (offered, *_accept(evolve(state, offered), level, now_ms, other(seat)))


def answer_resignation(
    state: TableState,
    command: cmd.AcceptResignation | cmd.RefuseResignation,
    now_ms: int,
    seat: int,
) -> Events:
    """Accept the resignation offered, or refuse it and play on."""
    game = on_turn(state, seat, "resignation_offered")
    assert game.resignation is not None
    level = game.resignation.level
    if isinstance(command, cmd.RefuseResignation):
        return (ev.ResignationRefused(at_ms=now_ms, seat=seat, level=level),)
    return _accept(state, level, now_ms, seat)


def _accept(state: TableState, level: int, now_ms: int, seat: int) -> Events:
    accepted = ev.ResignationAccepted(at_ms=now_ms, seat=seat, level=level)
    return (accepted, *end_game(state, seat, level, "resigned", now_ms))
