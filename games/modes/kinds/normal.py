"""Games for the rating alone."""

from backgammon.rules.naming import gettext_noop
from backgammon.rules.start import StartRule
from games.modes.families import FREE_RULES, OneGame
from games.modes.mode import ModeChoice
from games.modes.prices import Prices
from games.modes.terms import Terms, Wishes


class Normal(OneGame):
    """Games of any variant that stand alone, without credits."""

    key = "normal"
    place = 50
    name = gettext_noop("Normal game")
    summary = gettext_noop("For rating only, any variant, game after game.")
    rules = (
        gettext_noop(
            "For the rating alone, any variant. Every game stands alone; after a game either"
            " player may stop or play on."
        ),
    )
    is_staked = False
    rated_points = 1
    start_usual = StartRule.OPENER_ALTERNATES.value
    asks = FREE_RULES

    def choices(self, prices: Prices) -> tuple[ModeChoice, ...]:
        """There is one."""
        return (ModeChoice(""),)

    def offer(self, wishes: Wishes, prices: Prices) -> Terms:
        return self.game(wishes, prices, 0, 0)


MODE = Normal()
