"""The conditions of every command: a seat, the turn, the phase, a running match."""

from games.table.errors import MatchOver, NotSeated, NotYourTurn, WrongPhase
from games.table.state import Game, Match, TableState


def seated(seat: int | None) -> int:
    """The author's seat. Raises `NotSeated`."""
    if seat is None:
        raise NotSeated("only the two players can do this")
    return seat


def on_turn(state: TableState, seat: int, *phases: str) -> Game:
    """The running game, if the table is in one of `phases` and `seat` owes the decision.

    Raises `MatchOver`, `NotYourTurn`, `WrongPhase`.
    """
    if state.phase in ("over", "closed"):
        raise MatchOver("the match is over")
    if state.decider is not None and state.decider != seat:
        raise NotYourTurn("the decision belongs to the other player")
    if state.phase not in phases or state.game is None:
        wanted = " or ".join(map(repr, phases))
        raise WrongPhase(f"this needs phase {wanted}, the table is in {state.phase!r}")
    return state.game


def running_match(state: TableState) -> Match:
    """The match that is being played. Raises `MatchOver`, `WrongPhase`."""
    if state.phase in ("over", "closed"):
        raise MatchOver("the match is over")
    if state.match is None:
        raise WrongPhase("no match has begun at this table")
    return state.match
