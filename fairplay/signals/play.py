"""Whether somebody plays better than people do, or than they did before. Pure.

A player's counted decisions are split by match: one part raises a suspicion, the other one, which
did not raise it, is tested. Two rules. Nobody is known to play below `BEYOND_PR` over so many
decisions. And a player is compared with their own past before they are compared with anybody else:
by how often they find a play that loses nothing, which an engine changes more than the error rate.
Who learns gets better, too; so the past counts only for those who by now play like the best.

And how they decide: people find easy plays more often than hard ones, and take longer for the hard
ones. With an engine both differences shrink. Reviewers see this beside the judgement; it decides
nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, median
from typing import Final

from analysis.exercises.grading import EASY, HARD
from backgammon.counting.figures import PR_SCALE

LEAST: Final = 500
"""Counted decisions before anybody is judged."""

PAST_LEAST: Final = 1_000
"""Counted decisions of the own past before it is compared with."""

BEYOND_PR: Final = 1.3
BEYOND_PART_PR: Final = 1.9

STRONG_PR: Final = 6.0
"""Only those who play below this error rate are compared with their past: others learn."""

WINDOWS: Final = (500, 1_000, 2_000)
"""So many of the last counted decisions are judged, each time; those before are the past."""

EVERY: Final = 4
"""Each fourth match raises the suspicion, the others are tested."""

EXACT: Final = 0.0005
"""A decision that loses less than this counts as without loss."""

SCREEN_Z: Final = 1.0
FALSE_ALARMS: Final = 0.001
"""The share of honest players that may be suspected within 90 days, over all looks at them."""

LOOKS: Final = 20
"""So often an active player is judged in 90 days. The windows and looks overlap, so the limit is
stricter than it has to be; `python -m bench.fairplay` measures what comes out."""

SPREAD: Final = 1.2
"""The variance between matches beyond that of single decisions, as a factor: form, opponents."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Counted decisions: how many, the sum of their losses, and how many lost nothing."""

    decisions: int = 0
    lost: float = 0.0
    exact: int = 0

    @property
    def pr(self) -> float:
        """The error rate; 0 without decisions."""
        return PR_SCALE * self.lost / self.decisions if self.decisions else 0.0

    @property
    def exact_share(self) -> float:
        """The share of decisions that lost nothing; 0 without decisions."""
        return self.exact / self.decisions if self.decisions else 0.0

    def __add__(self, other: "Sample") -> "Sample":
        return Sample(
            self.decisions + other.decisions, self.lost + other.lost, self.exact + other.exact
        )


@dataclass(frozen=True, slots=True)
class PlayJudgement:
    """The result: which rule alarms (``beyond``, ``past`` or none), and how far from the past."""

    rule: str = ""
    z: float = 0.0

    @property
    def odds(self) -> float:
        """One honest player in so many is as far from their own past; at least 1,000 otherwise."""
        if self.rule != "past":
            return 1_000.0
        return 1 / max(1 - NormalDist().cdf(self.z), 1e-6)


@dataclass(frozen=True, slots=True)
class PlayerFound:
    """The judgement of the `last` matches of a player by the decisions `before`.

    `matches` is how many of the matches, from the newest on, were judged.
    """

    judged: PlayJudgement = PlayJudgement()
    last: Sample = Sample()
    before: Sample = Sample()
    matches: int = 0


def judged_player(matches: Sequence[Sample]) -> PlayerFound:
    """Judge a player by their analysed matches, newest first: in the first window that alarms."""
    found = PlayerFound()
    for window in WINDOWS:
        number = counted = 0
        while number < len(matches) and counted < window:
            counted += matches[number].decisions
            number += 1
        if counted < window:
            break
        found = _judged(matches[:number], matches[number:])
        if found.judged.rule:
            break
    return found


def _judged(now: Sequence[Sample], past: Sequence[Sample]) -> PlayerFound:
    before = sum(past, Sample())
    screen = sum(now[::EVERY], Sample())
    test = sum((each for place, each in enumerate(now) if place % EVERY), Sample())
    return PlayerFound(judged_play(screen, test, before), screen + test, before, len(now))


def judged_play(screen: Sample, test: Sample, past: Sample) -> PlayJudgement:
    """Judge a player by two parts of their last decisions and by those before."""
    both = screen + test
    if both.decisions < LEAST or not screen.decisions or not test.decisions:
        return PlayJudgement()
    if both.pr < BEYOND_PR and max(screen.pr, test.pr) < BEYOND_PART_PR:
        return PlayJudgement("beyond")
    if past.decisions < PAST_LEAST:
        return PlayJudgement()
    z = better_by(test, past)
    suspected = better_by(screen, past) >= SCREEN_Z
    alarms = suspected and z >= limit() and both.pr < min(STRONG_PR, past.pr)
    return PlayJudgement("past" if alarms else "", z)


def limit() -> float:
    """So many standard errors better than the past alarm.

    The part that raises the suspicion is another one than the part that is tested, so both chances
    multiply.
    """
    normal = NormalDist()
    suspected = 1 - normal.cdf(SCREEN_Z)
    return normal.inv_cdf(1 - FALSE_ALARMS / (LOOKS * len(WINDOWS) * suspected))


def better_by(now: Sample, past: Sample) -> float:
    """How much more often than before nothing was lost, in standard errors of the difference."""
    share = (past.exact + 1) / (past.decisions + 2)
    variance = SPREAD * share * (1 - share) * (1 / past.decisions + 1 / now.decisions)
    return (now.exact_share - past.exact_share) / sqrt(variance)


OF_A_KIND_LEAST: Final = 20
"""So many decisions of a kind before anything is said about it."""


@dataclass(frozen=True, slots=True)
class MadeDecision:
    """A counted decision: the lead of its best option, its loss, and the seconds it took."""

    gap: float
    loss: float
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Habits:
    """Shares without loss, and median seconds; None below `OF_A_KIND_LEAST` decisions."""

    hard: float | None
    easy: float | None
    hard_seconds: float | None
    easy_seconds: float | None


def habits_of(decisions: Iterable[MadeDecision]) -> Habits:
    """The habits in these decisions; what is neither hard nor easy is left out."""
    made = list(decisions)
    hard = [each for each in made if each.gap < HARD]
    easy = [each for each in made if each.gap >= EASY]
    return Habits(_share(hard), _share(easy), _seconds(hard), _seconds(easy))


def _share(made: Sequence[MadeDecision]) -> float | None:
    if len(made) < OF_A_KIND_LEAST:
        return None
    return sum(each.loss < EXACT for each in made) / len(made)


def _seconds(made: Sequence[MadeDecision]) -> float | None:
    timed = [each.seconds for each in made if each.seconds is not None]
    return median(timed) if len(timed) >= OF_A_KIND_LEAST else None
