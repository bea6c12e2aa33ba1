"""The conditions of commands beside the rights of a seat: a seat at all, a running match."""

from games.table.errors import MatchOver, NotSeated, WrongPhase
from games.table.state import Game, Match, TableState


def seated(seat: int | None) -> int:
    """The author's seat. Raises `NotSeated`."""
    if seat is None:
        raise NotSeated("only the two players can do this")
    return seat


def running_game(state: TableState) -> Game:
    """The game that is being played, for a command that the table permits only during one."""
    assert state.game is not None, "no game is running"
    return state.game


def running_match(state: TableState) -> Match:
    """The match that is being played. Raises `MatchOver`, `WrongPhase`."""
    if state.phase in ("over", "closed"):
        raise MatchOver("the match is over")
    if state.match is None:
        raise WrongPhase("no match has begun at this table")
    return state.match
