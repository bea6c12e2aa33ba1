"""How many rings and users of engines are found, and how many honest people are bothered.

    python -m bench.fairplay --pairs 50000 --rings 200 --seed 1

Honest pairs meet as people of different strength do: some often, some once; some are new, some give
up early. Four kinds of rings hand five stakes over. Every match is judged by the code of the house
(`fairplay.signals.pairs`), with the analysis where there would be one. Prints, for each kind, the
share that was held before the fifth transfer and after which transfer, and the share of honest
pairs that were ever held. Error rates by match: a player's own PR with the spread of a match of
about 70 decisions.

Players are judged by `fairplay.signals.play`: losses are drawn decision by decision, zero-inflated
gamma with the mean, spread and share of zeros of published human figures, and those of an engine
seen by another one. Prints how many who use an engine for all, 60 % or 30 % of their decisions are
found after so many decisions, with a past of their own and without, and how many honest ones.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from fairplay.signals.pairs import PairFacts, judged_pair
from fairplay.signals.play import Sample, judged_play

TRANSFERS: Final = 5
SPREAD_PR: Final = 3.0
"""Standard deviation of a match's PR around the player's own."""

EARLY_SHARE: Final = 0.015
"""So many honest losers give a match up within the first minutes."""

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
        errors.append(own + SPREAD_PR * chance.gauss(0, 1) + (0 if giver.gives_up else 25))
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


HUMAN: Final = ((0.0054, 0.0225, 0.82), (0.008, 0.031, 0.79), (0.0105, 0.038, 0.752),
                (0.0169, 0.054, 0.707))  # fmt: skip
"""Mean loss, its standard deviation and the share of zeros at PR 2.7, 4, 5.3 and 8.5."""

ENGINE: Final = (0.0016, 0.008, 0.92)
MATCH: Final = 70
PAST: Final = 4_000
LOOKS: Final = (500, 1_000, 2_000)


def losses(kind: tuple[float, float, float], count: int, draw: np.random.Generator) -> Any:
    """Losses of this many decisions."""
    mean, spread, zeros = kind
    of_errors = mean / (1 - zeros)
    variance = (spread**2 + mean**2) / (1 - zeros) - of_errors**2
    drawn = draw.gamma(of_errors**2 / variance, variance / of_errors, count)
    return np.where(draw.random(count) < zeros, 0.0, drawn)


def found_by(use: float, past: int, draw: np.random.Generator) -> int:
    """After how many decisions a player who asks an engine so often is found; 0 if never."""
    kind = HUMAN[draw.integers(len(HUMAN))]
    own, theirs = losses(kind, LOOKS[-1], draw), losses(ENGINE, LOOKS[-1], draw)
    now = np.where(draw.random(LOOKS[-1]) < use, theirs, own)
    before = _sample(losses(kind, past, draw))
    screened = np.arange(LOOKS[-1]) // MATCH % 4 == 0
    for count in LOOKS:
        part, chosen = now[:count], screened[:count]
        if judged_play(_sample(part[chosen]), _sample(part[~chosen]), before).rule:
            return count
    return 0


def _sample(lost: Any) -> Sample:
    return Sample(len(lost), float(lost.sum()), float((lost**2).sum()))


def players(count: int, seed: int) -> dict[str, dict[int, float]]:
    """The share of players that is found by each number of decisions, by use and past."""
    found = {}
    for past in (0, PAST):
        for use in (1.0, 0.6, 0.3, 0.0):
            draw = np.random.default_rng([seed, past, int(use * 10)])
            after = Counter(found_by(use, past, draw) for _ in range(count))
            name = f"{use:.0%} use" if use else "honest"
            found[f"{name}, {'own past' if past else 'no past'}"] = {
                look: sum(after[each] for each in LOOKS if each <= look) / count for look in LOOKS
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


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=50_000, help="honest pairs")
    parser.add_argument("--rings", type=int, default=1_000, help="rings of each kind")
    parser.add_argument("--players", type=int, default=2_000, help="players of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = figures(options.pairs, options.rings, options.players, options.seed)
    if options.json:
        print(json.dumps(found))
        return
    for name in KINDS:
        curve = "  ".join(
            f"{number}: {share:.1%}" for number, share in found[name]["found_after"].items()
        )
        print(f"{name:30} {found[name]['found_before_the_fifth']:6.1%} before the fifth   {curve}")
    print(f"{'honest pairs held':30} {found['honest pairs held']:6.2%} of {options.pairs:,}")
    for name, shares in found["players"].items():
        curve = "  ".join(f"{look:,}: {share:.2%}" for look, share in shares.items())
        print(f"{name:30} found by   {curve}")


if __name__ == "__main__":
    main()
