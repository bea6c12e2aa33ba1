"""A prize match of three games."""

from typing import ClassVar

import msgspec

from backgammon.rules.naming import gettext_noop
from games.modes.families import PrizeMatch
from games.modes.prices import Prices
from games.modes.terms import Contest, Terms, Wishes


class Prize3(PrizeMatch):
    """Three games without the cube for a fixed prize; most points win, a tie shares it."""

    key = "prize3"
    place = 20
    name = gettext_noop("Prize, 3 games")
    summary = gettext_noop("Three games without the cube. Most points win; a tie is split.")
    rules = (
        gettext_noop(
            "Three games without the cube. The player with the most points wins; play ends as"
            " soon as the lead cannot be caught up. After a tie the pot, less the rake, is split."
        ),
    )
    examples_label = gettext_noop("What three games pay")
    contest: ClassVar[Contest] = "games"
    rated_points = 4
    reserve_points = 4

    def offer(self, wishes: Wishes, prices: Prices) -> Terms:
        match = super().offer(wishes, prices)
        return msgspec.structs.replace(match, games_max=3, has_cube=False, crawford=False)


MODE = Prize3()
