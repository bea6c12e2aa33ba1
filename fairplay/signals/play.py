"""Whether somebody plays better than people do, or than they did before. Pure.

A player's counted decisions are split by match: one part raises a suspicion, the other one, which
did not raise it, is tested. The share of false alarms is divided by the number of looks. Two rules:
nobody is known to play `BEYOND_PR` over so many decisions; and a player is compared with their own
past before they are compared with anybody else.
"""

from dataclasses import dataclass
from math import log2, sqrt
from statistics import NormalDist
from typing import Final

from analysis.counting.figures import PR_SCALE

LEAST: Final = 500
"""Counted decisions before anybody is judged."""

PAST_LEAST: Final = 1_000
"""Counted decisions of the own past before it is compared with."""

BEYOND_PR: Final = 1.3
BEYOND_PART_PR: Final = 1.9

SCREEN_Z: Final = 1.0
ALPHA: Final = 0.004
"""The nominal share of false alarms. Losses have a long tail above and none below, so honest people
pass the limit more rarely: `python -m bench.fairplay` measures how often."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Counted decisions: how many, the sum of their losses and of the squares of those."""

    decisions: int = 0
    lost: float = 0.0
    squares: float = 0.0

    @property
    def pr(self) -> float:
        """The error rate; 0 without decisions."""
        return PR_SCALE * self.lost / self.decisions if self.decisions else 0.0

    @property
    def variance(self) -> float:
        """The variance of the loss of one decision."""
        mean = self.lost / self.decisions
        return max(self.squares / self.decisions - mean * mean, 1e-8)

    def __add__(self, other: "Sample") -> "Sample":
        return Sample(
            self.decisions + other.decisions, self.lost + other.lost, self.squares + other.squares
        )


@dataclass(frozen=True, slots=True)
class PlayJudgement:
    """The result: which rule alarms (``beyond``, ``past`` or none), and how far from the past."""

    rule: str
    z: float
    looks: int

    @property
    def odds(self) -> float:
        """One honest player in so many is as far from their own past; at least 1,000 otherwise."""
        if self.rule != "past":
            return 1_000.0
        return 1 / max(1 - NormalDist().cdf(self.z), 1e-6)


def judged_play(screen: Sample, test: Sample, past: Sample) -> PlayJudgement:
    """Judge a player by two parts of their last decisions and by those before."""
    both = screen + test
    if both.decisions < LEAST or not screen.decisions or not test.decisions:
        return PlayJudgement("", 0.0, 0)
    looks = 1 + int(log2(both.decisions / LEAST))
    if both.pr < BEYOND_PR and max(screen.pr, test.pr) < BEYOND_PART_PR:
        return PlayJudgement("beyond", 0.0, looks)
    if past.decisions < PAST_LEAST:
        return PlayJudgement("", 0.0, looks)
    z = better_by(test, past)
    suspected = better_by(screen, past) >= SCREEN_Z
    alarms = suspected and z >= NormalDist().inv_cdf(1 - ALPHA / looks)
    return PlayJudgement("past" if alarms else "", z, looks)


def better_by(now: Sample, past: Sample) -> float:
    """How much better than before, in standard errors of the difference.

    The variance is that of the past alone: a sample without a blunder has a small one by chance.
    """
    difference = past.lost / past.decisions - now.lost / now.decisions
    return difference / sqrt(past.variance * (1 / past.decisions + 1 / now.decisions))
