"""The time that a player took for a play at a table, from the times of the events."""

from collections import defaultdict
from typing import Any

from games.models import Match
from games.services.archive import match_events
from games.table.events import DiceRolled, GameStarted, PlayMade

Play = tuple[int, float]
"""The seat that played, and the seconds from its dice to its play."""

PlayTimes = dict[int, list[Play]]
"""The plays of each game, in their order."""


def play_times(match: Match) -> PlayTimes:
    """The plays of a match of the house."""
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


def play_seconds(row: dict[str, Any], place: int, times: PlayTimes) -> float | None:
    """The seconds of a play, the `place`-th of its game; None where the events do not fit."""
    of_game = times.get(row["game"], [])
    if row["kind"] != "play" or place >= len(of_game) or of_game[place][0] != row["seat"]:
        return None
    return of_game[place][1]
