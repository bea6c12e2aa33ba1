"""The payout of an ended match: one pure function from purse and result to exact credits.

Settlement, audit, tests and the page that explains the endings all call `payout`. Payouts and
rake always add up to both stakes; the rake is rounded down to the cent and taken only from a
match that counts.
"""

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum


class PrizeEnding(Enum):
    """The ways in which a match can end; the values are what events and the protocol say."""

    BORNE_OFF = "borne_off"
    """The last game of the match ended on the board."""
    DOUBLE_DROPPED = "double_dropped"
    """The last game was won by a double that was refused."""
    RESIGNED = "resigned"
    """The last game was won by a resignation that was accepted."""
    LEFT = "left"
    """The loser left the table."""
    TIME_OVER = "time_over"
    """The loser's time ran out: as leaving."""
    ABSENT = "absent"
    """The loser was absent on their own turn for too long, and the winner claimed: as leaving."""
    ADJUDICATED = "adjudicated"
    """Administrators decided the match."""
    STOPPED = "stopped"
    """A player stopped a session between two games: it is settled as it stands."""
    LAPSED = "lapsed"
    """A session ended between two games, because they were not both ready in time."""
    BANK_SHORT = "bank_short"
    """A session ended because a bank no longer covers the most that a game can cost."""
    STOOD_UP = "stood_up"
    """It ended before the first roll: nothing counts."""
    VOIDED = "voided"
    """Administrators voided the match: nothing counts."""


#: the endings after which every stake goes back, without rake and without a rating change.
UNCOUNTED = frozenset({PrizeEnding.STOOD_UP, PrizeEnding.VOIDED})


class PurseKind(Enum):
    """How the stakes of a match are divided."""

    NOTHING = "nothing"
    """No stakes."""
    POT = "pot"
    """The winner takes both stakes less the rake; a tie divides them."""
    PER_POINT = "per_point"
    """The loser pays by the point, at most the stake; the rake is taken from the win."""
    SESSION = "session"
    """Games by the point, one after the other, each from bank to bank; the stake is the bank."""


Games = tuple[tuple[int | None, int], ...]
"""The games of a session in their order: the winner's seat (None: a draw) and the points."""


@dataclass(frozen=True, slots=True)
class Purse:
    """The content of an escrow and the rule for dividing it. Amounts in cents, rake in 1/100 %.

    In a session `stake_cents` is the bank of each seat, `game_limit_cents` the most that one game
    can cost, `rated_points` what each game counts for, and `rated_games` how many games count at
    most (None: all of them).
    """

    kind: PurseKind
    stake_cents: int = 0
    rate_cents: int = 0
    rake_bps: int = 0
    rated_points: int = 0
    game_limit_cents: int = 0
    rated_games: int | None = None

    @property
    def pot_cents(self) -> int:
        """Both stakes together."""
        return 2 * self.stake_cents


@dataclass(frozen=True, slots=True)
class PrizeResult:
    """The end of a match: the winner's seat (or None), the ending, the points of a game.

    A session has its games instead of the points; its winner is the seat that has more left. With
    points and without games it is that of a single game.
    """

    winner: int | None
    ending: PrizeEnding
    points: int = 0
    games: Games = ()

    @property
    def played(self) -> Games:
        """The games of a session."""
        return self.games or (((self.winner, self.points),) if self.points else ())


@dataclass(frozen=True, slots=True)
class MatchPayout:
    """Credits by seat, the rake, and for how many points the ratings count the match (0: not).

    Of a session `rated_points` is what each of its `rated_winners` counts for.
    """

    paid_cents: tuple[int, int]
    rake_cents: int
    rated_points: int


@dataclass(frozen=True, slots=True)
class Banks:
    """The rest of both banks of a session, by seat, and the rake of its games so far."""

    cents: tuple[int, int]
    rake_cents: int = 0

    @property
    def leader(self) -> int | None:
        """The seat with the larger bank; None if they are equal."""
        one, two = self.cents
        return None if one == two else int(two > one)

    def cover(self, game_limit_cents: int) -> bool:
        """Whether both can pay for a game that costs so much at most."""
        return min(self.cents) >= game_limit_cents


def payout(purse: Purse, result: PrizeResult) -> MatchPayout:
    """The payout of this purse for this result."""
    if result.ending in UNCOUNTED or purse.kind is PurseKind.NOTHING:
        return _refund(purse, _rated(purse, result))
    if purse.kind is PurseKind.POT:
        return _pot(purse, result)
    if purse.kind is PurseKind.SESSION:
        return _session(purse, result)
    return _per_point(purse, result)


def rated_winners(purse: Purse, result: PrizeResult) -> tuple[int, ...]:
    """The winners' seats of everything that moves ratings: of the match, or of a session's games.

    Each counts for the purse's `rated_points`, in this order.
    """
    if result.ending in UNCOUNTED or not purse.rated_points:
        return ()
    if purse.kind is not PurseKind.SESSION:
        return () if result.winner is None else (result.winner,)
    decided = tuple(winner for winner, _points in result.played if winner is not None)
    return decided[: purse.rated_games]


def _rated(purse: Purse, result: PrizeResult) -> int:
    return purse.rated_points if rated_winners(purse, result) else 0


def _refund(purse: Purse, rated_points: int = 0) -> MatchPayout:
    return MatchPayout((purse.stake_cents, purse.stake_cents), 0, rated_points)


def _pot(purse: Purse, result: PrizeResult) -> MatchPayout:
    """The pot less its rake to the winner; after a tie half of that to each."""
    rake_cents = rake_of(purse.pot_cents, purse.rake_bps)
    won_cents = purse.pot_cents - rake_cents
    if result.winner is None:
        half_cents = won_cents // 2
        return MatchPayout((half_cents, half_cents), purse.pot_cents - 2 * half_cents, 0)
    return MatchPayout(_by_seat(result.winner, won_cents, 0), rake_cents, purse.rated_points)


def _per_point(purse: Purse, result: PrizeResult) -> MatchPayout:
    """won = min(points × rate, stake); the winner gets the own stake and won less rake."""
    if result.winner is None:
        return _refund(purse)
    won_cents, rake_cents = game_won(purse, result.points, purse.stake_cents)
    winner_cents = purse.stake_cents + won_cents - rake_cents
    loser_cents = purse.stake_cents - won_cents
    paid_cents = _by_seat(result.winner, winner_cents, loser_cents)
    return MatchPayout(paid_cents, rake_cents, purse.rated_points)


def is_limited(purse: Purse, result: PrizeResult) -> bool:
    """Whether the stake, or the limit of a game, cuts what the points of this result are worth."""
    counts = result.winner is not None and result.ending not in UNCOUNTED
    by_the_point = counts and purse.kind in (PurseKind.PER_POINT, PurseKind.SESSION)
    most_cents = purse.game_limit_cents or purse.stake_cents
    return by_the_point and result.points * purse.rate_cents > most_cents


def _session(purse: Purse, result: PrizeResult) -> MatchPayout:
    """To each what is left of the bank after all games."""
    banks = banks_after(purse, result.played)
    return MatchPayout(banks.cents, banks.rake_cents, _rated(purse, result))


def banks_after(purse: Purse, games: Games) -> Banks:
    """Both banks of a session after these games, and the rake of all of them."""
    banks = Banks((purse.stake_cents, purse.stake_cents))
    for winner, points in games:
        if winner is None:
            continue
        won_cents, rake_cents = game_won(purse, points, banks.cents[1 - winner])
        winner_cents = banks.cents[winner] + won_cents - rake_cents
        loser_cents = banks.cents[1 - winner] - won_cents
        by_seat = _by_seat(winner, winner_cents, loser_cents)
        banks = Banks(by_seat, banks.rake_cents + rake_cents)
    return banks


def game_won(purse: Purse, points: int, loser_cents: int) -> tuple[int, int]:
    """The loss of a game settled by the point, for a loser with so much left, and its rake."""
    most_cents = min(purse.game_limit_cents or purse.stake_cents, loser_cents)
    won_cents = min(points * purse.rate_cents, most_cents)
    return won_cents, rake_of(won_cents, purse.rake_bps)


def most_won_cents(purse: Purse) -> int:
    """The most that a player of a session can gain: the other's whole bank, least of all raked."""
    points = purse.stake_cents // purse.rate_cents
    return purse.stake_cents - points * rake_of(purse.rate_cents, purse.rake_bps)


def _by_seat(winner: int, winner_cents: int, loser_cents: int) -> tuple[int, int]:
    return (winner_cents, loser_cents) if winner == 0 else (loser_cents, winner_cents)


def rake_of(amount_cents: int, rake_bps: int) -> int:
    """The house's share of an amount, rounded down to the cent."""
    return amount_cents * rake_bps // 10_000


def break_even_percent(rake_bps: int) -> Decimal:
    """How many of a hundred even matches one must win so as not to lose credits."""
    kept_bps = 10_000 - rake_bps
    return (Decimal(100 * 10_000) / (2 * kept_bps)).quantize(Decimal("0.1"))
