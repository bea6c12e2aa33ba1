"""Facts about the board after a play, and those in which two plays of one roll differ.

Every fact is counted on the two positions; none is an opinion. Pages put them into words.
"""

from dataclasses import dataclass
from typing import Final, Literal

from backgammon.facts.shots import blots, shots
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key

HOME: Final = range(1, 7)
THEIR_HOME: Final = range(19, 25)
_BLOCK_LEAST: Final = 3


@dataclass(frozen=True, slots=True)
class PlayFacts:
    """A position after a play, in the view of the player who made it.

    `shots` are rolls of 36 that hit, `hits` the checkers hit by the play, `made` and `broken` the
    points that the play made and gave up, `block` the most own points in a row, `home` the own
    points made at home, `anchors` those in the opponent's home, `back` the own checkers there or
    on the bar, `off` what the play bore off. `pips` are the own ones and the opponent's.
    """

    blots: tuple[int, ...]
    shots: int
    hits: int
    made: tuple[int, ...]
    broken: tuple[int, ...]
    block: int
    home: int
    anchors: tuple[int, ...]
    back: int
    off: int
    pips: tuple[int, int]
    contact: bool


def facts_of(before: Position, after: Position, variant: str = "backgammon") -> PlayFacts:
    """The facts of a play that leads from one position to the other, both in the mover's view."""
    held, holds = _points(before), _points(after)
    way = by_key(variant).way
    return PlayFacts(
        blots=blots(after),
        shots=shots(after, variant),
        hits=after.bar[1] - before.bar[1],
        made=tuple(sorted(holds - held, reverse=True)),
        broken=tuple(sorted(held - holds, reverse=True)),
        block=_longest(holds),
        home=len(holds & set(HOME)),
        anchors=tuple(sorted(holds & set(THEIR_HOME), reverse=True)),
        back=after.bar[0] + sum(max(after.points[point - 1], 0) for point in THEIR_HOME),
        off=after.off[0] - before.off[0],
        pips=after.pips(way),
        contact=after.contact(way),
    )


def _points(position: Position) -> frozenset[int]:
    return frozenset(point for point, count in enumerate(position.points, 1) if count > 1)


def _longest(points: frozenset[int]) -> int:
    best = run = 0
    for point in range(1, 25):
        run = run + 1 if point in points else 0
        best = max(best, run)
    return best


Name = Literal["hits", "shots", "off", "made", "broken", "block", "anchor", "back"]


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact in which two plays differ: its value with the best play and with the one made.

    For `made` and `broken` the values are points, for `anchor` whether there is one.
    """

    name: Name
    best: int | tuple[int, ...]
    played: int | tuple[int, ...]


def differences(best: PlayFacts, played: PlayFacts) -> list[Difference]:
    """Where two plays of one roll differ, what decides most games first."""
    found = [
        Difference("hits", best.hits, played.hits),
        Difference("shots", best.shots, played.shots),
        Difference("off", best.off, played.off),
        Difference("made", _only(best.made, played.made), _only(played.made, best.made)),
        Difference("broken", _only(best.broken, played.broken), _only(played.broken, best.broken)),
        Difference("block", _block(best), _block(played)),
        Difference("anchor", int(bool(best.anchors)), int(bool(played.anchors))),
        Difference("back", best.back, played.back),
    ]
    return [each for each in found if each.best != each.played]


def _only(these: tuple[int, ...], those: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(point for point in these if point not in those)


def _block(facts: PlayFacts) -> int:
    """Short rows of points stop nobody, and behind no contact none does."""
    return facts.block if facts.contact and facts.block >= _BLOCK_LEAST else 0
