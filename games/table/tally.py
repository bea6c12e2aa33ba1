"""Counting a match for a player's statistics: games by level, and decisions with the cube."""

from collections.abc import Iterable

import msgspec

from games.table.events import (
    AnyEvent,
    Beavered,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    GameEnded,
    Raccooned,
)

LEVELS = 3


class Tally(msgspec.Struct, kw_only=True):
    """One seat of one match.

    `won` and `lost` are numbers of games by level: single, gammon, backgammon. Levels above that,
    which some variants have, count as backgammons. A drawn game is in neither. A beaver and a
    raccoon are a take and a double in one.
    """

    won: list[int] = msgspec.field(default_factory=lambda: [0] * LEVELS)
    lost: list[int] = msgspec.field(default_factory=lambda: [0] * LEVELS)
    doubled: int = 0
    taken: int = 0
    dropped: int = 0


def tallies(events: Iterable[AnyEvent]) -> tuple[Tally, Tally]:
    """Count the events of one match, by seat. What was taken back must be left out already."""
    seats = (Tally(), Tally())
    for event in events:
        match event:
            case GameEnded(winner=int(winner), level=level):
                place = min(max(level, 1), LEVELS) - 1
                seats[winner].won[place] += 1
                seats[1 - winner].lost[place] += 1
            case DoubleOffered(seat=seat):
                seats[seat].doubled += 1
            case DoubleTaken(seat=seat):
                seats[seat].taken += 1
            case DoubleDropped(seat=seat):
                seats[seat].dropped += 1
            case Beavered(seat=seat) | Raccooned(seat=seat):
                seats[seat].taken += 1
                seats[seat].doubled += 1
            case _:
                pass
    return seats
