"""Portes, the Greek backgammon without a cube; the first game of Tavli."""

from backgammon.rules.families import WithOptionalRules
from backgammon.rules.naming import gettext_noop
from backgammon.rules.start import StartRule


class Portes(WithOptionalRules):
    """Standard moves; no cube, and a backgammon counts two."""

    key = "portes"
    name = gettext_noop("Portes")
    has_cube = False
    levels = (1, 2)
    start_rule = StartRule.ROLL_OFF_REROLL
    next_start_rule = StartRule.WINNER_STARTS
