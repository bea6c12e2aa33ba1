"""The themes of a position, by facts that can be read off it."""

from collections.abc import Sequence
from typing import Final, Literal, get_args

from backgammon.counting.situation import Situation
from backgammon.rules.position import Position
from backgammon.rules.variant import Variant
from backgammon.rules.variants import by_key

Theme = Literal[
    "opening",
    "bar",
    "hitting",
    "priming",
    "holding",
    "middle",
    "race",
    "off",
    "double",
    "take",
]

THEMES: Final[tuple[Theme, ...]] = get_args(Theme)

Phase = Literal["opening", "contact", "race", "off"]

PHASES: Final[tuple[Phase, ...]] = get_args(Phase)

#: the themes of decisions about the cube; all others are about plays.
CUBE_THEMES: Final[tuple[Theme, ...]] = ("double", "take")

#: a game is in its opening while each side has so many of fifteen checkers where they began.
_AT_START: Final = 11

#: so many points in a row are a prime here.
_PRIME: Final = 4

_HOME: Final = 6


def theme_of(kind: str, situation: Situation, results: Sequence[Position] = ()) -> Theme:
    """The theme of a decision; `results` are the positions that its plays lead to.

    The first of these that is true: the cube; all own checkers at home; no contact; a checker on
    the bar; the opening; a prime with a checker behind it; a hit; a point held in the opponent's
    home. Else it is the middle game.
    """
    if kind == "double":
        return "double"
    if kind == "take":
        return "take"
    position, variant = situation.position, by_key(situation.variant)
    if position.rearmost() <= _HOME:
        return "off"
    if not position.contact(variant.way):
        return "race"
    if position.bar[0]:
        return "bar"
    if _is_opening(position, variant):
        return "opening"
    return _of_contact(position, variant, results)


def phase_of(situation: Situation) -> Phase:
    """The phase of the game, also where the cube is the theme."""
    position, variant = situation.position, by_key(situation.variant)
    if position.rearmost() <= _HOME:
        return "off"
    if not position.contact(variant.way):
        return "race"
    return "opening" if _is_opening(position, variant) else "contact"


def _of_contact(position: Position, variant: Variant, results: Sequence[Position]) -> Theme:
    held = variant.movement.closed_by
    turned = position.turned(variant.way)
    if _is_walled(position, held) or _is_walled(turned, held):
        return "priming"
    if any(result.bar[1] > position.bar[1] for result in results):
        return "hitting"
    their_home = (variant.way.across(point) for point in range(1, _HOME + 1))
    if any(position.points[point - 1] >= held for point in their_home):
        return "holding"
    return "middle"


def _is_opening(position: Position, variant: Variant) -> bool:
    pairs = list(zip(position.points, variant.start.points, strict=True))
    own = sum(min(now, then) for now, then in pairs if now > 0 and then > 0)
    other = sum(min(-now, -then) for now, then in pairs if now < 0 and then < 0)
    return min(own, other) * 15 >= _AT_START * variant.checkers


def _is_walled(position: Position, held: int) -> bool:
    """Whether the opponent has a prime with a checker of the mover behind it.

    So many checkers hold a point.
    """
    run, rear = 0, position.rearmost()
    for point in range(1, 25):
        run = run + 1 if position.points[point - 1] <= -held else 0
        if run >= _PRIME and rear > point:
            return True
    return False
