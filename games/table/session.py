"""Sessions: games by the point from bank to bank, until a player stops or a bank is short.

Both banks lie in the escrow of one match. A game starts only if both are ready and each bank covers
the most that it can cost, so no game is ever paid in part.
"""

from backgammon.rules.scoring import leave_level
from games.prizes import PrizeEnding, PrizeResult
from games.table import events as ev
from games.table.evolve import evolve
from games.table.forfeit import as_seen_by, forfeit_points, game_ended
from games.table.rights import permit
from games.table.stakes import banks_of
from games.table.state import TableState, other, running_match

Events = tuple[ev.Event, ...]


def result_of(state: TableState) -> PrizeResult:
    """The result of the match that has ended here, as its payout needs it."""
    assert state.match is not None, "a match has ended"
    ended = state.match.result
    assert ended is not None, "a match has ended"
    return PrizeResult(ended.winner, PrizeEnding(ended.ending), ended.points, state.match.games)


def stop(state: TableState, now_ms: int, seat: int) -> Events:
    """End the session between two games. Raises `MatchOver`, `WrongPhase`."""
    permit(state, seat, "stop")
    return (ev.PlayerStopped(at_ms=now_ms, seat=seat), ended(state, "stopped", now_ms))


def after_game(state: TableState, over: ev.GameEnded) -> Events:
    """The end of a game, and of the session if a bank does not cover another one."""
    after = evolve(state, over)
    banks = banks_of(after)
    assert banks is not None, "a session has banks"
    if banks.cover(state.terms.limit_cents):
        return (over,)
    return (over, ended(after, "bank_short", over.at_ms))


def game_lost(state: TableState, ending: str, now_ms: int, loser: int) -> Events:
    """A forfeit: the running game is lost at its largest score, and the session ends.

    Between two games nothing is lost.
    """
    points = forfeit_points(state, loser)
    if state.phase == "between_games" or not points:
        return (ended(state, ending, now_ms),)
    return _last_game(state, other(loser), *_worth(state, loser, points), ending, now_ms)


def adjudicated(
    state: TableState, winner: int | None, level: int, cube: int, now_ms: int
) -> Events:
    """The session ends with the running game as administrators decide; level 0: none is running."""
    if not level:
        return (ended(state, "adjudicated", now_ms),)
    return _last_game(state, winner, level, cube, "adjudicated", now_ms)


def ended(state: TableState, ending: str, now_ms: int) -> ev.MatchEnded:
    """The end of the session as it stands; the winner is the seat that has more left."""
    banks = banks_of(state)
    assert banks is not None, "a session has banks"
    score = running_match(state).score
    return ev.MatchEnded(at_ms=now_ms, winner=banks.leader, ending=ending, score=score)


def _worth(state: TableState, loser: int, points: int) -> tuple[int, int]:
    """The level and the cube that make these points of a forfeit."""
    assert state.game is not None, "a game is running"
    answers_double = state.phase == "double_offered" and state.decider == loser
    if answers_double:
        return 1, points
    level = leave_level(
        state.variant,
        as_seen_by(state, state.game, loser),
        jacoby=state.terms.jacoby,
        double_taken=state.game.double_taken,
    )
    return level, points // level


def _last_game(
    state: TableState, winner: int | None, level: int, cube: int, ending: str, now_ms: int
) -> Events:
    over = game_ended(state, winner, level, cube, ending, now_ms)
    return (over, ended(evolve(state, over), ending, now_ms))
