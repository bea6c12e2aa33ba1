"""Season points of a club, as arithmetic: for places in its tournaments, by quarters of a year."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

#: points of the places, the first place first; everybody who plays gets the last.
PLACE_POINTS: Final = (12, 8, 5, 3, 2)
TAKES_PART: Final = 1


def season_of(moment: datetime) -> tuple[int, int]:
    """The year and the quarter (1 to 4) of a moment, in UTC."""
    utc = moment.astimezone(UTC)
    return utc.year, (utc.month - 1) // 3 + 1


def season_began(moment: datetime) -> datetime:
    """When the season of this moment began."""
    year, quarter = season_of(moment)
    return datetime(year, 3 * quarter - 2, 1, tzinfo=UTC)


def points_of(first_place: int, last_place: int) -> int:
    """The points of a place; those who share places get the points of the best of them."""
    assert 1 <= first_place <= last_place
    return PLACE_POINTS[first_place - 1] if first_place <= len(PLACE_POINTS) else TAKES_PART


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A member in the table of a season."""

    user_id: int
    points: int
    played: int
    won: int


def season_table(results: Iterable[tuple[int, int, int]]) -> list[SeasonLine]:
    """The table from results (user id, first and last place), most points first."""
    sums: dict[int, list[int]] = {}
    for user_id, first, last in results:
        line = sums.setdefault(user_id, [0, 0, 0])
        line[0] += points_of(first, last)
        line[1] += 1
        line[2] += first == 1
    lines = [SeasonLine(user_id, *line) for user_id, line in sums.items()]
    return sorted(lines, key=lambda line: (-line.points, -line.won, line.played, line.user_id))
