"""Losses of decisions, drawn from published figures of people and of an engine.

A loss is 0 with the share of zeros, else gamma; mean, spread and share are those of players at a
PR of 2.7, 4, 5.3 and 8.5. Weaker players are extrapolated with the same shape: the spread grows
with the square root of the mean.
"""

from typing import Any, Final

import numpy as np

from backgammon.counting.figures import PR_SCALE
from fairplay.signals.play import EXACT, Sample

Losses = tuple[float, float, float]
"""The mean loss of a decision, its standard deviation, and the share of zeros."""

HUMAN: Final[tuple[Losses, ...]] = (
    (0.0054, 0.0225, 0.82),
    (0.008, 0.031, 0.79),
    (0.0105, 0.038, 0.752),
    (0.0169, 0.054, 0.707),
)
ENGINE: Final[Losses] = (0.0016, 0.008, 0.92)

MATCH: Final = 70
"""So many counted decisions has a player in a five-point match."""


def human(pr: float) -> Losses:
    """The losses of a player with this PR."""
    mean = pr / PR_SCALE
    known = [each[0] for each in HUMAN]
    if mean >= known[-1]:
        _, spread, zeros = HUMAN[-1]
        return mean, spread * (mean / known[-1]) ** 0.5, max(zeros - 4 * (mean - known[-1]), 0.4)
    spread = float(np.interp(mean, known, [each[1] for each in HUMAN]))
    return mean, spread, float(np.interp(mean, known, [each[2] for each in HUMAN]))


def losses(kind: Losses, count: int, draw: np.random.Generator) -> Any:
    """Losses of this many decisions."""
    mean, spread, zeros = kind
    of_errors = mean / (1 - zeros)
    variance = max((spread**2 + mean**2) / (1 - zeros) - of_errors**2, of_errors**2 / 4)
    drawn = draw.gamma(of_errors**2 / variance, variance / of_errors, count)
    return np.where(draw.random(count) < zeros, 0.0, drawn)


def sample_of(lost: Any) -> Sample:
    """These losses as the house sums them up."""
    return Sample(len(lost), float(lost.sum()), int((lost < EXACT).sum()))


def match_of(pr: float, use: float, draw: np.random.Generator) -> Sample:
    """The decisions of one match by a player who asks an engine in this share of them."""
    lost = losses(human(pr), MATCH, draw)
    if use:
        lost = np.where(draw.random(MATCH) < use, losses(ENGINE, MATCH, draw), lost)
    return sample_of(lost)
