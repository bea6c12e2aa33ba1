"""What an ended match pays: from stake and ending to credits, in whole cents, exactly.

Whatever happens, payouts and rake add up to the pot. The rake is rounded down to the cent and
taken only from a match that counts.
"""

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum


class Ending(Enum):
    """The ways in which a match can end; the values are what events and the protocol say."""

    BORNE_OFF = "borne_off"
    """The last game of the match was won on the board."""
    DOUBLE_DROPPED = "double_dropped"
    """The last game was won by a double that was refused."""
    RESIGNED = "resigned"
    """The last game was won by a resignation that was accepted."""
    LEFT = "left"
    """The loser left the table: the prize goes to the other player, whole."""
    TIME_OVER = "time_over"
    """The loser's time ran out: as leaving."""
    ADJUDICATED = "adjudicated"
    """Administrators decided the match."""
    STOOD_UP = "stood_up"
    """Somebody stood up before the first roll: nothing counts."""
    VOIDED = "voided"
    """Administrators voided the match: nothing counts."""


#: the endings after which every stake goes back, without rake and without a rating change.
UNCOUNTED = frozenset({Ending.STOOD_UP, Ending.VOIDED})


@dataclass(frozen=True, slots=True)
class Payout:
    """Credits by seat, the rake, and for how many points the ratings count the match (0: not)."""

    paid_cents: tuple[int, int]
    rake_cents: int
    rated_points: int

    @property
    def pot_cents(self) -> int:
        """The pot that this payout divides."""
        return sum(self.paid_cents) + self.rake_cents


#: for how many points a match of a mode counts in the rating formula.
RATED_POINTS = {"prize5": 5}


def refund(*, stake_cents: int) -> Payout:
    """Both stakes back, no rake, no rating change: what a match that does not count pays."""
    return Payout(paid_cents=(stake_cents, stake_cents), rake_cents=0, rated_points=0)


def prize(*, mode: str, stake_cents: int, rake_bps: int, winner: int) -> Payout:
    """The whole pot less the rake to the winner's seat: what a prize match pays.

    `rake_bps` is in hundredths of a percent. Raises `ValueError` for a mode without a fixed prize.
    """
    if mode not in RATED_POINTS:
        raise ValueError(f"mode {mode!r} has no fixed prize")
    pot_cents = 2 * stake_cents
    rake_cents = pot_cents * rake_bps // 10_000
    won_cents = pot_cents - rake_cents
    paid_cents = (won_cents, 0) if winner == 0 else (0, won_cents)
    return Payout(paid_cents=paid_cents, rake_cents=rake_cents, rated_points=RATED_POINTS[mode])


def break_even_percent(rake_bps: int) -> Decimal:
    """How many of a hundred matches for a fixed prize one must win so as not to lose credits."""
    kept_bps = 10_000 - rake_bps
    return (Decimal(100 * 10_000) / (2 * kept_bps)).quantize(Decimal("0.1"))
