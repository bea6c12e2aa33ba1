"""Tavli, the Greek series of three games."""

from backgammon.rules.naming import gettext_noop
from games.modes.families import SeriesMatch


class Tavli(SeriesMatch):
    """Portes, Plakoto and Fevga in turn."""

    key = "tavli"
    place = 46
    name = gettext_noop("Tavli")
    summary = gettext_noop("Greek series to 3, 5 or 7 points: Portes, Plakoto and Fevga in turn.")
    rules = (
        gettext_noop(
            "Portes, Plakoto and Fevga are played in turn until a player has 3, 5 or 7 points."
            " The first game begins with a roll-off, each later one is begun by the winner of the"
            " game before. A drawn game gives no points."
        ),
    )
    examples_label = gettext_noop("What Tavli for a stake pays")
    preview_label = gettext_noop("Tavli for %(stake)s")
    series = "tavli"
    lengths = (3, 5, 7)
    rated_points = 5
    reserve_points = 5


MODE = Tavli()
