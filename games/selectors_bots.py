"""How far a person has come against the house bots: a ladder of six rungs."""

from dataclasses import dataclass
from typing import Any, Final

from backgammon.bots.strength import STRENGTHS
from games.models import Match
from games.modes.registry import PRACTICE_KEYS
from kit.database import read_cursor

#: By the level of the bot: matches won and lost, and whether two of three in a row were ever won.
#: A match that was left lying until its time was over counts for nothing.
_LADDER: Final = """
WITH mine AS (
    SELECT b.strength, m.id, m.ended_at,
           (m.winner_seat = 0) = (m.player_0_id = %(person)s) AS won
    FROM games_housebot b
    JOIN games_match m ON (m.player_0_id, m.player_1_id)
        IN ((%(person)s, b.user_id), (b.user_id, %(person)s))
    WHERE m.mode = ANY(%(practice)s) AND m.winner_seat IS NOT NULL
      AND m.ending NOT IN ('time_over', 'absent') AND b.strength = ANY(%(strengths)s)
), counted AS (
    SELECT strength, won, count(*) FILTER (WHERE won) OVER (
        PARTITION BY strength ORDER BY ended_at, id ROWS 2 PRECEDING) AS won_of_three
    FROM mine
)
SELECT strength, count(*) FILTER (WHERE won), count(*) FILTER (WHERE NOT won),
       bool_or(won_of_three >= 2)
FROM counted GROUP BY strength
"""


@dataclass(frozen=True, slots=True)
class Rung:
    """The results against one house bot.

    `climbed`: two of three matches in a row were won at some time; such a rung stays.
    """

    won: int = 0
    lost: int = 0
    climbed: bool = False


def ladder_of(user_id: int) -> dict[str, Rung]:
    """Return a rung for each house bot that this person has finished a match with, by its level."""
    asked: dict[str, Any] = {
        "person": user_id,
        "practice": list(PRACTICE_KEYS),
        "strengths": list(STRENGTHS),
    }
    with read_cursor(Match) as cursor:
        cursor.execute(_LADDER, asked)
        return {strength: Rung(*result) for strength, *result in cursor.fetchall()}


def next_rung(ladder: dict[str, Rung]) -> str | None:
    """Return the weakest level whose rung is not climbed; None at the top."""
    climbed = {strength for strength, rung in ladder.items() if rung.climbed}
    return next((strength for strength in STRENGTHS if strength not in climbed), None)
