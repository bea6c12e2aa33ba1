"""Rules that several variants share: entry from the hand, blocking, pinning, optional rules."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from backgammon.rules.movement import BLOCKING, PINNING, StepRule
from backgammon.rules.packed import opposing_mask, own_mask, pack
from backgammon.rules.position import Position, Way
from backgammon.rules.search import BoardRule
from backgammon.rules.start import StartRule
from backgammon.rules.variant import Outcome, Termination, Turn, Variant


class Entering(Variant):
    """Fifteen checkers in hand, entered by the dice on 24..19; no cube; every game rolls off."""

    setup = {}
    in_hand = 15
    has_cube = False
    levels: ClassVar[tuple[int, ...]] = (1, 2)
    start_rule = StartRule.ROLL_OFF_REROLL
    next_start_rule = StartRule.ROLL_OFF_REROLL


class Blocking(Variant):
    """All fifteen on 24; both sides circle the board the same way, half a board apart."""

    way = Way.HALF
    setup = {24: 15}
    movement = BLOCKING
    has_cube = False
    levels = (1, 2)
    start_rule = StartRule.ROLL_OFF_REROLL
    next_start_rule = StartRule.WINNER_STARTS


_OWN_HOME = range(1, 7)


class WithOptionalRules(Variant):
    """A variant that lets a table choose max five and no hit-and-run."""

    options_offered = frozenset({"max_stack", "no_hit_and_run"})

    def step_rules(self, turn: Turn) -> list[StepRule]:
        rules: list[StepRule] = []
        if turn.options.max_stack is not None:
            rules.append(max_stack_rule(turn.options.max_stack))
        if turn.options.no_hit_and_run:
            rules.append(hitter_stays_rule(turn.board))
        return rules


def max_stack_rule(most: int) -> StepRule:
    """A point with `most` own checkers is closed for further ones, on the way through as well."""

    def rule(board: int, source: int, target: int, after: int) -> bool:
        return target < 1 or after >> 8 * target & 15 <= most

    return rule


def hitter_stays_rule(start: int) -> StepRule:
    """The last checker may not leave a home point on which it has hit in this turn.

    Checkers are alike, so "the one that hit" is any one of those on the point.
    """
    blots = {point for point in _OWN_HOME if start & opposing_mask(point)}

    def rule(board: int, source: int, target: int, after: int) -> bool:
        hit_here = source in blots and not board & opposing_mask(source)
        return not hit_here or after >> 8 * source & 15 > 0

    return rule


_OWN_START, _HIS_START = 24, 1
_ON_HIS_START = own_mask(_HIS_START)
_HIS_MOTHER = opposing_mask(_HIS_START)
_ON_OWN_START = own_mask(_OWN_START)


class Mothers(Enum):
    """The effect of a pin on a *mother*, the last checker left on its starting point."""

    FREE = "free"
    CAUGHT = "caught"
    """The opponent's is pinned and no own checker is left on the own starting point."""
    BOTH = "both"
    """Both are pinned, so neither side can ever bring everyone home."""


def mothers(board: int, trapped: int) -> Mothers:
    """Look for pinned mothers on a packed board, from the mover's side."""
    if not (board & _ON_HIS_START and board & _HIS_MOTHER):
        return Mothers.FREE
    if trapped >> _OWN_START & 1:
        return Mothers.BOTH
    return Mothers.FREE if board & _ON_OWN_START else Mothers.CAUGHT


class Pinning(Variant):
    """All fifteen on 24; a single opposing checker is pinned until those on top have gone."""

    setup = {24: 15}
    movement = PINNING
    has_cube = False
    levels = (1, 2)
    start_rule = StartRule.ROLL_OFF_REROLL
    next_start_rule = StartRule.WINNER_STARTS
    mother_wins: bool

    def over_rule(self, turn: Turn) -> BoardRule:
        all_off = super().over_rule(turn)
        trapped, ends = turn.trapped, self._ending_mothers()
        if all_off is None:
            return lambda board: mothers(board, trapped) in ends
        return lambda board: all_off(board) or mothers(board, trapped) in ends

    def _ending_mothers(self) -> frozenset[Mothers]:
        if self.mother_wins:
            return frozenset({Mothers.BOTH, Mothers.CAUGHT})
        return frozenset({Mothers.BOTH})

    def ending(self, position: Position) -> Outcome | None:
        caught = mothers(*pack(position))
        if caught is Mothers.BOTH:
            return Outcome(None, 0, Termination.BOTH_MOTHERS)
        if caught is Mothers.CAUGHT and self.mother_wins:
            return Outcome("mover", 2, Termination.MOTHER)
        return super().ending(position)
