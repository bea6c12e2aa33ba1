"""Matches of any length in any variant, free or for a stake."""

from backgammon.rules.naming import gettext_noop
from games.modes.families import LONGEST_MATCH, MATCH_RULES, PointMatch
from games.modes.mode import ModeChoice
from games.modes.prices import Prices
from games.modes.terms import Terms, Wishes


class MatchMode(PointMatch):
    """First to 1 to 25 points, with the cube where the variant has one and Crawford's rule."""

    key = "match"
    place = 5
    name = gettext_noop("Points match")
    summary = gettext_noop("A match to 1–25 points in any variant, free or for a stake.")
    rules = (
        gettext_noop(
            "First to 1 to 25 points in any variant, with the doubling cube where the variant has"
            " one, and the Crawford rule unless it is switched off. A match without a stake counts"
            " for the rating alone; otherwise the winner receives both stakes less the rake. A"
            " longer match counts more for the rating."
        ),
    )
    examples_label = gettext_noop("What a match for a stake pays")
    preview_label = gettext_noop("Match for %(stake)s")
    lengths = tuple(range(1, LONGEST_MATCH + 1))
    rated_points = 5
    reserve_points = 5
    asks = MATCH_RULES

    def choices(self, prices: Prices) -> tuple[ModeChoice, ...]:
        """The usual lengths, free."""
        return tuple(ModeChoice(str(points), {"target_points": points}) for points in (1, 3, 5, 7))

    def offer(self, wishes: Wishes, prices: Prices) -> Terms:
        return self.match(wishes, prices, wishes.variant or "backgammon")


MODE = MatchMode()
