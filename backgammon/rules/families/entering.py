"""The rules shared by games that start with an empty board and all checkers in hand."""

from typing import ClassVar

from backgammon.rules.start import StartRule
from backgammon.rules.variant import Variant


class Entering(Variant):
    """Fifteen checkers in hand, entered by the dice on 24..19; no cube; every game rolls off."""

    setup = {}
    in_hand = 15
    has_cube = False
    levels: ClassVar[tuple[int, ...]] = (1, 2)
    start_rule = StartRule.ROLL_OFF_REROLL
    next_start_rule = StartRule.ROLL_OFF_REROLL
