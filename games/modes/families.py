"""Bases of modes that pay alike: prize matches, and games that stand alone."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec

from backgammon.rules.match import SERIES
from backgammon.rules.naming import gettext_noop
from backgammon.rules.variants import by_key as variant_by_key
from games.modes.mode import Mode, ModeChoice, offered
from games.modes.prices import Prices
from games.modes.terms import BadWishes, Contest, Terms, Wishes

#: the house plays no longer matches: the engines' match tables end here.
LONGEST_MATCH: Final = 25

#: the wishes of a match in any variant.
MATCH_RULES = (
    "variant",
    "target_points",
    "has_cube",
    "crawford",
    "holland",
    "start_rule",
    "max_stack",
    "no_hit_and_run",
    "extra_roll",
)

#: the wishes of a game of any variant with the optional rules of unlimited play.
FREE_RULES = (
    "variant",
    "has_cube",
    "jacoby",
    "beavers",
    "raccoons",
    "start_rule",
    "auto_doubles_max",
    "cube_cap",
    "max_stack",
    "no_hit_and_run",
    "extra_roll",
)


class PrizeMatch(Mode):
    """A match of standard backgammon for a fixed prize: both stakes less the rake.

    Without more, it goes to `target_points` with cube and Crawford's rule.
    """

    contest: ClassVar[Contest] = "points"
    preview_label = gettext_noop("Prize match for %(stake)s")
    choice_field = "stake_cents"
    amounts = ("stake_cents",)

    def stakes(self, prices: Prices) -> tuple[int, ...]:
        """Those of prize matches."""
        return prices.prize_stakes_cents

    def choices(self, prices: Prices) -> tuple[ModeChoice, ...]:
        """Each stake of the house."""
        return tuple(
            ModeChoice(str(cents), {"stake_cents": cents}) for cents in self.stakes(prices)
        )

    def offer(self, wishes: Wishes, prices: Prices) -> Terms:
        offered("stake_cents", wishes.stake_cents, self.stakes(prices))
        terms = Terms(
            mode=self.key,
            contest=self.contest,
            target_points=self.target_points,
            stake_cents=wishes.stake_cents,
            rake_bps=prices.rake_bps,
        )
        return msgspec.structs.replace(terms, **self.chosen(wishes, terms.variant))


class PointMatch(Mode):
    """A match to a number of points that its opener chooses, free or for a stake of the house.

    It is rated as what it is: a match of so many points.
    """

    contest: ClassVar[Contest] = "points"
    amounts = ("stake_cents",)
    target_points: ClassVar[int] = 5

    def stakes(self, prices: Prices) -> tuple[int, ...]:
        """None, and those of the list of the house."""
        return (0, *prices.match_stakes_cents)

    def examples(self, prices: Prices) -> tuple[Mapping[str, Any], ...]:
        """Each stake of the list."""
        return tuple({"stake_cents": cents} for cents in prices.match_stakes_cents)

    def previews(self, prices: Prices) -> tuple[Mapping[str, Any], ...]:
        """Each stake of the list."""
        return self.examples(prices)

    def match(self, wishes: Wishes, prices: Prices, variant: str) -> Terms:
        """The terms of a match that begins in this variant. Raises `BadWishes`."""
        offered("stake_cents", wishes.stake_cents, self.stakes(prices))
        terms = Terms(
            mode=self.key,
            variant=variant,
            contest=self.contest,
            stake_cents=wishes.stake_cents,
            rake_bps=prices.rake_bps if wishes.stake_cents else 0,
            has_cube=False,
            crawford=False,
        )
        return msgspec.structs.replace(terms, **self.chosen(wishes, variant))

    def rated(self, terms: Terms) -> int:
        """As many points as it goes to."""
        return terms.target_points

    def reserve(self, terms: Terms) -> int:
        """As many points as it goes to."""
        return terms.target_points


class SeriesMatch(PointMatch):
    """A match whose games are played in several variants in turn: `series` names which."""

    series: ClassVar[str]
    asks = ("target_points", "start_rule")

    @property
    def variants(self) -> tuple[str, ...]:
        """The variant of the first game: nothing else can be wished."""
        return SERIES[self.series](max(self.lengths)).cycle[:1]

    def choices(self, prices: Prices) -> tuple[ModeChoice, ...]:
        """Free matches of each length."""
        return tuple(ModeChoice(str(points), {"target_points": points}) for points in self.lengths)

    def offer(self, wishes: Wishes, prices: Prices) -> Terms:
        if wishes.variant is not None:
            raise BadWishes(f"{self.key} has its own variants", field="variant")
        terms = self.match(wishes, prices, self.variants[0])
        return msgspec.structs.replace(terms, series=self.series)


class OneGame(Mode):
    """A game that stands alone; where credits are at stake, it is settled by the point."""

    contest: ClassVar[Contest] = "game"

    def game(self, wishes: Wishes, prices: Prices, rate_cents: int, limit_cents: int) -> Terms:
        """The terms of one game; with `FREE_RULES` among `asks`, by the wished rules."""
        free = "variant" in self.asks
        variant = (wishes.variant if free else None) or "backgammon"
        rules = self.chosen(wishes, variant)
        terms = Terms(
            mode=self.key,
            variant=variant,
            contest=self.contest,
            target_points=0,
            games_max=1,
            stake_cents=limit_cents,
            rate_cents=rate_cents,
            rake_bps=prices.rake_bps if limit_cents else 0,
            has_cube=variant_by_key(variant).has_cube,
            crawford=False,
        )
        return msgspec.structs.replace(terms, **rules)
