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

PR_SCALE: Final = 500.0
"""As `analysis.counting.figures`, which pure code of this app does not import."""

LEAST: Final = 500
"""Counted decisions before anybody is judged."""

PAST_LEAST: Final = 1_000
"""Counted decisions of the own past before it is compared with."""

BEYOND_PR: Final = 1.2
BEYOND_PART_PR: Final = 1.35

SCREEN_Z: Final = 1.0
ALPHA: Final = 0.001
"""The share of honest players for whom the test may alarm, over all looks."""


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
    def error(self) -> float:
        """The squared standard error of the mean loss."""
        mean = self.lost / self.decisions
        return max(self.squares / self.decisions - mean * mean, 1e-8) / self.decisions

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
    """How much better than before, in standard errors of the difference."""
    difference = past.lost / past.decisions - now.lost / now.decisions
    return difference / sqrt(past.error + now.error)
