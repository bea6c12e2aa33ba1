"""How long games take in this house, and how long people wait for one, by what was played last."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games.models import Match
from games.modes.registry import PRACTICE_KEYS
from games.table.state import PLAYED_OUT
from kit.database import read_cursor

FEWEST: Final = 20
"""From as many games on a figure is measured."""

Pace = tuple[int, str]
"""The points of a match, 1 for a single game, and the name of the clock."""

#: The minutes of a game of each length by the normal clock, until enough have been played here.
USUAL_MINUTES: Final = {1: 5, 3: 12, 5: 20, 7: 30}
_CLOCK_FACTORS: Final = {"fast": 0.7, "normal": 1.0, "slow": 1.4}

#: Only the matches that ended last are looked at, however many there are.
_LAST: Final = """
WITH last AS (
    SELECT * FROM games_match WHERE ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT 10000
), recent AS (
    SELECT * FROM last WHERE mode <> ALL(%(practice)s) ORDER BY ended_at DESC LIMIT 2000
)"""

#: The median of the last 200 games of each length and clock among them.
_MINUTES: Final = (
    _LAST
    + """, paced AS (
    SELECT CASE terms->>'contest' WHEN 'game' THEN 1
                ELSE (terms->>'target_points')::int END AS length,
           terms->>'clock' AS clock, ended_at - started_at AS lasted, ended_at
    FROM recent WHERE terms->>'contest' IN ('game', 'points')
      AND variant = 'backgammon' AND ending = ANY(%(played_out)s)
), numbered AS (
    SELECT *, row_number() OVER (PARTITION BY length, clock ORDER BY ended_at DESC) AS place
    FROM paced
)
SELECT length, clock, extract(epoch FROM percentile_cont(0.5) WITHIN GROUP (ORDER BY lasted)) / 60
FROM numbered WHERE place <= 200 GROUP BY length, clock HAVING count(*) >= %(fewest)s
"""
)

#: The wait at a listed table that four of five players of the last week did not exceed.
_WAIT: Final = (
    _LAST
    + """
SELECT extract(epoch FROM percentile_cont(0.8)
               WITHIN GROUP (ORDER BY m.started_at - t.created_at))
FROM recent m JOIN games_table t ON t.id = m.table_id
WHERE m.ended_at > now() - interval '7 days' AND m.number = 1
  AND t.code IS NULL AND NOT t.arranged
  AND NOT EXISTS (SELECT FROM games_challenge c WHERE c.table_id = t.id)
HAVING count(*) >= %(fewest)s
"""
)


@dataclass(frozen=True, slots=True)
class Paces:
    """The measured minutes of games by length and clock, and the seconds that few wait longer."""

    measured: Mapping[Pace, int]
    wait_seconds: int | None

    def minutes(self, points: int, clock: str) -> int:
        """The minutes that a game of this length and clock takes; usual ones until measured."""
        usual = USUAL_MINUTES.get(points, 4 * points) * _CLOCK_FACTORS.get(clock, 1.0)
        return self.measured.get((points, clock), max(1, round(usual)))


def paces() -> Paces:
    """Measure what was played last, in two queries over the 10,000 matches that ended last."""
    asked: dict[str, list[str] | int] = {
        "practice": list(PRACTICE_KEYS),
        "played_out": sorted(PLAYED_OUT),
        "fewest": FEWEST,
    }
    with read_cursor(Match) as cursor:
        cursor.execute(_MINUTES, asked)
        measured = {(row[0], row[1]): max(1, round(row[2])) for row in cursor.fetchall()}
        cursor.execute(_WAIT, asked)
        wait = cursor.fetchone()
    return Paces(measured, None if wait is None else max(1, round(wait[0])))
