"""Tabula, the Roman game of Emperor Zeno's unlucky throw: three dice, one common path."""

from dataclasses import replace

from backgammon.rules.families import Entering
from backgammon.rules.movement import HITTING, StepRule
from backgammon.rules.naming import gettext_noop
from backgammon.rules.packed import HAND_LANE, own_mask
from backgammon.rules.position import Way
from backgammon.rules.variant import Turn

_FIRST_HALF_ENDS = 13


class Tabula(Entering):
    """Three dice, each played once; the second half opens when all own checkers are entered.

    From there checkers are borne off by exact numbers, once all stand in the second half.
    """

    key = "tabula"
    name = gettext_noop("Tabula")
    way = Way.SAME
    dice_count = 3
    movement = replace(HITTING, home=12, exact_off=True)

    def step_rules(self, turn: Turn) -> list[StepRule]:
        return [_stays_in_the_first_half] if turn.board & _HAND else []


_HAND = own_mask(HAND_LANE)


def _stays_in_the_first_half(board: int, source: int, target: int, after: int) -> bool:
    """While the own hand is not empty no checker may land beyond the first half."""
    return target >= _FIRST_HALF_ENDS or not board & _HAND
