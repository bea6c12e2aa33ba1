"""The grade of an answer: by what it loses against the best option."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from backgammon.counting.judging import MARKS

Grade = Literal["found", "close", "error", "blunder"]

_BLUNDER, _ERROR, _SHOWN = (least for least, _ in MARKS)

#: a best option that leads by more is easy, by less than the second hard.
EASY: Final = 0.100
HARD: Final = 0.050


@dataclass(frozen=True, slots=True)
class Graded:
    """An answer with its loss in equity; `at_least` if the loss is known only to be no smaller."""

    text: str
    loss: float
    at_least: bool = False

    @property
    def grade(self) -> Grade:
        """The grade of the loss."""
        return grade_of(self.loss)


def grade_of(loss: float) -> Grade:
    """The grade of a loss; what is too small to be called an error is found."""
    if loss >= _BLUNDER:
        return "blunder"
    if loss >= _ERROR:
        return "error"
    return "close" if loss >= _SHOWN else "found"


def graded(text: str, options: Sequence[tuple[str, float]]) -> Graded:
    """The answer `text` among the judged options with their equities, the best first.

    Only the best plays of a roll are stored; any other loses at least as much as the worst of them.
    """
    best = options[0][1]
    for option, equity in options:
        if option == text:
            return Graded(text, max(0.0, best - equity))
    return Graded(text, max(0.0, best - min(equity for _, equity in options)), at_least=True)


def difficulty_of(gap: float, *, misleading: bool) -> int:
    """How hard a decision is, 1 to 3, by the lead of its best option.

    `misleading`: the bare net would have chosen another.
    """
    if misleading or gap < HARD:
        return 3
    return 2 if gap < EASY else 1
