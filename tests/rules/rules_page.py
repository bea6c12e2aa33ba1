"""The table of variants in docs/rules.md, from the data of the variants."""

from __future__ import annotations

import re
from pathlib import Path

from backgammon.rules.start import StartRule
from backgammon.rules.variant import Variant
from backgammon.rules.variants import ALL

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules.md"
HEAD = "| key | way | setup | closed by | single man is | cube | levels | first game | next games |"
BEGINS = {
    StartRule.ROLL_OFF_USE: "roll off, use it",
    StartRule.ROLL_OFF_REROLL: "roll off, roll anew",
    StartRule.WINNER_STARTS: "winner begins",
    StartRule.OPENER_ALTERNATES: "opener, then in turn",
}
_TABLE = re.compile(re.escape(HEAD) + r"\n(?:\|.*\n)+")


def with_table(page: str) -> str:
    """The page with its table generated from the registry.

    :raises ValueError: if the page has no such table.
    """
    lines = (HEAD, re.sub("[^|]+", "---", HEAD), *map(_row, ALL))
    written, count = _TABLE.subn("".join(f"{line}\n" for line in lines), page)
    if count != 1:
        raise ValueError(f"{PAGE} has {count} tables of variants instead of one")
    return written


def _row(variant: Variant) -> str:
    movement = variant.movement
    cells = (
        f"`{variant.key}`",
        variant.way.value,
        _setup(variant),
        f"{movement.closed_by} or a pin" if movement.pins else str(movement.closed_by),
        "hit" if movement.hits else "pinned" if movement.pins else "safe",
        "yes" if variant.has_cube else "no",
        _levels(variant),
        BEGINS[variant.start_rule],
        _next_games(variant),
    )
    return f"| {' | '.join(cells)} |"


def _setup(variant: Variant) -> str:
    places = [f"{point}:{count}" for point, count in variant.setup.items()]
    return " ".join(places + [f"{variant.in_hand} in hand"] * bool(variant.in_hand))


def _levels(variant: Variant) -> str:
    levels = variant.levels
    return f"1..{max(levels)}" if len(levels) > 3 else " ".join(map(str, levels))


def _next_games(variant: Variant) -> str:
    again = variant.next_start_rule is variant.start_rule
    return "the same" if again else BEGINS[variant.next_start_rule]
