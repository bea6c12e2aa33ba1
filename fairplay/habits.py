"""How a player decides, read from analyses and from the times of the events at the table."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

from analysis.models import DecisionRow, Report
from fairplay.signals.play import Habits, MadeDecision, habits_of
from games.models import Match
from games.services.archive import match_events
from games.table.events import DiceRolled, GameStarted, PlayMade

MATCHES_MOST: Final = 30
"""So many matches are read, the last ones."""

_ROW: Final = ("game", "number", "seat", "kind", "counted", "loss", "line__gap")

Play = tuple[int, float]
"""The seat that played, and the seconds from its dice to its play."""


def habits(user_id: int, matches: Sequence[Match]) -> Habits:
    """How a player decides in these matches, newest first."""
    made: list[MadeDecision] = []
    for match in matches[:MATCHES_MOST]:
        report = Report.objects.filter(match=match, depth="full").order_by("-made_at", "-pk")
        if found := report.first():
            made += decisions_of(user_id, match, found)
    return habits_of(made)


def decisions_of(user_id: int, match: Match, report: Report) -> Iterator[MadeDecision]:
    """The player's counted decisions in a match."""
    seat, times = match.players.index(user_id), _times(match)
    rows = DecisionRow.objects.filter(report=report).order_by("game", "number").values(*_ROW)
    plays: defaultdict[int, int] = defaultdict(int)
    for row in rows:
        place = plays[row["game"]]
        plays[row["game"]] += row["kind"] == "play"
        known = row["loss"] is not None and row["line__gap"] is not None
        if row["seat"] == seat and row["counted"] and known:
            yield MadeDecision(row["line__gap"], row["loss"], _seconds(row, place, times))


def _seconds(row: dict[str, Any], place: int, times: dict[int, list[Play]]) -> float | None:
    """The seconds of a play, the `place`-th of its game; None where the events do not fit."""
    of_game = times.get(row["game"], [])
    if row["kind"] != "play" or place >= len(of_game) or of_game[place][0] != row["seat"]:
        return None
    return of_game[place][1]


def _times(match: Match) -> dict[int, list[Play]]:
    """The plays of each game in their order."""
    found: defaultdict[int, list[Play]] = defaultdict(list)
    game = since_ms = 0
    for event in match_events(match):
        if isinstance(event, GameStarted):
            game = event.game
        elif isinstance(event, PlayMade):
            found[game].append((event.seat, (event.at_ms - since_ms) / 1000))
        if isinstance(event, DiceRolled | PlayMade | GameStarted):
            since_ms = event.at_ms
    return found
