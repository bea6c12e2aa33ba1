"""The figures of the house: what each mode may be played for, and how often a pair is rated.

`FIGURES` describes every one of them once: its unit, its bounds and its default. Validation
(`games.modes.registry`), the constraints of the table of prices, the form of the desk and the table
in docs/operations-reference.md follow from that list.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec

Unit = Literal["cents", "times", "bps", "matches"]

STAKE_CENTS_MOST: Final = 10_000_000
"""The most that one player can have at stake at one table: far below what the books can post."""

OFFERED_MOST: Final = 6
"""How many stakes, rates or limits one mode offers at most."""

BASE_STAKE_CENTS_USUAL: Final = 50

RAKE_BPS_MOST: Final = 4_900
"""The highest rake: of 100 even matches, 98.0 must be won to lose nothing. At half of the pot the
winner of a match would gain nothing, and no player could break even."""


class Prices(msgspec.Struct, frozen=True, kw_only=True):
    """The prices of the house; amounts in cents, each field as `FIGURES` describes it."""

    prize_stakes_cents: tuple[int, ...] = (250, 500)
    match_stakes_cents: tuple[int, ...] = (250, 500, 1000, 2000)
    single_rates_cents: tuple[int, ...] = (100, 200)
    single_limits_cents: tuple[int, ...] = (1000, 2000)
    base_stake_cents_min: int = 10
    base_stake_cents_max: int = 10_000
    factor_without_cube: int = 3
    factor_with_cube: int = 10
    rake_bps: int = 1000
    pair_limit: int | None = None
    """How many matches of the same two players are rated within 24 hours; None: all of them."""

    @property
    def base_stake_cents_usual(self) -> int:
        """The base stake that examples and forms begin with."""
        least, most = self.base_stake_cents_min, self.base_stake_cents_max
        return max(least, min(BASE_STAKE_CENTS_USUAL, most))


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: a whole number from `least` to `most`.

    With `many` it is a list of different numbers, one to `OFFERED_MOST` of them; with `optional`
    it may be None.
    """

    name: str
    unit: Unit
    least: int
    most: int
    many: bool = False
    optional: bool = False

    @property
    def default(self) -> Any:
        """The figures of a house that never changed them."""
        return getattr(Prices(), self.name)


FIGURES: Final = (
    Figure("prize_stakes_cents", "cents", 1, STAKE_CENTS_MOST, many=True),
    Figure("match_stakes_cents", "cents", 1, STAKE_CENTS_MOST, many=True),
    Figure("single_rates_cents", "cents", 1, STAKE_CENTS_MOST, many=True),
    Figure("single_limits_cents", "cents", 1, STAKE_CENTS_MOST, many=True),
    Figure("base_stake_cents_min", "cents", 1, STAKE_CENTS_MOST),
    Figure("base_stake_cents_max", "cents", 1, STAKE_CENTS_MOST),
    Figure("factor_without_cube", "times", 1, 1000),
    Figure("factor_with_cube", "times", 1, 1000),
    Figure("rake_bps", "bps", 0, RAKE_BPS_MOST),
    Figure("pair_limit", "matches", 1, 1000, optional=True),
)

FIGURE_NAMES: Final = tuple(figure.name for figure in FIGURES)


@dataclass(frozen=True, slots=True)
class PriceFault:
    """One thing that is wrong with figures: at which of them, which rule, and in a sentence.

    `code` is "type", "unknown", "low", "high", "empty", "many", "twice", "base_order", "factor" or
    "limit".
    """

    name: str
    code: str
    sentence: str


class BadPrices(ValueError):
    """Figures that no house can offer; `faults` names all that is wrong with them."""

    def __init__(self, faults: tuple[PriceFault, ...]) -> None:
        super().__init__(" ".join(fault.sentence for fault in faults))
        self.faults = faults


def figures_of(prices: Prices) -> dict[str, Any]:
    """The figures of these prices by name, as JSON has them."""
    values = {name: getattr(prices, name) for name in FIGURE_NAMES}
    return {n: list(value) if isinstance(value, tuple) else value for n, value in values.items()}
