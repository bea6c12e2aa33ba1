"""Whether many dice look like dice: chi-square, doubles, what follows what, and players' luck.

Probabilities are floats: they only say how surprising counts are, and nothing is paid by them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

FACES: Final = 6
CELLS: Final = FACES * FACES
"""The ordered rolls of two dice: cell `6 * (die 1 - 1) + die 2 - 1`."""

EXPECTED_MIN: Final = 5.0
"""A chi-square needs about so many expected in every cell (Cochran 1954)."""

ALARM_BELOW: Final = 1e-6
"""So improbable that somebody has to look; once in a million honest tests."""


def pips_of(one: int, two: int) -> int:
    """The pips of a roll of two dice: a double counts twice its sum."""
    return (one + two) * (2 if one == two else 1)


_PIPS: Final = tuple(pips_of(one, two) for one in range(1, 7) for two in range(1, 7))
PIPS_MEAN: Final = sum(_PIPS) / CELLS
"""8 1/6 pips a roll."""
PIPS_VARIANCE: Final = sum(pips * pips for pips in _PIPS) / CELLS - PIPS_MEAN**2


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a test: its statistic, the degrees of freedom, the p-value."""

    statistic: float
    degrees: int
    p: float


def cell_of(one: int, two: int) -> int:
    """The cell of an ordered roll, 0 to 35."""
    return FACES * (one - 1) + two - 1


def chi_square(counts: Sequence[int]) -> Finding | None:
    """Whether all cells are equally probable; None while there are too few for it to mean much."""
    total = sum(counts)
    expected = total / len(counts)
    if expected < EXPECTED_MIN:
        return None
    statistic = sum((count - expected) ** 2 for count in counts) / expected
    return _tested(statistic, len(counts) - 1)


def doubles_test(cells: Sequence[int]) -> Finding | None:
    """Whether one roll in six is a double."""
    total = sum(cells)
    expected = total / FACES
    if expected < EXPECTED_MIN:
        return None
    off = doubles_count(cells) - expected
    return _tested(off * off / expected + off * off / (total - expected), 1)


def doubles_count(cells: Sequence[int]) -> int:
    """How many of the rolls are doubles."""
    return sum(cells[cell_of(face, face)] for face in range(1, FACES + 1))


def serial_test(pairs: Sequence[int]) -> Finding | None:
    """Whether a roll depends on the roll before it in its game.

    `pairs[36 * before + after]` counts cells that followed each other. The pairs overlap, so the
    statistic is the difference of two chi-squares (I. J. Good, The serial test for sampling
    numbers, 1953). With few pairs only the first dice of both rolls are compared.
    """
    kinds = CELLS
    if sum(pairs) < EXPECTED_MIN * CELLS * CELLS:
        pairs, kinds = _first_dice(pairs), FACES
    total = sum(pairs)
    if total < EXPECTED_MIN * kinds * kinds:
        return None
    singles = [sum(pairs[kinds * one : kinds * (one + 1)]) for one in range(kinds)]
    statistic = _squares(pairs) - _squares(singles)
    return _tested(max(statistic, 0.0), kinds * kinds - kinds)


def _first_dice(pairs: Sequence[int]) -> list[int]:
    """The pairs counted by the first die of each roll alone."""
    found = [0] * CELLS
    for place, count in enumerate(pairs):
        before, after = divmod(place, CELLS)
        found[FACES * (before // FACES) + after // FACES] += count
    return found


def _squares(counts: Sequence[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def luck(rolls: int, pips: int) -> float:
    """A player's luck with the dice as a z-value: pips beyond the mean in standard deviations."""
    return (pips - rolls * PIPS_MEAN) / math.sqrt(rolls * PIPS_VARIANCE)


def _tested(statistic: float, degrees: int) -> Finding:
    return Finding(statistic, degrees, chi_square_tail(statistic, degrees))


def chi_square_tail(statistic: float, degrees: int) -> float:
    """The probability that a chi-square variable is at least `statistic`."""
    return upper_gamma(degrees / 2, statistic / 2)


def upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x), for a > 0 and x >= 0.

    Below a + 1 by the series of the lower one (DLMF 8.11.4), beyond by the continued fraction
    (DLMF 8.9.2) in Lentz's form. Good to about 1e-12.
    """
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        return 1 - front * _series(a, x)
    return front * _fraction(a, x)


_PRECISION: Final = 1e-15
_TINY: Final = 1e-300


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    while term > total * _PRECISION:
        a += 1
        term *= x / a
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    value = d
    number = 0
    factor = 0.0
    while abs(factor - 1) > _PRECISION and number < 10_000:
        number += 1
        numerator = -number * (number - a)
        b += 2
        d = 1 / _away(numerator * d + b)
        c = _away(b + numerator / c)
        factor = d * c
        value *= factor
    return value


def _away(value: float) -> float:
    """The value, kept away from zero so that it can be divided by."""
    return value if abs(value) > _TINY else _TINY
