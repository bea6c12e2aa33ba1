"""Misere, backgammon to lose: the first player to bear off all their checkers loses."""

from backgammon.rules.naming import gettext_noop
from backgammon.rules.position import Position
from backgammon.rules.variant import Outcome, Termination, Variant


class Misere(Variant):
    """Standard moves and compulsion; the other one wins, always a single game."""

    key = "misere"
    name = gettext_noop("Misère")
    levels = (1,)

    def won(self, position: Position) -> Outcome:
        return Outcome("opponent", 1, Termination.BORNE_OFF)
