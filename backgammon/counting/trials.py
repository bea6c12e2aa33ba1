"""The figures of a rollout: means, standard errors and bands, from the means of its blocks.

A block is a fixed number of trials in which every first roll comes once. Its trials are not
independent, whole blocks are, so the spread of their means gives the standard error.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Final

#: the normal distribution has 95 % between minus and plus this.
_Z: Final = 1.959964

#: below so many blocks no standard error is stated.
BLOCKS_LEAST: Final = 4


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error and half of its 95 % band; None with too few blocks."""

    mean: float
    error: float | None
    half_band: float | None

    @property
    def is_clear(self) -> bool:
        """Whether 0 is outside of the band."""
        return self.half_band is not None and abs(self.mean) > self.half_band


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of the blocks, and how exact it is."""
    if len(values) < BLOCKS_LEAST:
        return Estimate(fmean(values), None, None)
    error = stdev(values) / sqrt(len(values))
    return Estimate(fmean(values), error, _quantile(len(values) - 1) * error)


def difference(better: Sequence[float], worse: Sequence[float]) -> Estimate:
    """How much better one choice is than another that was played with the same dice."""
    return estimate([a - b for a, b in zip(better, worse, strict=True)])


def _quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution (Abramowitz and Stegun 26.7.5)."""
    z = _Z
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
