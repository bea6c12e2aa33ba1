"""Golden counts of the plays of each roll, for every variant, in its start and played positions.

A file of tests/golden/plays/ has one line for each roll: the roll, the different results, the
sequences, the dice played, and a fingerprint of the results. After a deliberate change of a rule,
write the files again with `python -m tests.rules.golden` and read the difference. The positions
of the files stay the same; a new variant gets its start and positions of a random game. The same
command writes the table of variants in docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations_with_replacement
from pathlib import Path

from backgammon.rules.plays import LegalPlays
from backgammon.rules.position import Position
from backgammon.rules.variant import Variant
from backgammon.rules.variants import ALL
from backgammon.tests.rules.playing import rolled_positions
from tests.rules.rules_page import PAGE, with_table

FOLDER = Path(__file__).parents[1] / "golden" / "plays"
FIRST_TURN = "  (first turn)"
GATHERED, TURNS_APART = 45, 9


def positions(variant: Variant) -> Iterator[tuple[Position, bool]]:
    """The positions of the existing file; for a new variant, the start and some of its games."""
    if file_of(variant).exists():
        for heading in file_of(variant).read_text().split("\n\n")[1:]:
            text = heading.splitlines()[0]
            yield Position.parse(text.removesuffix(FIRST_TURN)), text.endswith(FIRST_TURN)
    else:
        yield variant.start, True
        for turn, rolled in enumerate(rolled_positions(variant, 1, GATHERED), start=1):
            if turn % TURNS_APART == 0:
                yield rolled.position, False


def line(dice: tuple[int, ...], plays: LegalPlays) -> str:
    texts = "\n".join(sorted(result.text() for result in plays.results))
    return (
        f"{'-'.join(map(str, dice))}  results {len(plays.results)}  sequences {plays.count()}"
        f"  dice {plays.dice_played}  {sha256(texts.encode()).hexdigest()[:12]}"
    )


def counts(variant: Variant) -> str:
    """The golden file of a variant."""
    lines = [f"{variant.key}: legal plays by position and roll"]
    for position, first_turn in positions(variant):
        lines += ["", position.text() + (FIRST_TURN if first_turn else "")]
        for rising in combinations_with_replacement(range(1, 7), variant.dice_count):
            dice = rising[::-1]
            lines.append(line(dice, variant.legal_plays(position, dice, first_turn=first_turn)))
    return "\n".join(lines) + "\n"


def file_of(variant: Variant) -> Path:
    return FOLDER / f"{variant.key}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in ALL:
        file_of(each).write_text(counts(each))
    PAGE.write_text(with_table(PAGE.read_text()))
