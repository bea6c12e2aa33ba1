"""Curves of single kinds: after how many transfers a ring is held, and players by decisions.

Honest pairs meet as people of different strength do: some often, some once; some are new, some give
up early. Four kinds of rings hand five stakes over. Every match is judged by the code of the house
(`fairplay.signals.pairs`), with the analysis where there would be one. Error rates by match: a
player's own PR with the spread of a match of about 70 decisions.

Players are judged after every match by `fairplay.signals.play`, by losses of single decisions
(`draws`): so many who use an engine for all, 60 % or 30 % of their decisions are found after so
many decisions, by their own strength, with a past of 4,000 decisions and without, and so many
honest ones.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from backgammon.counting.figures import PR_SCALE
from fairplay.signals.pairs import PairFacts, judged_pair
from fairplay.signals.play import EXACT, Sample, judged_player

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


TRANSFERS: Final = 5
SPREAD_PR: Final = 3.0
"""Standard deviation of a match's PR around the player's own."""

EARLY_SHARE: Final = 0.015
"""So many honest losers give a match up within the first minutes."""

GIFT: Final = 25.0
"""So much worse than they can do those play who lose on purpose."""

NEWCOMERS: Final = 0.15


@dataclass(frozen=True, slots=True)
class Giver:
    """Somebody who hands credits over: new or not, by giving up early or by playing badly."""

    is_new: bool
    gives_up: bool


KINDS: Final = {
    "new accounts that give up": Giver(is_new=True, gives_up=True),
    "new accounts that play badly": Giver(is_new=True, gives_up=False),
    "old accounts that give up": Giver(is_new=False, gives_up=True),
    "old accounts that play badly": Giver(is_new=False, gives_up=False),
}


def ring_found_after(giver: Giver, chance: random.Random) -> int:
    """After which transfer a ring is held; 0 if after none of them."""
    own = chance.uniform(4, 18)
    errors: list[float] = []
    for number in range(1, TRANSFERS + 1):
        errors.append(own + SPREAD_PR * chance.gauss(0, 1) + (0 if giver.gives_up else GIFT))
        facts = PairFacts(
            results=[True] * number,
            net_cents=1_000 * number,
            given_up=number if giver.gives_up else 0,
            in_day=number,
            loser_age_days=0.5 if giver.is_new else 200.0,
            stake_share=chance.uniform(0.3, 1.0) if giver.is_new else 0.1,
            loser_share=1.0 if giver.is_new else chance.uniform(0.1, 0.5),
            loser_matches=number if giver.is_new else 40 + number,
            pr_here=None if giver.gives_up else sum(errors) / number,
            pr_elsewhere=None if giver.is_new else own,
            analysed=0 if giver.gives_up else number,
        )
        if judged_pair(facts).level == "hold":
            return number
    return 0


def honest_pair_held(chance: random.Random) -> bool:
    """Whether an honest pair is ever held over the matches it plays."""
    new, own = chance.random() < NEWCOMERS, chance.uniform(3, 25)
    matches = min(1 + int(chance.expovariate(0.5)), 40)
    better = 1 / (1 + 10 ** (-abs(chance.gauss(0, 200)) / 400))
    friends = chance.random() < 0.2
    results: list[bool] = []
    early, errors = 0, []
    elsewhere = 0 if new else chance.randint(3, 60)
    for number in range(1, matches + 1):
        won = chance.random() < (better if number == 1 or results[0] else 1 - better)
        results.append(won)
        early += won and chance.random() < EARLY_SHARE
        errors.append(own + SPREAD_PR * chance.gauss(0, 1))
        if not won:
            continue
        facts = PairFacts(
            results=list(results),
            net_cents=(2 * sum(results) - number) * 500,
            given_up=early,
            in_day=min(number, 3),
            loser_age_days=chance.uniform(0, 3) if new else 100.0,
            stake_share=chance.uniform(0.02, 0.6 if new else 0.3),
            loser_share=number / (number + elsewhere) if not friends or not new else 1.0,
            loser_matches=number + elsewhere,
            pr_here=sum(errors) / number,
            pr_elsewhere=own + chance.gauss(0, 1) if elsewhere >= 2 else None,
            analysed=number,
        )
        if judged_pair(facts).level == "hold":
            return True
    return False


STRENGTHS: Final = (2.7, 4.0, 5.3, 8.5)
PAST_MATCHES: Final = 57
LOOKS: Final = (500, 1_000, 2_000)


def found_by(pr: float, use: float, past: int, draw: np.random.Generator) -> int:
    """After how many decisions somebody with this PR who asks an engine so often is found, or 0.

    Before they had so many matches without it.
    """
    matches = [match_of(pr, 0.0, draw) for _ in range(past)]
    for number in range(1, LOOKS[-1] // MATCH + 2):
        matches.append(match_of(pr, use, draw))
        if judged_player(matches[::-1]).judged.rule:
            return max((number - 1) * MATCH + 1, 1)
    return 0


def players(count: int, seed: int) -> dict[str, dict[int, float]]:
    """The share of players that is found by each number of decisions, by use, past and strength."""
    found = {}
    for past in (0, PAST_MATCHES):
        for use in (1.0, 0.6, 0.3, 0.0):
            for pr in STRENGTHS:
                draw = np.random.default_rng([seed, past, int(use * 10), int(pr * 10)])
                after = [found_by(pr, use, past, draw) for _ in range(count)]
                name = f"{use:.0%} use" if use else "honest"
                found[f"{name}, PR {pr}, {'own past' if past else 'no past'}"] = {
                    look: sum(0 < each <= look for each in after) / count for look in LOOKS
                }
    return found


def figures(pairs: int, rings: int, count: int, seed: int) -> dict[str, Any]:
    """The shares found and held, by kind."""
    found: dict[str, Any] = {"players": players(count, seed)}
    for name, giver in KINDS.items():
        after = Counter(_each(rings, seed, partial(ring_found_after, giver)))
        before = sum(after[number] for number in range(1, TRANSFERS))
        found[name] = {
            "found_before_the_fifth": before / rings,
            "found_after": {number: after[number] / rings for number in range(1, TRANSFERS + 1)},
        }
    found["honest pairs held"] = sum(_each(pairs, seed, honest_pair_held)) / pairs
    return found


def _each(count: int, seed: int, one: Callable[[random.Random], int]) -> Iterator[int]:
    for number in range(count):
        yield one(random.Random(f"{seed} {number}"))
