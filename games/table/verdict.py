"""The verdicts administrators may give a running match: every result that is still possible."""

from typing import Final

import msgspec

from backgammon.rules.scoring import leave_level
from games.prizes import PrizeEnding, PrizeResult
from games.table.errors import ImpossibleResult
from games.table.evolve import evolve
from games.table.forfeit import as_seen_by, forfeit_points
from games.table.session import adjudicated, result_of
from games.table.stakes import banks_of
from games.table.state import Game, TableState, other, running_match

SEATS: Final = (0, 1)


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a match as administrators set it: its winner (None: a tie) and its score.

    `level` and `cube` belong to a game that stands alone and make its points; else they are 0.
    """

    winner: int | None
    score: tuple[int, int]
    level: int = 0
    cube: int = 0

    @property
    def points(self) -> int:
        """The worth of a game that stands alone."""
        return self.level * self.cube


def possible_verdicts(state: TableState) -> tuple[Verdict, ...]:
    """Every result the running match can still have, those of seat 0 first.

    A game that stands alone: level and cube as the board and the cube allow. A session: the same
    for the running game, with which it ends; between two games it ends as it stands. A match to a
    number of points: the winner at that number, the other anywhere on the way. A number of games:
    every score they can still lead to, a tie as well. A drawn game is none of them: it pays what
    voiding pays. Raises `MatchOver`, `WrongPhase`.
    """
    running_match(state)
    if state.may_stop:
        return (_as_it_stands(state),)
    if not state.terms.is_match:
        return tuple(verdict for winner in SEATS for verdict in _of_a_game(state, winner))
    if state.terms.contest == "points":
        return tuple(verdict for winner in SEATS for verdict in _of_points(state, winner))
    return tuple(sorted(_of_games(state), key=_order))


def verdict_of(
    state: TableState, winner: int | None, score: tuple[int, int] | None, level: int, cube: int
) -> Verdict:
    """The verdict that these fields name; without a score and a level the largest one.

    Raises `ImpossibleResult`, `MatchOver`, `WrongPhase`.
    """
    running = running_match(state)
    stands = state.may_stop
    if not stands and winner in SEATS and score is None and not level and not cube:
        assert winner is not None
        return _largest(state, winner, running.score)
    for verdict in possible_verdicts(state):
        worth = (verdict.winner, verdict.level, verdict.cube)
        named = verdict.score if score is None and (verdict.level or stands) else score
        if (winner, level, cube) == worth and named == verdict.score:
            return verdict
    raise ImpossibleResult(
        f"winner {winner}, score {score}, level {level}, cube {cube} is no possible result now"
    )


def adjudged(state: TableState, verdict: Verdict) -> PrizeResult:
    """The result the running match has with this verdict."""
    if not state.is_session:
        return PrizeResult(verdict.winner, PrizeEnding.ADJUDICATED, verdict.points)
    for event in adjudicated(state, verdict.winner, verdict.level, verdict.cube, now_ms=0):
        state = evolve(state, event)
    return result_of(state)


def _largest(state: TableState, winner: int, score: tuple[int, int]) -> Verdict:
    """The verdict equal to leaving the table; a match keeps the score as it is."""
    points = forfeit_points(state, other(winner))
    if not points:
        return Verdict(winner=winner, score=score)
    largest = max(
        (verdict for verdict in _of_a_game(state, winner) if verdict.points == points),
        key=lambda verdict: verdict.level,
    )
    return msgspec.structs.replace(largest, score=score)


def _as_it_stands(state: TableState) -> Verdict:
    """The end of a session between two games."""
    banks = banks_of(state)
    assert banks is not None, "a session has banks"
    return Verdict(winner=banks.leader, score=running_match(state).score)


def _of_a_game(state: TableState, winner: int) -> list[Verdict]:
    """By the level and the cube; a double that waits may be dropped, taken, or let go."""
    game, loser = state.game, other(winner)
    assert game is not None, "a match that runs has a game"
    value, most = game.cube.value, _most(state, game, loser, taken=game.double_taken)
    if state.phase == "double_offered" and state.decider == loser:
        value, most = value << max(0, game.cube_turns - 1), 1
    worth = [(level, value) for level in state.variant.levels if level <= most]
    if game.cube_turns:
        most = _most(state, game, loser, taken=True)
        taken = game.cube.value << game.cube_turns
        worth += [(level, taken) for level in state.variant.levels if level <= most]
    return [
        Verdict(
            winner=winner,
            score=state.score.after(winner, level * cube).points,
            level=level,
            cube=cube,
        )
        for level, cube in worth
    ]


def _most(state: TableState, game: Game, loser: int, *, taken: bool) -> int:
    """The largest level this seat can still lose the game at."""
    return leave_level(
        state.variant,
        as_seen_by(state, game, loser),
        jacoby=state.terms.jacoby,
        double_taken=taken,
    )


def _of_points(state: TableState, winner: int) -> list[Verdict]:
    needed, score = state.terms.target_points, running_match(state).score
    verdicts = []
    for points in range(score[other(winner)], needed):
        ended = (needed, points) if winner == 0 else (points, needed)
        verdicts.append(Verdict(winner=winner, score=ended))
    return verdicts


def _of_games(state: TableState) -> set[Verdict]:
    """Every score that the games left can lead to; the one on the board by what is left of it."""
    most = max(state.variant.levels)
    first: tuple[int, ...] = (most, most)
    if state.phase != "between_games" and state.game is not None:
        game = state.game
        first = tuple(
            _most(state, game, other(winner), taken=game.double_taken) for winner in SEATS
        )
    scores = {
        state.score.after(winner, level)
        for winner in SEATS
        for level in state.variant.levels
        if level <= first[winner]
    }
    while unfinished := {score for score in scores if not score.is_over}:
        scores -= unfinished
        scores |= {
            score.after(winner, level)
            for score in unfinished
            for winner in SEATS
            for level in state.variant.levels
        }
    return {Verdict(winner=score.winner, score=score.points) for score in scores}


def _order(verdict: Verdict) -> tuple[int, int, int]:
    """Seat 0's wins, then seat 1's, then ties; by the points of both."""
    seat = 2 if verdict.winner is None else verdict.winner
    return (seat, max(verdict.score), min(verdict.score))
