"""How credits went one way over the matches of a case: every place on the drawing.

Coordinates are whole units of a view box; a template writes them as SVG.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from fairplay.settlement import credits_text

WIDTH: Final = 800
HEIGHT: Final = 240
LEFT: Final = 90
RIGHT: Final = 770
TOP: Final = 20
BOTTOM: Final = 200


@dataclass(frozen=True, slots=True)
class Dot:
    """A match on the drawing."""

    x: int
    y: int
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class PlayLevel:
    """A line across the drawing."""

    y: int
    text: str


@dataclass(frozen=True, slots=True)
class PlayChart:
    """The drawing, with the same in words."""

    line: str
    dots: tuple[Dot, ...]
    levels: tuple[PlayLevel, ...]
    words: str


def chart(moved_cents: Sequence[int]) -> PlayChart | None:
    """The sum that one player had won from the other after each match; None below two matches."""
    if len(moved_cents) < 2:
        return None
    sums = [sum(moved_cents[: number + 1]) for number in range(len(moved_cents))]
    low, high = min(0, *sums), max(0, *sums)
    span = (high - low) or 1

    def height(cents: int) -> int:
        return round(BOTTOM - (cents - low) * (BOTTOM - TOP) / span)

    step = (RIGHT - LEFT) / len(sums)
    places = [(LEFT, height(0))]
    dots = []
    for number, cents in enumerate(sums, start=1):
        x, y = round(LEFT + number * step), height(cents)
        places.append((x, y))
        dots.append(Dot(x, y, _("Match %(number)s") % {"number": number}, credits_text(cents)))
    levels = {low, 0, high}
    return PlayChart(
        line=" ".join(f"{x},{y}" for x, y in places),
        dots=tuple(dots),
        levels=tuple(PlayLevel(height(cents), credits_text(cents)) for cents in sorted(levels)),
        words=_("After %(count)s matches %(sum)s went one way.")
        % {"count": len(sums), "sum": credits_text(sums[-1])},
    )
