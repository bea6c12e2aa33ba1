"""A prize match to five points."""

from backgammon.rules.naming import gettext_noop
from games.modes.families import PrizeMatch


class Prize5(PrizeMatch):
    """First to five points, with cube and Crawford, for a fixed prize."""

    key = "prize5"
    place = 10
    name = gettext_noop("Prize, 5 points")
    summary = gettext_noop(
        "First to 5 points, with doubling cube and Crawford. You start the first game."
    )
    rules = (
        gettext_noop("One match to five points; the winner takes the prize."),
        gettext_noop(
            "Crawford rule: in the first game after a player has reached four points nobody may"
            " double."
        ),
    )
    examples_label = gettext_noop("What each stake pays")
    target_points = 5
    rated_points = 5
    reserve_points = 5
    asks = ("holland",)


MODE = Prize5()
