"""The rating formula of the house: FIBS Elo in exact decimals, a pure function of numbers.

Nothing here depends on a player, a match or a database. Every step is decimal arithmetic with a
context of its own, so a replay on any machine gives the same digits. Source of the formula: the
rating system of the First Internet Backgammon Server (http://www.fibs.com/ratings.html); how the
house uses it is described in docs/ratings.md.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Final

START_ELO: Final = Decimal("1500.0000")
START_EXPERIENCE: Final = 0
PLACES: Final = Decimal("0.0001")
ELO_LIMIT: Final = Decimal(100_000)
"""Ratings are strictly between minus and plus this limit, far beyond what play can reach."""

WORTH_LIMIT: Final = 1_000
"""The largest n; the longest match ever offered is far below it."""

STRENGTH_FROM: Final = (1300, 1450, 1550, 1700, 1850)
"""The lowest whole rating of the strength groups 2 to 6; group 1 is below the first."""

_CONTEXT: Final = Context(prec=50, rounding=ROUND_HALF_EVEN, Emin=-999_999, Emax=999_999)


class EloError(ValueError):
    """A number that is no rating, no experience or no worth of a match."""

    code = "elo_invalid"


@dataclass(frozen=True, slots=True)
class EloStanding:
    """The formula's input for a player: the rating and the experience before the match."""

    elo: Decimal = START_ELO
    experience: int = START_EXPERIENCE

    def __post_init__(self) -> None:
        if not self.elo.is_finite() or not -ELO_LIMIT < self.elo < ELO_LIMIT:
            raise EloError(f"rating {self.elo} is not a number between ±{ELO_LIMIT}")
        if self.experience < 0:
            raise EloError(f"experience {self.experience} is below 0")


@dataclass(frozen=True, slots=True)
class EloOutcome:
    """Both standings after a match."""

    winner: EloStanding
    loser: EloStanding


def rate(winner: EloStanding, loser: EloStanding, n: int) -> EloOutcome:
    """Return both standings after a match worth `n` that `winner` won.

    With D the difference of the old ratings, P_upset = 1 / (10^(D·√n / 2000) + 1). P is what the
    result was unlikely by: 1 − P_upset if the lower-rated player won, else P_upset. The winner
    gains and the loser gives 4·K·√n·P, each with the own K, rounded half even to 4 places.

    Raises EloError if `n` is not between 1 and WORTH_LIMIT.
    """
    if not 1 <= n <= WORTH_LIMIT:
        raise EloError(f"n {n} is not between 1 and {WORTH_LIMIT}")
    root = _CONTEXT.sqrt(Decimal(n))
    difference = _CONTEXT.subtract(winner.elo, loser.elo)
    exponent = _CONTEXT.divide(_CONTEXT.multiply(_CONTEXT.abs(difference), root), Decimal(2000))
    odds = _CONTEXT.power(Decimal(10), exponent)
    upset = _CONTEXT.divide(Decimal(1), _CONTEXT.add(odds, Decimal(1)))
    chance = _CONTEXT.subtract(Decimal(1), upset) if difference < 0 else upset
    step = _CONTEXT.multiply(_CONTEXT.multiply(Decimal(4), root), chance)
    gain = _CONTEXT.multiply(step, ramp(winner.experience))
    loss = _CONTEXT.multiply(step, ramp(loser.experience))
    return EloOutcome(
        winner=EloStanding(_kept(_CONTEXT.add(winner.elo, gain)), winner.experience + n),
        loser=EloStanding(_kept(_CONTEXT.subtract(loser.elo, loss)), loser.experience + n),
    )


def ramp(experience: int) -> Decimal:
    """Return K = max(1, 5 − experience / 100): newcomers move five times as fast."""
    return max(Decimal(1), _CONTEXT.subtract(Decimal(5), _CONTEXT.scaleb(Decimal(experience), -2)))


def whole(elo: Decimal) -> int:
    """Return the rating as it is shown, rounded half even to a whole number."""
    return int(elo.to_integral_value(rounding=ROUND_HALF_EVEN))


def strength(elo: Decimal) -> int:
    """Return the strength group 1 to 6 of a rating, judged by the whole number that is shown."""
    return 1 + sum(whole(elo) >= lowest for lowest in STRENGTH_FROM)


def _kept(elo: Decimal) -> Decimal:
    return elo.quantize(PLACES, context=_CONTEXT)
