"""The page on points and openings: names of points, and for each first roll the usual plays."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from analysis.pages.board import START

_SLOT: Final = gettext_lazy("puts a builder down, and slots or splits")
_POINT: Final = gettext_lazy("makes a point: among the best rolls")
_SPLIT: Final = gettext_lazy("splits the back checkers, brings a builder")
_RUN: Final = gettext_lazy("runs with a back checker")

#: the first rolls with the plays that players choose, the most usual one first
OPENINGS: Final = (
    ((2, 1), ("13/11 6/5", "24/23 13/11"), _SLOT),
    ((3, 1), ("8/5 6/5",), _POINT),
    ((4, 1), ("24/23 13/9", "13/9 6/5"), _SPLIT),
    ((5, 1), ("24/23 13/8", "13/8 6/5"), _SPLIT),
    ((6, 1), ("13/7 8/7",), _POINT),
    ((3, 2), ("24/21 13/11", "13/11 13/10"), _SPLIT),
    ((4, 2), ("8/4 6/4",), _POINT),
    ((5, 2), ("13/11 13/8", "24/22 13/8"), _SPLIT),
    ((6, 2), ("24/18 13/11",), _SPLIT),
    ((4, 3), ("24/20 13/10", "24/21 13/9", "13/10 13/9"), _SPLIT),
    ((5, 3), ("8/3 6/3",), _POINT),
    ((6, 3), ("24/18 13/10", "24/15"), _SPLIT),
    ((5, 4), ("24/20 13/8", "13/9 13/8"), _SPLIT),
    ((6, 4), ("24/14", "24/18 13/9", "8/2 6/2"), _RUN),
    ((6, 5), ("24/13",), _RUN),
)


#: the points that have names, in the numbers of the player who moves
POINTS: Final = (
    (
        "24",
        gettext_lazy("ace point of the opponent"),
        gettext_lazy("the back checkers begin here"),
    ),
    ("22", gettext_lazy("three-point of the opponent"), gettext_lazy("an anchor deep at home")),
    (
        "20",
        gettext_lazy("golden point"),
        gettext_lazy("their five-point: the best anchor"),
    ),
    ("18", gettext_lazy("bar point of the opponent"), gettext_lazy("an anchor at the edge")),
    ("13", gettext_lazy("midpoint"), gettext_lazy("where five checkers begin; a landing place")),
    ("8", gettext_lazy("eight-point"), gettext_lazy("where three checkers begin")),
    ("7", gettext_lazy("bar point"), gettext_lazy("makes a block of three with six and eight")),
    ("6", gettext_lazy("six-point"), gettext_lazy("where five checkers begin")),
    ("5", gettext_lazy("five-point"), gettext_lazy("the best point to make at home")),
    ("4", gettext_lazy("four-point"), gettext_lazy("the next best")),
    ("3", gettext_lazy("three-point"), gettext_lazy("useful once better points are made")),
    ("2", gettext_lazy("deuce point"), gettext_lazy("deep: checkers there block little")),
    ("1", gettext_lazy("ace point"), gettext_lazy("deepest: for closing a board or bearing off")),
)


@dataclass(frozen=True, slots=True)
class Opening:
    """A first roll, its plays, the idea behind them, and the line for the analysis board."""

    dice: str
    plays: tuple[str, ...]
    idea: str
    xgid: str


def openings_shown() -> Iterator[Opening]:
    """Every first roll; the higher die stands first, as players say it."""
    for (high, low), plays, idea in OPENINGS:
        yield Opening(f"{high}-{low}", plays, str(idea), START.replace(":00:", f":{high}{low}:"))


@require_safe
def openings(request: HttpRequest) -> HttpResponse:
    """Show the page."""
    context = {"openings": list(openings_shown()), "points": POINTS}
    return render(request, "pasch/openings.html", context)
