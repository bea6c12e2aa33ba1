"""Practice against the house bot or alone."""

from typing import ClassVar

import msgspec

from backgammon.rules.naming import gettext_noop
from backgammon.rules.start import StartRule
from games.modes.families import FREE_RULES, OneGame
from games.modes.prices import Prices
from games.modes.terms import CLOCKS, NO_CLOCK, ClockName, Terms, Wishes


class Practice(OneGame):
    """Games of any variant for nothing: no other player, no rating."""

    key = "practice"
    place = 60
    name = gettext_noop("Practice")
    is_staked = False
    is_practice = True
    is_quick = False
    rated_points = 0
    clocks = {**CLOCKS, **NO_CLOCK}
    clock_usual: ClassVar[ClockName] = "slow"
    start_usual = StartRule.OPENER_ALTERNATES.value
    asks = FREE_RULES

    def offer(self, wishes: Wishes, prices: Prices) -> Terms:
        return self.game(wishes, prices, 0, 0)

    def at_score(self, terms: Terms, points: int) -> Terms:
        """The same terms for a match to `points`, as a position at a score begins one."""
        delay_ms, reserve_ms = self.clocks[terms.clock]
        return msgspec.structs.replace(
            terms,
            contest="points",
            target_points=points,
            games_max=0,
            crawford=terms.has_cube,
            jacoby=False,
            beavers=False,
            raccoons=False,
            delay_ms=delay_ms,
            reserve_ms=reserve_ms * max(points, self.reserve_points),
        )


MODE = Practice()
