"""The cube and resignations: what is offered, and how it may be answered."""

from backgammon.rules.cube import points_for_dropping
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import MayNotResign
from games.table.evolve import evolve
from games.table.gameplay import Events, end_game
from games.table.offerable import offered_value, resignable_levels, why_not_at
from games.table.rights import permit
from games.table.state import Game, TableState, other, running_game


def double(state: TableState, now_ms: int, seat: int) -> Events:
    """Offer a double. Raises `MayNotDouble` with the reason."""
    permit(state, seat, "double")
    game = running_game(state)
    return (ev.DoubleOffered(at_ms=now_ms, seat=seat, value=2 * game.cube.value),)


def answer_double(
    state: TableState, command: cmd.Take | cmd.Drop, now_ms: int, seat: int
) -> Events:
    """Take or drop a double, a beaver or a raccoon; dropping costs the value before its last turn.

    Taking a beaver does not move the cube: it stays with the player who was offered the double.
    """
    permit(state, seat, "take" if isinstance(command, cmd.Take) else "drop")
    game = running_game(state)
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
    name = "beaver" if isinstance(command, cmd.Beaver) else "raccoon"
    permit(state, seat, name)
    game = running_game(state)
    event = ev.Beavered if name == "beaver" else ev.Raccooned
    return (event(at_ms=now_ms, seat=seat, value=2 * offered_value(game)),)


def offer_resignation(state: TableState, level: int, now_ms: int, seat: int) -> Events:
    """Offer to give up the game at a level; the highest possible one is accepted at once.

    Raises `MayNotResign`.
    """
    permit(state, seat, "offer_resignation")
    game = running_game(state)
    if level not in resignable_levels(state):
        reason = why_not_at(state, game, level)
        raise MayNotResign(f"no resignation at level {level} now: {reason}", reason=reason)
    offered = ev.ResignationOffered(at_ms=now_ms, seat=seat, level=level)
    if level < resignable_levels(state)[-1]:
        return (offered,)
    # no level gives more, so there is no reason to refuse
    return (offered, *_accept(evolve(state, offered), level, now_ms, other(seat)))


def answer_resignation(
    state: TableState,
    command: cmd.AcceptResignation | cmd.RefuseResignation,
    now_ms: int,
    seat: int,
) -> Events:
    """Accept the resignation offered, or refuse it and play on."""
    refuses = isinstance(command, cmd.RefuseResignation)
    permit(state, seat, "refuse_resignation" if refuses else "accept_resignation")
    game = running_game(state)
    assert game.resignation is not None
    level = game.resignation.level
    if refuses:
        return (ev.ResignationRefused(at_ms=now_ms, seat=seat, level=level),)
    return _accept(state, level, now_ms, seat)


def _accept(state: TableState, level: int, now_ms: int, seat: int) -> Events:
    accepted = ev.ResignationAccepted(at_ms=now_ms, seat=seat, level=level)
    return (accepted, *end_game(state, seat, level, "resigned", now_ms))
