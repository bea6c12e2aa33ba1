"""The figures of the house: what each mode may be played for, and how often a pair is rated.

`FIGURES` describes every one of them once: its unit, its bounds and its default. Validation, the
constraints of the table of prices, the form of the desk and the table in docs/operations.md follow
from that list.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec

Unit = Literal["cents", "times", "bps", "matches"]

STAKE_CENTS_MOST: Final = 10_000_000
"""The most that one player can have at stake at one table: far below what the books can post."""

OFFERED_MOST: Final = 6
"""How many stakes, rates or limits one mode offers at most."""

RAKE_BPS_MOST: Final = 4_900
"""The highest rake: of 100 even matches, 98.0 must be won to lose nothing. At half of the pot the
winner of a match would gain nothing, and nobody could break even."""


class Prices(msgspec.Struct, frozen=True, kw_only=True):
    """What the house offers; amounts in cents, each field as `FIGURES` describes it."""

    prize_stakes_cents: tuple[int, ...] = (250, 500)
    single_rates_cents: tuple[int, ...] = (100, 200)
    single_limits_cents: tuple[int, ...] = (1000, 2000)
    base_stake_cents_min: int = 10
    base_stake_cents_max: int = 10_000
    factor_without_cube: int = 3
    factor_with_cube: int = 10
    rake_bps: int = 1000
    pair_limit: int | None = None
    """How many matches of the same two players are rated within 24 hours; None: all of them."""


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
        """What a house has that never changed it."""
        return getattr(Prices(), self.name)


FIGURES: Final = (
    Figure("prize_stakes_cents", "cents", 1, STAKE_CENTS_MOST, many=True),
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


def prices_of(figures: object) -> Prices:
    """The prices that these figures make; what is missing has its default.

    `figures` maps names of `FIGURES` to whole numbers, lists of them, or None. Raises `BadPrices`
    with every fault. What is returned can be offered: every page shows it and every payout is
    exact.
    """
    if not isinstance(figures, Mapping):
        raise BadPrices((PriceFault("", "type", "The figures are no list of names and numbers."),))
    faults = [
        PriceFault(str(name), "unknown", f"There is no figure {name!r}.")
        for name in sorted(set(figures) - set(FIGURE_NAMES), key=str)
    ]
    for figure in FIGURES:
        if figure.name in figures:
            faults += _faults_of(figure, figures[figure.name])
    if not faults:
        said = {name: _frozen(value) for name, value in figures.items()}
        prices = Prices(**said)
        faults = list(_faults_between(prices))
    if faults:
        raise BadPrices(tuple(faults))
    return prices


def figures_of(prices: Prices) -> dict[str, Any]:
    """The figures of these prices by name, as JSON has them."""
    values = {name: getattr(prices, name) for name in FIGURE_NAMES}
    return {n: list(value) if isinstance(value, tuple) else value for n, value in values.items()}


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list | tuple) else value


def _faults_of(figure: Figure, value: object) -> Iterator[PriceFault]:
    """What is wrong with one figure by itself."""
    name = figure.name
    if value is None and figure.optional:
        return
    if not figure.many:
        yield from _number_faults(figure, value)
        return
    if not isinstance(value, list | tuple):
        yield PriceFault(name, "type", f"{name} is no list of whole numbers.")
        return
    if not value:
        yield PriceFault(name, "empty", f"{name} is empty; it must offer one amount or more.")
    if len(value) > OFFERED_MOST:
        yield PriceFault(name, "many", f"{name} has more than {OFFERED_MOST} amounts.")
        return
    faults = {fault for number in value for fault in _number_faults(figure, number)}
    yield from sorted(faults, key=lambda fault: fault.code)
    if not faults and len(set(value)) != len(value):
        yield PriceFault(name, "twice", f"{name} has an amount twice.")


def _number_faults(figure: Figure, value: object) -> Iterator[PriceFault]:
    if type(value) is not int:
        yield PriceFault(figure.name, "type", f"{figure.name} is no whole number.")
    elif value < figure.least:
        yield PriceFault(figure.name, "low", f"{figure.name} must be {figure.least} or more.")
    elif value > figure.most:
        yield PriceFault(figure.name, "high", f"{figure.name} must be {figure.most} or less.")


def _faults_between(prices: Prices) -> Iterator[PriceFault]:
    """What is wrong with figures that are sound one by one."""
    most_cents = prices.base_stake_cents_max
    if prices.base_stake_cents_min > most_cents:
        sentence = "base_stake_cents_min is above base_stake_cents_max."
        yield PriceFault("base_stake_cents_min", "base_order", sentence)
    for name in ("factor_without_cube", "factor_with_cube"):
        if getattr(prices, name) * most_cents > STAKE_CENTS_MOST:
            sentence = f"{name} times base_stake_cents_max is above {STAKE_CENTS_MOST} cents."
            yield PriceFault(name, "factor", sentence)
    if min(prices.single_limits_cents) < max(prices.single_rates_cents):
        sentence = "A limit of single_limits_cents is below a rate of single_rates_cents."
        yield PriceFault("single_limits_cents", "limit", sentence)
