"""Bases of modes that pay alike: prize matches, and games that stand alone."""

from typing import ClassVar

from games.modes.mode import Choice, Mode, offered
from games.modes.prices import Prices
from games.modes.terms import Contest, Terms, Wishes
from games.rules.naming import gettext_noop
from games.rules.variants import by_key as variant_by_key

#: the wishes of a game of any variant with the optional rules of unlimited play.
FREE_RULES = (
    "variant",
    "has_cube",
    "jacoby",
    "beavers",
    "raccoons",
    "start_rule",
    "auto_doubles_max",
)


class PrizeMatch(Mode):
    """A match of standard backgammon for a fixed prize: both stakes less the rake.

    Without more, it goes to `target_points` with cube and Crawford's rule.
    """

    target_points: ClassVar[int] = 0
    contest: ClassVar[Contest] = "points"
    preview_label = gettext_noop("Prize match for %(stake)s")
    choice_field = "stake_cents"

    def choices(self, prices: Prices) -> tuple[Choice, ...]:
        """Each stake of the house."""
        return tuple(
            Choice(str(cents), {"stake_cents": cents}) for cents in prices.prize_stakes_cents
        )

    def offer(self, wishes: Wishes, prices: Prices) -> Terms:
        offered("stake", wishes.stake_cents, prices.prize_stakes_cents)
        return Terms(
            mode=self.key,
            contest=self.contest,
            target_points=self.target_points,
            stake_cents=wishes.stake_cents,
            rake_bps=prices.rake_bps,
            holland=wishes.holland and "holland" in self.asks,
        )


class OneGame(Mode):
    """A game that stands alone; where credits are at stake, it is settled by the point."""

    contest: ClassVar[Contest] = "game"

    def game(self, wishes: Wishes, prices: Prices, rate_cents: int, limit_cents: int) -> Terms:
        """The terms of one game; with `FREE_RULES` among `asks`, by the wished rules."""
        free = "variant" in self.asks
        return Terms(
            mode=self.key,
            variant=wishes.variant if free else "backgammon",
            contest=self.contest,
            target_points=0,
            games_max=1,
            stake_cents=limit_cents,
            rate_cents=rate_cents,
            rake_bps=prices.rake_bps if limit_cents else 0,
            has_cube=(wishes.has_cube or not free) and variant_by_key(wishes.variant).has_cube,
            crawford=False,
            jacoby=wishes.jacoby and free,
            beavers=wishes.beavers and free,
            raccoons=wishes.raccoons and free,
            auto_doubles_max=wishes.auto_doubles_max if free else 0,
            start_rule=wishes.start_rule if free else "opener_alternates",
        )
