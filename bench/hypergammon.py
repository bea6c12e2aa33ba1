"""How well bgsage plays Hypergammon, by the exact table: `python -m bench.hypergammon [--short]`.

Plays and cubes of random positions in unlimited play, judged by the table that
`python -m backgammon.train.hypergammon` has made. The positions come up in games that the table
plays with errors.
Without a table it says so and ends.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from random import Random
from statistics import fmean

import django

from backgammon.evaluation import sage
from backgammon.evaluation.hypergammon import here
from backgammon.evaluation.hypergammon.table import HypergammonTable
from backgammon.evaluation.sage import Stakes
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key

VARIANT = by_key("hypergammon")
#: one play of so many is a random one, so that the games go everywhere.
RANDOM_EACH = 4
MONEY = Stakes(jacoby=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the mean and the largest loss for each depth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="twenty decisions, at 1-ply")
    parser.add_argument("--decisions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
    django.setup()
    table = here.table()
    if table is None:
        print("no table here: `python -m backgammon.train.hypergammon` computes it")
        return 0
    count = 20 if wanted.short else wanted.decisions
    met = positions(table, count, Random(wanted.seed))
    for plies in (1,) if wanted.short else (1, 2):
        lost = [play_loss(table, position, roll, plies) for position, roll in met]
        wrong = [cube_loss(table, position, plies) for position, _ in met]
        print(f"{plies}-ply, {count} plays: {figures(lost)}; cubes: {figures(wrong)}")
    return 0


def positions(
    table: HypergammonTable, count: int, chance: Random
) -> list[tuple[Position, tuple[int, int]]]:
    """Positions with a roll that leaves a choice, as they come up."""
    found: list[tuple[Position, tuple[int, int]]] = []
    position = VARIANT.start
    while len(found) < count:
        roll = (chance.randint(1, 6), chance.randint(1, 6))
        results = sorted(VARIANT.legal_plays(position, roll).results, key=Position.text)
        if len(results) > 1:
            found.append((position, roll))
        best = max(results, key=lambda result: table.after_play(result, MONEY)[0])
        result = chance.choice(results) if not chance.randrange(RANDOM_EACH) else best
        over = VARIANT.outcome(result) is not None
        position = VARIANT.start if over else result.turned(VARIANT.way)
    return found


def play_loss(
    table: HypergammonTable, position: Position, roll: tuple[int, int], plies: int
) -> float:
    """The loss of the play that bgsage chooses, in points of the cube."""
    before, results = sage.board_of(position), list(VARIANT.legal_plays(position, roll).results)
    exact = [table.after_play(result, MONEY)[0] for result in results]
    told = [sage.after_play(sage.board_of(result), before, MONEY, plies)[0] for result in results]
    return max(exact) - exact[told.index(max(told))]


def cube_loss(table: HypergammonTable, position: Position, plies: int) -> float:
    """The loss of what bgsage decides about doubling."""
    told = sage.before_roll(sage.board_of(position), MONEY, plies)
    exact = table.before_roll(position, MONEY)
    doubled, doubles = min(exact.double_take, 1.0), min(told.double_take, 1.0) > told.no_double
    best = max(exact.no_double, doubled)
    return best - (doubled if doubles else exact.no_double)


def figures(lost: Sequence[float]) -> str:
    """A mean and how it comes about."""
    free = sum(loss < 0.001 for loss in lost)
    return f"mean loss {fmean(lost):.4f}, largest {max(lost):.3f}, {free} of {len(lost)} without"


if __name__ == "__main__":
    sys.exit(main())
