"""The right cube action, and the reasons why nobody may double."""

from collections.abc import Callable
from typing import Final, Literal

from backgammon.counting.judging import DROPPED, worth_of_turn
from backgammon.counting.situation import THEIRS, Situation

#: what to do with the cube, in the words of the player on roll.
Verdict = Literal[
    "no_double",
    "too_good",
    "double_take",
    "double_drop",
    "double_beaver",
    "no_double_beaver",
    "no_cube",
]

_DIGITS: Final = 4


def verdict(no_double: float, double_take: float, turns_most: int = 1) -> Verdict:
    """The right actions of both; a beaver counts where the cube may be turned again at once."""
    doubled = worth_of_turn(double_take, 1, turns_most)
    beavers = turns_most > 1 and double_take < 0
    if no_double > doubled:
        if double_take >= DROPPED:
            return "too_good"
        return "no_double_beaver" if beavers else "no_double"
    if double_take > DROPPED:
        return "double_drop"
    return "double_beaver" if beavers else "double_take"


_REFUSALS: Final[tuple[tuple[str, Callable[[Situation], bool]], ...]] = (
    ("crawford", lambda situation: situation.crawford),
    ("not_yours", lambda situation: situation.cube.owner == THEIRS),
    (
        "dead",
        lambda situation: situation.away is not None and situation.away[0] <= situation.cube.value,
    ),
)


def refusal_of(situation: Situation) -> str | None:
    """Why the player on roll may not double, by the codes of `rules.cube.CubeRefusal`."""
    return next((code for code, refuses in _REFUSALS if refuses(situation)), None)


def rounded(value: float) -> float:
    return round(value, _DIGITS) + 0.0  # never a -0.0
