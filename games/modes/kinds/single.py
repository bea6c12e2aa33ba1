"""A single game at a rate and a limit of the house."""

from collections.abc import Iterator

from backgammon.rules.naming import gettext_noop
from games.modes.families import OneGame
from games.modes.mode import ModeChoice, offered
from games.modes.prices import PriceFault, Prices
from games.modes.terms import Terms, Wishes


class Single(OneGame):
    """One game of standard backgammon, settled by the point up to a limit."""

    key = "single"
    place = 30
    name = gettext_noop("Prize, single game")
    summary = gettext_noop("One game with the cube, settled by the point up to the limit.")
    rules = (
        gettext_noop(
            "One game with the cube, settled by the point: the points times the rate, but never"
            " more than the limit, which is what each player reserves. The winner gains what the"
            " loser loses, less the rake; both get back what is left of their stakes."
        ),
    )
    examples_label = gettext_noop("What a single game pays with the cube at 1")
    remark = gettext_noop(
        "Nobody may double once a plain win reaches the limit: the cube could change nothing any"
        " more."
    )
    preview_label = gettext_noop("Single game, %(rate)s a point, limit %(limit)s")
    rated_points = 2
    choice_field = "game"
    amounts = ("rate_cents", "limit_cents")

    def choices(self, prices: Prices) -> tuple[ModeChoice, ...]:
        """Each rate with each limit of the house."""
        return tuple(
            ModeChoice(f"{rate}-{limit}", {"rate_cents": rate, "limit_cents": limit})
            for rate in prices.single_rates_cents
            for limit in prices.single_limits_cents
        )

    def amounts_of(self, terms: Terms) -> dict[str, int]:
        """The price of a point and the limit."""
        return {"rate_cents": terms.rate_cents, "limit_cents": terms.stake_cents}

    def price_faults(self, prices: Prices) -> Iterator[PriceFault]:
        """A limit must cover one point."""
        if min(prices.single_limits_cents) < max(prices.single_rates_cents):
            sentence = "A limit of single_limits_cents is below a rate of single_rates_cents."
            yield PriceFault("single_limits_cents", "limit", sentence)

    def offer(self, wishes: Wishes, prices: Prices) -> Terms:
        offered("rate_cents", wishes.rate_cents, prices.single_rates_cents)
        offered("limit_cents", wishes.limit_cents, prices.single_limits_cents)
        return self.game(wishes, prices, wishes.rate_cents, wishes.limit_cents)


MODE = Single()
