"""Free stakes: a game by the point at a base stake of the opener's own."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import msgspec

from backgammon.rules.naming import gettext_noop
from games.modes.families import FREE_RULES, OneGame
from games.modes.mode import Bounds
from games.modes.prices import STAKE_CENTS_MOST, PriceFault, Prices
from games.modes.terms import BadWishes, Terms, Wishes


class Stake(OneGame):
    """One game of any variant at a base stake a point; a multiple of it is reserved."""

    key = "stake"
    place = 40
    name = gettext_noop("Custom stake")
    summary = gettext_noop("One game by the point at a stake of your own, any variant.")
    rules: ClassVar[tuple[str, ...]] = (
        gettext_noop(
            "One game at a base stake of your own between %(base_stake_cents_min)s and"
            " %(base_stake_cents_max)s a point, any variant. Reserved, and the most that can be"
            " lost, are %(factor_without_cube)s times the base stake without the cube and"
            " %(factor_with_cube)s times with it."
        ),
    )
    examples_label = gettext_noop("What a game at a custom stake pays with the cube on 1")
    preview_label = gettext_noop("Custom stake, %(stake)s")
    rated_points = 2
    asks = ("base", *FREE_RULES)
    amounts: ClassVar[tuple[str, ...]] = ("stake_cents",)
    is_quick = False

    def examples(self, prices: Prices) -> tuple[Mapping[str, Any], ...]:
        """A usual base stake without and with the cube."""
        base_cents = prices.base_stake_cents_usual
        return tuple({"stake_cents": base_cents, "has_cube": cube} for cube in (False, True))

    def previews(self, prices: Prices) -> tuple[Mapping[str, Any], ...]:
        """The lowest and the highest base stake."""
        edges = dict.fromkeys((prices.base_stake_cents_min, prices.base_stake_cents_max))
        return tuple({"stake_cents": cents} for cents in edges)

    def bounds(self, amount: str, prices: Prices) -> Bounds | None:
        """Those of a base stake."""
        return Bounds(prices.base_stake_cents_min, prices.base_stake_cents_max)

    def amounts_of(self, terms: Terms) -> dict[str, int]:
        """The base stake."""
        return {"stake_cents": terms.rate_cents}

    def price_faults(self, prices: Prices) -> Iterator[PriceFault]:
        """The base stakes are a range, and no table reserves more than the books can hold."""
        most_cents = prices.base_stake_cents_max
        if prices.base_stake_cents_min > most_cents:
            sentence = "base_stake_cents_min is above base_stake_cents_max."
            yield PriceFault("base_stake_cents_min", "base_order", sentence)
        for name in ("factor_without_cube", "factor_with_cube"):
            if getattr(prices, name) * most_cents > STAKE_CENTS_MOST:
                sentence = f"{name} times base_stake_cents_max is above {STAKE_CENTS_MOST} cents."
                yield PriceFault(name, "factor", sentence)

    def offer(self, wishes: Wishes, prices: Prices) -> Terms:
        base_cents = wishes.stake_cents
        if not prices.base_stake_cents_min <= base_cents <= prices.base_stake_cents_max:
            raise BadWishes(
                f"a base stake lies between {prices.base_stake_cents_min} and "
                f"{prices.base_stake_cents_max} cents, {base_cents} does not",
                field="stake_cents",
            )
        terms = self.game(wishes, prices, base_cents, base_cents)
        factor = prices.factor_with_cube if terms.has_cube else prices.factor_without_cube
        return msgspec.structs.replace(terms, stake_cents=factor * base_cents)


MODE = Stake()
