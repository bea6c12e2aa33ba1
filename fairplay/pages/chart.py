"""How credits went one way over the matches of a case: every place on the drawing."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from django.utils.translation import gettext as _

from backgammon.pictures.marks import number
from fairplay.settlement import credits_text
from kit.charts import ChartFrame, ChartLevel, path

FRAME: Final = ChartFrame(width=800, height=240, left=90, right=770, top=20, bottom=200)


@dataclass(frozen=True, slots=True)
class Dot:
    """A match on the drawing."""

    x: str
    y: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class PlayChart:
    """The drawing, with the same in words."""

    line: str
    dots: tuple[Dot, ...]
    levels: tuple[ChartLevel, ...]
    words: str
    frame: ChartFrame = FRAME


def chart(moved_cents: Sequence[int]) -> PlayChart | None:
    """The sum that one player had won from the other after each match; None below two matches."""
    if len(moved_cents) < 2:
        return None
    sums = list(accumulate(moved_cents, initial=0))
    low, high = min(sums), max(sums)
    spots = [
        (FRAME.column(at, len(sums)), FRAME.row(cents, low, high)) for at, cents in enumerate(sums)
    ]
    return PlayChart(
        line=path(spots),
        dots=tuple(
            Dot(number(x), number(y), _("Match %(number)s") % {"number": at}, credits_text(cents))
            for at, ((x, y), cents) in enumerate(zip(spots, sums, strict=True))
            if at
        ),
        levels=FRAME.levels(sorted({low, 0, high}), low, high, lambda at: credits_text(int(at))),
        words=_("After %(count)s matches %(sum)s went one way.")
        % {"count": len(moved_cents), "sum": credits_text(sums[-1])},
    )
