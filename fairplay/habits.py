"""How a player decides, read from analyses and from the times of the events at the table."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from analysis.decisions.times import play_seconds, play_times
from analysis.models import DecisionRow, Report
from fairplay.signals.play import Habits, MadeDecision, habits_of
from games.models import Match

MATCHES_MOST: Final = 30
"""So many matches are read, the last ones."""

_ROW: Final = ("game", "number", "seat", "kind", "counted", "loss", "line__gap")


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
    seat, times = match.players.index(user_id), play_times(match)
    rows = DecisionRow.objects.filter(report=report).order_by("game", "number").values(*_ROW)
    plays: defaultdict[int, int] = defaultdict(int)
    for row in rows:
        place = plays[row["game"]]
        plays[row["game"]] += row["kind"] == "play"
        known = row["loss"] is not None and row["line__gap"] is not None
        if row["seat"] == seat and row["counted"] and known:
            yield MadeDecision(row["line__gap"], row["loss"], play_seconds(row, place, times))
