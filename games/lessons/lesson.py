"""The parts of a lesson: steps, and in each a position with one task. Data only, no checking.

Texts are English and marked for translation; `[7 point]` in a text is emphasised on the page.
Points are those of the learner, who always plays the light checkers and is on roll.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from backgammon.rules.naming import gettext_noop as _
from backgammon.rules.position import Position

CHECKERS: Final = 15

#: the answer to a wrong play or an illegal one that a step does not name.
WRONG: Final = _("That is a legal play, but not the right one here. Try again.")
ILLEGAL: Final = _("The dice do not allow that here.")
UNFINISHED: Final = _("So far so good. The rest of the roll is still to be played.")
UNREADABLE: Final = _("Write a play like 13/7 8/7: from the point, a slash, to the point.")


@dataclass(frozen=True, slots=True)
class Wrong:
    """The answer to a typical mistake: any play that contains these moves ("24/18", "bar/20").

    Each move is that of one die. With `illegal` the moves are none of the roll, and the answer
    explains why.
    """

    moves: str
    text: str
    illegal: bool = False


@dataclass(frozen=True, slots=True)
class LessonChoice:
    """One answer of a question, and the reply to it."""

    key: str
    label: str
    text: str
    right: bool = False


@dataclass(frozen=True, slots=True)
class ShownCube:
    """The cube as a step shows it; `owner` is "me", "op" or None, `offered` by the opponent."""

    value: int = 1
    owner: str | None = None
    offered: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A task on the board: a play of `dice`, or a question with `choices`.

    `accepts` are plays in notation; every play that leads to the same position as one of them is
    right, and the first is the one that is shown on request. With `first_only` one move is asked
    for instead of a whole play. `arrows` are hints, pairs of points. `key` names the step in the
    stored progress and never changes.
    """

    key: str
    text: str
    position: Position
    dice: tuple[int, int] | None = None
    accepts: tuple[str, ...] = ()
    right: str = ""
    wrong: tuple[Wrong, ...] = ()
    otherwise: str = WRONG
    first_only: bool = False
    choices: tuple[LessonChoice, ...] = ()
    arrows: tuple[tuple[int, int], ...] = ()
    cube: ShownCube | None = None
    score: tuple[int, int, int] | None = None
    """Points of the learner and of the opponent, and the points that the match goes to."""

    @property
    def is_question(self) -> bool:
        """Whether the step asks for a choice instead of a play."""
        return bool(self.choices)


@dataclass(frozen=True, slots=True)
class Lesson:
    """Steps in their order. `key` is part of the address and of the stored progress."""

    key: str
    title: str
    line: str
    minutes: int
    steps: tuple[Step, ...] = field(repr=False)

    def number(self, step_key: str) -> int:
        """The number of a step, from 1. Raises `KeyError` if the lesson has none of that key."""
        for number, step in enumerate(self.steps, start=1):
            if step.key == step_key:
                return number
        raise KeyError(step_key)


def stand(
    mine: Mapping[int, int], theirs: Mapping[int, int], *, bar: tuple[int, int] = (0, 0)
) -> Position:
    """A position from the checkers on the points; those that are missing have been borne off.

    Both mappings have the learner's numbers of the points.
    """
    points = [0] * 24
    for point, count in mine.items():
        points[point - 1] = count
    for point, count in theirs.items():
        points[point - 1] = -count
    off = (
        CHECKERS - sum(mine.values()) - bar[0],
        CHECKERS - sum(theirs.values()) - bar[1],
    )
    return Position(tuple(points), bar=bar, off=off)


OPENING: Final = stand({24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5})
