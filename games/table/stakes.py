"""The stakes: every ending that is still possible, with what it pays.

`stakes_of` has the endings of a running match, `stakes_ahead` those of terms before anybody has
sat down. The credits are those of `games.prizes.payout`, which settlement pays, too.
"""

from functools import lru_cache
from typing import Final

import msgspec

from backgammon.rules.cube import (
    Cube,
    CubeMoment,
    double_refusal,
    opening_cube,
    points_for_dropping,
)
from backgammon.rules.match import MatchScore
from backgammon.rules.scoring import counted_level, game_points, most_to_lose
from backgammon.rules.variants import by_key
from games.modes.registry import mode_of
from games.modes.terms import Terms, cube_rules_of
from games.prizes import (
    Banks,
    Games,
    PrizeEnding,
    PrizeResult,
    banks_after,
    is_limited,
    most_won_cents,
    payout,
)
from games.table.forfeit import forfeited_points
from games.table.state import RUNNING_PHASES, TableState, other
from games.table.view_types import Losses, Stakes, Worth
from kit.events import remembers_last

#: rolls enough for every rule about a game's first turns.
_LATER: Final = (2, 2)
_NO_CHANGE: Final = (0, 0)


class _Standing(msgspec.Struct, frozen=True):
    """All that decides what the endings of a game are worth; equal ones are calculated once.

    `score`, `games_played` and `crawford_played` are those of the match before this game. `most`
    is by seat the largest level that the board still lets it lose. `answers` is the seat that owes
    an answer to the cube; `leaves` is whether leaving is a forfeit. `banks_cents` is what is left
    of both banks of a session.
    """

    terms: Terms
    variant: str
    score: tuple[int, int]
    games_played: int
    crawford_played: bool
    is_crawford: bool
    most: tuple[int, int]
    cube: Cube
    double_taken: bool
    cube_turns: int
    answers: int | None
    leaves: bool
    banks_cents: tuple[int, int] | None = None

    @property
    def match_score(self) -> MatchScore:
        """The score as the rules see it."""
        return MatchScore(
            mode_of(self.terms).match_format(self.terms),
            points=self.score,
            games_played=self.games_played,
            crawford_played=self.crawford_played,
        )


class Ahead(msgspec.Struct, frozen=True, kw_only=True):
    """The most that a table can cost and bring its players, before play. Amounts in cents.

    `lost_cents` and `won_cents` are the most that a player can lose and gain, `rake_cents` the most
    that the house keeps, of a session from one game. `levels` are the endings of the first game as
    the cube lies then, `taken` those after its first double, both as seat 1 loses them. `win` and
    `tie` are how a match for the pot can end, None where there is no such ending.
    """

    lost_cents: int = 0
    won_cents: int = 0
    rake_cents: int = 0
    levels: tuple[Worth, ...] = ()
    taken: tuple[Worth, ...] = ()
    win: Worth | None = None
    tie: Worth | None = None


@remembers_last
def stakes_of(state: TableState) -> Stakes | None:
    """Every ending that the running game still has, by the seat that loses it.

    Between two games it is the next one. None while no match is running.
    """
    game, match = state.game, state.match
    if game is None or match is None or state.phase not in RUNNING_PHASES:
        return None
    if state.phase == "between_games":
        leaves, banks = not state.may_stop, banks_of(state)
        before = _before(state.terms, state.score, leaves=leaves)
        return _stakes(msgspec.structs.replace(before, banks_cents=banks and banks.cents))
    variant, mover = state.variant, game.on_roll
    most = most_to_lose(variant, game.position)
    most_other = most_to_lose(variant, game.position.turned(variant.way))
    standing = _Standing(
        state.terms,
        variant.key,
        match.score,
        match.games_played,
        match.crawford_played,
        game.crawford,
        (most, most_other) if mover == 0 else (most_other, most),
        game.cube,
        game.double_taken,
        game.cube_turns,
        state.decider if state.phase == "double_offered" else None,
        not state.before_first_roll,
        banks.cents if (banks := banks_of(state)) else None,
    )
    return _stakes(standing)


@lru_cache(maxsize=1024)
def stakes_ahead(terms: Terms) -> Ahead:
    """The most that a table on these terms can cost and bring; all zero without credits."""
    mode = mode_of(terms)
    first = _before(terms, mode.match_format(terms).score(), leaves=False)
    losses = _stakes(first).losses[1]
    if not terms.is_match:
        worst = _game_ended(first, 0, _highest_level(first), _highest_cube(first))
        win = tie = None
    else:
        worst = win = _match_ended(terms, 0, 0)
        tie = _match_ended(terms, None, 0) if terms.contest == "games" else None
    lost_cents, won_cents = -worst.change_cents[1], worst.change_cents[0]
    if terms.contest == "session":
        lost_cents, won_cents = terms.stake_cents, most_won_cents(mode.purse(terms))
    return Ahead(
        lost_cents=lost_cents,
        won_cents=won_cents,
        rake_cents=worst.rake_cents,
        levels=losses.levels,
        taken=losses.taken,
        win=win,
        tie=tie,
    )


def banks_of(state: TableState) -> Banks | None:
    """The rest of both banks now; None outside sessions."""
    if state.terms.contest != "session":
        return None
    return _banks(state.terms, state.match.games if state.match is not None else ())


@lru_cache(maxsize=1024)  # every view of a game reads them
def _banks(terms: Terms, games: Games) -> Banks:
    return banks_after(mode_of(terms).purse(terms), games)


def _before(terms: Terms, score: MatchScore, *, leaves: bool) -> _Standing:
    """The next game at this score, before its first roll."""
    variant = score.variant
    most = most_to_lose(variant, variant.start)
    return _Standing(
        terms,
        variant.key,
        score.points,
        score.games_played,
        score.crawford_played,
        score.games_played > 0 and score.is_crawford,
        (most, most),
        Cube(),
        False,
        0,
        None,
        leaves,
    )


@lru_cache(maxsize=1024)
def _stakes(at: _Standing) -> Stakes:
    return Stakes(
        losses=(_losses(at, 0), _losses(at, 1)), drawn=_after_game(at, None, level=0, points=0)
    )


def _losses(at: _Standing, loser: int) -> Losses:
    taken_cube = at.cube.value << max(1, at.cube_turns)
    may_turn = at.cube_turns > 0 or _may_be_doubled(at)
    return Losses(
        levels=_levels(at, loser, at.cube.value, taken=at.double_taken),
        taken=_levels(at, loser, taken_cube, taken=True) if may_turn else (),
        drop=_dropped(at, loser) if at.answers == loser else None,
        leave=_left(at, loser) if at.leaves else None,
    )


def _levels(at: _Standing, loser: int, cube: int, *, taken: bool) -> tuple[Worth, ...]:
    most = counted_level(at.most[loser], jacoby=at.terms.jacoby, double_taken=taken)
    levels = (level for level in by_key(at.variant).levels if level <= most)
    return tuple(_game_ended(at, other(loser), level, cube) for level in levels)


def _dropped(at: _Standing, loser: int) -> Worth:
    return _game_ended(at, other(loser), 1, points_for_dropping(at.cube, turns=at.cube_turns))


def _left(at: _Standing, loser: int) -> Worth:
    """Leaving, running out of time and absence: the machine ends the match in the same way."""
    most = counted_level(at.most[loser], jacoby=at.terms.jacoby, double_taken=at.double_taken)
    turns = at.cube_turns if at.answers == loser else 0
    points = forfeited_points(at.terms, at.cube.value, most, answered_turns=turns)
    level = (1 if turns else most) if points else 0
    return msgspec.structs.replace(_match_ended(at.terms, other(loser), points), level=level)


def _game_ended(at: _Standing, winner: int, level: int, cube: int) -> Worth:
    return _after_game(at, winner, level=level, points=game_points(cube, level))


def _after_game(at: _Standing, winner: int | None, *, level: int, points: int) -> Worth:
    """A game that ends so, and the match if that decides it."""
    score = at.match_score
    after = score.after(winner, points)
    needed = None if winner is None else score.points_needed(winner)
    capped = needed is not None and points > needed
    if not after.is_over and at.terms.is_match:
        return Worth(level, points, False, _NO_CHANGE, 0, capped)
    if at.terms.is_match:
        ended = _match_ended(at.terms, after.winner, 0)
    else:
        ended = _match_ended(at.terms, winner, points)
    return msgspec.structs.replace(
        ended,
        level=level,
        points=points,
        over=_is_over(at, ended),
        capped=capped or ended.capped,
    )


def _is_over(at: _Standing, ended: Worth) -> bool:
    """Whether a game that ends so is the last: of a session, if a bank then covers no other."""
    if at.terms.contest != "session":
        return True
    before = at.banks_cents or (at.terms.stake_cents, at.terms.stake_cents)
    left = (cents + change for cents, change in zip(before, ended.change_cents, strict=True))
    return min(left) < at.terms.limit_cents


def _match_ended(terms: Terms, winner: int | None, points: int) -> Worth:
    """The end of a match; every ending that counts pays alike."""
    purse = mode_of(terms).purse(terms)
    result = PrizeResult(winner, PrizeEnding.BORNE_OFF, points)
    paid = payout(purse, result)
    one, two = (cents - purse.stake_cents for cents in paid.paid_cents)
    return Worth(0, points, True, (one, two), paid.rake_cents, is_limited(purse, result))


# --- the cube -----------------------------------------------------------------------------------


def _may_be_doubled(at: _Standing) -> bool:
    """Whether either seat can still double in this game, now or in a later turn."""
    score, terms = at.match_score, at.terms
    moment = CubeMoment(
        cube=at.cube,
        has_cube=terms.has_cube,
        rolls=_LATER,
        is_crawford=at.is_crawford,
        points_needed=score.both_need,
        limit_points=terms.limit_points,
    )
    return any(double_refusal(moment, seat, cube_rules_of(terms)) is None for seat in (0, 1))


def _highest_cube(at: _Standing) -> int:
    """The highest cube that a game can reach which begins so."""
    cube = opening_cube(cube_rules_of(at.terms), equal_rolls=at.terms.auto_doubles_max)
    while _may_be_doubled(msgspec.structs.replace(at, cube=cube)):
        cube = Cube(2 * cube.value)
    return cube.value


def _highest_level(at: _Standing) -> int:
    """The highest level that can count in a game which begins so."""
    return counted_level(at.most[1], jacoby=at.terms.jacoby, double_taken=_may_be_doubled(at))
