"""The payout of an ended match: one pure function from purse and result to exact credits.

Settlement, audit, tests and the page that explains the endings all call `payout`. Payouts and
rake always add up to both stakes; the rake is rounded down to the cent and taken only from a
match that counts.
"""

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum


class Ending(Enum):
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
    STOOD_UP = "stood_up"
    """It ended before the first roll: nothing counts."""
    VOIDED = "voided"
    """Administrators voided the match: nothing counts."""


#: the endings after which every stake goes back, without rake and without a rating change.
UNCOUNTED = frozenset({Ending.STOOD_UP, Ending.VOIDED})


class PurseKind(Enum):
    """How the stakes of a match are divided."""

    NOTHING = "nothing"
    """No stakes."""
    POT = "pot"
    """The winner takes both stakes less the rake; a tie divides them."""
    PER_POINT = "per_point"
    """The loser pays by the point, at most the stake; the rake is taken from the win."""


@dataclass(frozen=True, slots=True)
class Purse:
    """The content of an escrow and the rule for dividing it. Amounts in cents, rake in 1/100 %."""

    kind: PurseKind
    stake_cents: int = 0
    rate_cents: int = 0
    rake_bps: int = 0
    rated_points: int = 0

    @property
    def pot_cents(self) -> int:
        """Both stakes together."""
        return 2 * self.stake_cents


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a match: the winner's seat (or None), the ending, the points of a game."""

    winner: int | None
    ending: Ending
    points: int = 0


@dataclass(frozen=True, slots=True)
class Payout:
    """Credits by seat, the rake, and for how many points the ratings count the match (0: not)."""

    paid_cents: tuple[int, int]
    rake_cents: int
    rated_points: int


def payout(purse: Purse, result: Result) -> Payout:
    """The payout of this purse for this result."""
    if result.ending in UNCOUNTED or purse.kind is PurseKind.NOTHING:
        return _refund(purse, _rated(purse, result))
    if purse.kind is PurseKind.POT:
        return _pot(purse, result)
    return _per_point(purse, result)


def _rated(purse: Purse, result: Result) -> int:
    counts = result.winner is not None and result.ending not in UNCOUNTED
    return purse.rated_points if counts else 0


def _refund(purse: Purse, rated_points: int = 0) -> Payout:
    return Payout((purse.stake_cents, purse.stake_cents), 0, rated_points)


def _pot(purse: Purse, result: Result) -> Payout:
    """The pot less its rake to the winner; after a tie half of that to each."""
    rake_cents = rake_of(purse.pot_cents, purse.rake_bps)
    won_cents = purse.pot_cents - rake_cents
    if result.winner is None:
        half_cents = won_cents // 2
        return Payout((half_cents, half_cents), purse.pot_cents - 2 * half_cents, 0)
    return Payout(_by_seat(result.winner, won_cents, 0), rake_cents, purse.rated_points)


def _per_point(purse: Purse, result: Result) -> Payout:
    """won = min(points × rate, stake); the winner gets the own stake and won less rake."""
    if result.winner is None:
        return _refund(purse)
    won_cents = min(result.points * purse.rate_cents, purse.stake_cents)
    rake_cents = rake_of(won_cents, purse.rake_bps)
    winner_cents = purse.stake_cents + won_cents - rake_cents
    loser_cents = purse.stake_cents - won_cents
    paid_cents = _by_seat(result.winner, winner_cents, loser_cents)
    return Payout(paid_cents, rake_cents, purse.rated_points)


def is_limited(purse: Purse, result: Result) -> bool:
    """Whether the stake cuts what the points of this result would be worth."""
    counts = result.winner is not None and result.ending not in UNCOUNTED
    by_the_point = counts and purse.kind is PurseKind.PER_POINT
    return by_the_point and result.points * purse.rate_cents > purse.stake_cents


def _by_seat(winner: int, winner_cents: int, loser_cents: int) -> tuple[int, int]:
    return (winner_cents, loser_cents) if winner == 0 else (loser_cents, winner_cents)


def rake_of(amount_cents: int, rake_bps: int) -> int:
    """The house's share of an amount, rounded down to the cent."""
    return amount_cents * rake_bps // 10_000


def break_even_percent(rake_bps: int) -> Decimal:
    """How many of a hundred even matches one must win so as not to lose credits."""
    kept_bps = 10_000 - rake_bps
    return (Decimal(100 * 10_000) / (2 * kept_bps)).quantize(Decimal("0.1"))
