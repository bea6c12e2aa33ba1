"""Every mode there is, in the order of their places. A lookup of an unknown one raises.

Prices of figures are made here, as every mode has a say: what no house could offer is refused.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final

from games.modes.mode import Mode
from games.modes.prices import (
    FIGURE_NAMES,
    FIGURES,
    OFFERED_MOST,
    BadPrices,
    Figure,
    PriceFault,
    Prices,
)
from games.modes.terms import KEYS, Terms, UnknownMode


def _mode(key: str) -> Mode:
    """The mode of a file in `kinds/`. Raises `AttributeError` or `TypeError` for one without."""
    mode = import_module(f"games.modes.kinds.{key}").MODE
    if not isinstance(mode, Mode) or mode.key != key:
        raise TypeError(f"MODE of games/modes/kinds/{key}.py is no mode of the key {key!r}")
    return mode


_BY_KEY: Final = {key: _mode(key) for key in KEYS}

ALL: Final = tuple(sorted(_BY_KEY.values(), key=lambda mode: (mode.place, mode.key)))

OPENED: Final = tuple(mode for mode in ALL if not mode.is_practice)
"""The modes in which people play each other."""

PRACTICE_KEYS: Final = tuple(mode.key for mode in ALL if mode.is_practice)


def by_key(key: str) -> Mode:
    """The mode of this key.

    :raises UnknownMode: naming the keys there are.
    """
    try:
        return _BY_KEY[key]
    except (KeyError, TypeError):
        raise UnknownMode(f"there is no mode {key!r} (there are: {', '.join(KEYS)})") from None


def mode_of(terms: Terms) -> Mode:
    """The mode that these terms are of. Raises `UnknownMode`."""
    return by_key(terms.mode)


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
        faults = [fault for mode in ALL for fault in mode.price_faults(prices)]
    if faults:
        raise BadPrices(tuple(faults))
    return prices


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list | tuple) else value


def _faults_of(figure: Figure, value: object) -> Iterator[PriceFault]:
    """The faults of one figure by itself."""
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
