"""How far a person has come against the house bots: a ladder of six rungs."""

from dataclasses import dataclass

from django.db.models import Q

from backgammon.bots.strength import STRENGTHS
from games.models import HouseBot, Match
from games.modes.registry import PRACTICE_KEYS

#: a rung is climbed by so many wins in so many matches in a row
WINS_NEEDED, MATCHES_IN_A_ROW = 2, 3

#: matches that are looked at, the newest first
_MATCHES_MAX = 500


@dataclass(frozen=True, slots=True)
class Rung:
    """The results against one house bot, as far as they count: the newest of a person's matches.

    `climbed`: two of three matches in a row were won at some time; such a rung stays.
    """

    won: int = 0
    lost: int = 0
    climbed: bool = False


def ladder_of(user_id: int) -> dict[str, Rung]:
    """Return a rung for each house bot that this person has finished a match with, by its level."""
    results = _results(user_id)
    return {strength: _rung(won) for strength, won in results.items()}


def next_rung(ladder: dict[str, Rung]) -> str | None:
    """Return the weakest level whose rung is not climbed; None at the top."""
    climbed = {strength for strength, rung in ladder.items() if rung.climbed}
    return next((strength for strength in STRENGTHS if strength not in climbed), None)


def _rung(won: list[bool]) -> Rung:
    rows = (won[start : start + MATCHES_IN_A_ROW] for start in range(len(won)))
    climbed = any(sum(row) >= WINS_NEEDED for row in rows)
    return Rung(sum(won), len(won) - sum(won), climbed)


def _results(user_id: int) -> dict[str, list[bool]]:
    """Whether each match was won, the oldest first, by the level of the house bot."""
    bots = dict(HouseBot.objects.filter(strength__in=STRENGTHS).values_list("user_id", "strength"))
    mine = Q(player_0=user_id, player_1__in=bots) | Q(player_1=user_id, player_0__in=bots)
    matches = Match.objects.filter(mine, mode__in=PRACTICE_KEYS, winner_seat__isnull=False)
    rows = matches.order_by("-ended_at").values_list("player_0", "player_1", "winner_seat")
    results: dict[str, list[bool]] = {}
    for player_0, player_1, winner_seat in reversed(rows[:_MATCHES_MAX]):
        seat = 0 if player_0 == user_id else 1
        bot = player_1 if seat == 0 else player_0
        results.setdefault(bots[bot], []).append(winner_seat == seat)
    return results
