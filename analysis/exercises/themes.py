"""What a position is about, by facts that can be read off it."""

from collections.abc import Sequence
from typing import Final, Literal, get_args

from analysis.counting.situation import Situation
from games.rules.position import Position, Way
from games.rules.variants import by_key

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

#: a game is in its opening while each side has so many checkers where they began.
_AT_HOME: Final = 11

#: so many points in a row are a prime here.
_PRIME: Final = 4

_HOME: Final = 6
_THEIR_HOME: Final = range(19, 25)


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
    position = situation.position
    if position.rearmost() <= _HOME:
        return "off"
    if not position.contact():
        return "race"
    if position.bar[0]:
        return "bar"
    if _is_opening(position, by_key(situation.variant).start):
        return "opening"
    return _of_contact(position, results)


def _of_contact(position: Position, results: Sequence[Position]) -> Theme:
    if _is_behind_prime(position) or _is_behind_prime(position.turned(Way.AGAINST)):
        return "priming"
    if any(result.bar[1] > position.bar[1] for result in results):
        return "hitting"
    if any(position.points[point - 1] > 1 for point in _THEIR_HOME):
        return "holding"
    return "middle"


def _is_opening(position: Position, start: Position) -> bool:
    pairs = list(zip(position.points, start.points, strict=True))
    own = sum(min(now, then) for now, then in pairs if now > 0 and then > 0)
    other = sum(min(-now, -then) for now, then in pairs if now < 0 and then < 0)
    return min(own, other) >= _AT_HOME


def _is_behind_prime(position: Position) -> bool:
    """Whether the mover has a prime with an opposing checker behind it."""
    longest = run = 0
    for point, count in enumerate(position.points, start=1):
        run = run + 1 if count > 1 else 0
        if run >= _PRIME and (position.bar[1] or min(position.points[: point - run + 1]) < 0):
            longest = run
    return longest >= _PRIME
