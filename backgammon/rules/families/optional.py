"""The optional rules of movement that the standard family offers: max five, no hit-and-run."""

from __future__ import annotations

from backgammon.rules.movement import StepRule
from backgammon.rules.packed import opposing_mask
from backgammon.rules.variant import Turn, Variant

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
