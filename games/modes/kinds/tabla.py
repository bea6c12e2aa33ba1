"""Tabla, the Bulgarian series of three games."""

from backgammon.rules.naming import gettext_noop
from games.modes.families import SeriesMatch


class Tabla(SeriesMatch):
    """Backgammon without the cube, Gul Bara and Tapa in turn."""

    key = "tabla"
    place = 47
    name = gettext_noop("Tabla")
    summary = gettext_noop(
        "Bulgarian series to 5 or 7 points: backgammon without the cube, Gul Bara and Tapa in turn."
    )
    rules = (
        gettext_noop(
            "Backgammon without the cube, Gul Bara and Tapa are played in turn until a player has"
            " 5 or 7 points. The first game begins with a roll-off, each later one is begun by the"
            " winner of the game before. A drawn game gives no points."
        ),
    )
    examples_label = gettext_noop("What Tabla for a stake pays")
    preview_label = gettext_noop("Tabla for %(stake)s")
    series = "tabla"
    lengths = (5, 7)
    rated_points = 5
    reserve_points = 5


MODE = Tabla()
