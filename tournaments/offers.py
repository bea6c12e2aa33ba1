"""The sit-and-gos of the house: one of each is always open, the next when it begins.

A new one is a line in `OFFERS`.
"""

from dataclasses import dataclass
from typing import Final

from backgammon.rules.naming import gettext_noop
from tournaments.engine.terms import TournamentTerms


@dataclass(frozen=True, slots=True)
class SitAndGo:
    """A sit-and-go that the house keeps open; `name` is translated where it is shown."""

    key: str
    name: str
    players: int
    length: int
    fee_cents: int = 0
    clock: str = "normal"
    variant: str = "backgammon"
    with_bots: bool = False
    """Whether house bots take the seats that are left; then it is not rated."""

    @property
    def terms(self) -> TournamentTerms:
        """The engine's terms: a knock-out that begins when all places are taken."""
        return TournamentTerms(
            "knockout", length=self.length, least=self.players, most=self.players
        )


OFFERS: Final = (
    SitAndGo("four-1", gettext_noop("4 players, 1 point"), 4, 1, clock="fast"),
    SitAndGo("bots-1", gettext_noop("4 players with bots, 1 point"), 4, 1, with_bots=True),
    SitAndGo("eight-3", gettext_noop("8 players, 3 points"), 8, 3),
    SitAndGo(
        "four-3-credits", gettext_noop("4 players, 3 points, for credits"), 4, 3, fee_cents=250
    ),
    SitAndGo(
        "eight-3-credits", gettext_noop("8 players, 3 points, for credits"), 8, 3, fee_cents=250
    ),
    SitAndGo("sixteen-5-credits", gettext_noop("16 players, 5 points, for credits"), 16, 5, 500),
)
BY_KEY: Final = {offer.key: offer for offer in OFFERS}
