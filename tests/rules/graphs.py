"""Golden graphs: the nodes of the search for every variant, in their order.

The order decides nothing in the rules, but clients get the graph, and the move that a seeded walk
takes depends on it. A line of tests/golden/graphs.txt has the fingerprint of 150 rolls of random
games and 150 rolls from positions thrown together. `python -m tests.rules.graphs` writes the file
anew; a new variant gets its lines then.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from backgammon.rules.plays import LegalPlays
from backgammon.rules.variant import PLAIN, Options, Variant
from backgammon.rules.variants import ALL
from backgammon.tests.rules.playing import rolled_positions, scattered
from games.wire import encode

FILE = Path(__file__).parents[1] / "golden" / "graphs.txt"
ROLLS = 150


def cases() -> Iterator[tuple[str, Variant, Options]]:
    """Every variant, and those with optional rules of movement with all of them as well."""
    for variant in ALL:
        yield variant.key, variant, PLAIN
        if {"max_stack", "no_hit_and_run"} <= variant.options_offered:
            yield f"{variant.key}, options", variant, Options(max_stack=5, no_hit_and_run=True)


def fingerprint(variant: Variant, options: Options) -> str:
    """The fingerprint of the graphs of one case."""
    chance, told = random.Random(f"graphs {variant.key}"), sha256()
    for rolled in rolled_positions(variant, 7, ROLLS):
        told.update(_text(rolled.plays))
        told.update(
            _text(
                variant.legal_plays(
                    rolled.position, rolled.dice, first_turn=rolled.first_turn, options=options
                )
            )
        )
    for _ in range(ROLLS):
        dice = tuple(chance.randint(1, 6) for _ in range(variant.dice_count))
        told.update(_text(variant.legal_plays(scattered(variant, chance), dice, options=options)))
    return told.hexdigest()[:32]


def _text(plays: LegalPlays) -> bytes:
    boards = [plays.graph.position(node).text() for node in range(len(plays.graph.wire()))]
    return encode([plays.dice_played, plays.graph.wire(), boards]).encode()


def written() -> str:
    """The content of the file."""
    return "".join(f"{name}: {fingerprint(*case)}\n" for name, *case in cases())


if __name__ == "__main__":
    FILE.write_text(written())
