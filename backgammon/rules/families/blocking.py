"""The rules shared by Long Nardi, Fevga and Gul Bara: no hits; one checker holds a point."""

from backgammon.rules.movement import BLOCKING
from backgammon.rules.position import Way
from backgammon.rules.start import StartRule
from backgammon.rules.variant import Variant


class Blocking(Variant):
    """All fifteen on 24; both sides circle the board the same way, half a board apart."""

    way = Way.HALF
    setup = {24: 15}
    movement = BLOCKING
    has_cube = False
    levels = (1, 2)
    start_rule = StartRule.ROLL_OFF_REROLL
    next_start_rule = StartRule.WINNER_STARTS
