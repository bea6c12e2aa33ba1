"""The chances over the match as a line, with errors and jokers: every place on the drawing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from analysis.pages.numbers import of_result, plain
from analysis.pages.report_decisions import ReportDecision
from backgammon.pictures.marks import number
from kit.charts import ChartFrame, ChartLevel, path

FRAME: Final = ChartFrame(width=1000, height=250, left=44, right=990, top=60, bottom=200)
LANES: Final = {"far": 36, "near": 226}

#: a roll whose luck is at least so large is a joker: in parts of the match, or in points.
JOKER: Final = 0.05
JOKER_POINTS: Final = 0.5

#: a game that takes more of the width is named in full.
_WIDE: Final = 130


@dataclass(frozen=True, slots=True)
class DecisionSpot:
    """A mark on the drawing; `key` names the decision."""

    key: str
    x: str
    y: str
    look: str


@dataclass(frozen=True, slots=True)
class GamePart:
    """A game on the drawing: where it begins, and the score before it; a wide one has room."""

    game: int
    x: str
    score: str
    wide: bool


@dataclass(frozen=True, slots=True)
class MatchChart:
    """The drawing. `points` has each decision's key, place and chance in words, for a script."""

    line: str
    area: str
    levels: tuple[ChartLevel, ...]
    parts: tuple[GamePart, ...]
    errors: tuple[DecisionSpot, ...]
    jokers: tuple[DecisionSpot, ...]
    points: tuple[tuple[str, float, float, str], ...]
    words: str
    frame: ChartFrame = FRAME


_LOOKS: Final = {"??": "blunder", "?": "error", "?!": "doubtful"}


def chart(
    rows: Sequence[ReportDecision], near: int, names: Sequence[str], *, points: bool
) -> MatchChart | None:
    """The drawing for one side of the board; None without anything to draw."""
    chances = [row.result_after(near, points=points) for row in rows]
    known = [chance for chance in chances if chance is not None]
    if not known:
        return None
    reach = max(1.0, *(abs(chance) for chance in known)) if points else 1.0
    low, middle = (-reach, 0.0) if points else (0.0, 0.5)

    def height(chance: float) -> float:
        return FRAME.row(chance, low, reach)

    places = [FRAME.column(index, len(rows)) for index in range(len(rows))]
    spots = [(x, height(c)) for x, c in zip(places, chances, strict=True) if c is not None]
    line, base = path(spots), number(height(middle))
    return MatchChart(
        line=line,
        area=f"M{number(spots[0][0])} {base}L{line[1:]}L{number(spots[-1][0])} {base}Z",
        levels=FRAME.levels(
            (low, 0.0, reach) if points else (0.25, 0.5, 0.75),
            low,
            reach,
            plain if points else lambda share: str(round(100 * share)),
        ),
        parts=tuple(_parts(rows, places)),
        errors=tuple(
            DecisionSpot(row.key, number(x), str(LANES["near" if row.seat == near else "far"]),
                 _LOOKS[row.mark])
            for row, x in zip(rows, places, strict=True)
            if row.mark
        ),
        jokers=tuple(
            DecisionSpot(row.key, number(x), number(height(chance)), "joker")
            for row, x, chance in zip(rows, places, chances, strict=True)
            if chance is not None and is_joker(row, points=points)
        ),
        points=tuple(
            (row.key, round(x, 1), round(height(chance), 1),
             of_result(chance, points=points, sign=False))
            for row, x, chance in zip(rows, places, chances, strict=True)
            if chance is not None
        ),
        words=_words(names[near], known, points=points),
    )  # fmt: skip


def is_joker(row: ReportDecision, *, points: bool) -> bool:
    """Whether the roll changed the result by much."""
    gift = row.line["gift"]
    return gift is not None and abs(gift) >= (JOKER_POINTS if points else JOKER)


def _parts(rows: Sequence[ReportDecision], places: Sequence[float]) -> list[GamePart]:
    begun: dict[int, float] = {}
    scores: dict[int, str] = {}
    for row, x in zip(rows, places, strict=True):
        begun.setdefault(row.game, x)
        scores.setdefault(row.game, row.score)
    found = []
    ends = [*list(begun.values())[1:], float(FRAME.right)]
    for (game, x), end in zip(begun.items(), ends, strict=True):
        found.append(GamePart(game, number(x), scores[game], end - x > _WIDE))
    return found


def _words(name: str, known: Sequence[float], *, points: bool) -> str:
    ends = (min(known), max(known))
    lowest, highest = (of_result(each, points=points, sign=False) for each in ends)
    if points:
        text = _("What {name} could expect over the match, in points: between {low} and {high}.")
    else:
        text = _("{name}'s chance to win over the match: between {low} and {high}.")
    return text.format(name=name, low=lowest, high=highest)
