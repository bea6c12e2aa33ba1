"""All legal plays of a roll, found once as a graph in which equal boards meet.

The search goes die by die. A node is a board together with the dice still to play; two orders of
the same moves lead to the same node, so a double of fifteen checkers stays a few hundred nodes.
Afterwards what does not use the most dice is cut away (see `_kept`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from backgammon.rules.movement import Movement, Prepared, StepRule, bearing_off, prepared

BoardRule = Callable[[int], bool]

Links = list[tuple[int, int, int, int]]
"""(source, target, die, number of the next node) for each move out of a node."""

#: the moves out of each node behind which no die is left; one for all of them, and never changed.
_END: Links = []


class Found(msgspec.Struct, frozen=True, eq=False):
    """The legal plays of a roll: boards and moves by node number, node 0 being the start.

    Moves lead to higher numbers only. A node without moves is the end of a complete play.
    """

    boards: list[int]
    links: list[Links]
    dice_played: int


class Rules(msgspec.Struct, frozen=True):
    """The demands of a variant on a turn beyond how its checkers move.

    Each single move must satisfy all of `steps`. `is_over` says that a board ends the game, None
    if no board of this turn can. `is_dropped` marks results that are only legal when there is no
    other (end of turn).
    """

    steps: Sequence[StepRule] = ()
    is_over: BoardRule | None = None
    is_dropped: BoardRule | None = None


class _Search:
    """The nodes met so far, in the order of the number of dice played."""

    def __init__(self, board: int, roll: Prepared, movement: Movement, rules: Rules) -> None:
        self.roll = roll
        self.movement = movement
        self.rules = rules
        self.rule = _all_of(rules.steps)
        self.boards = [board]
        self.links: list[Links] = [[]]
        self.over: set[int] = set()

    def extend(
        self, nodes: dict[int, int], die: int, children: dict[int, int], *, is_last: bool
    ) -> None:
        """Play `die` from each of `nodes`; both dictionaries map boards to node numbers."""
        boards, links, over, roll = self.boards, self.links, self.over, self.roll
        rule, is_over = self.rule, self.rules.is_over
        own_bar, outside = roll.own_bar, roll.outside
        for board, number in nodes.items():
            if over and number in over:
                continue
            candidates = (roll.entering if board & own_bar else roll.moving)[die]
            if not board & outside and (off := bearing_off(board, die, self.movement)):
                candidates = [*candidates, off]
            out = links[number]
            for mask, source, target, difference, blot, with_hit in candidates:
                if not board & mask:
                    continue
                after = board + (with_hit if blot and board & blot else difference)
                if rule is not None and not rule(board, source, target, after):
                    continue
                child = children.get(after)
                if child is None:
                    child = children[after] = len(boards)
                    boards.append(after)
                    links.append(_END if is_last else [])
                    if is_over is not None and is_over(after):
                        over.add(child)
                out.append((source, target, die, child))


def find_plays(
    board: int, trapped: int, dice: tuple[int, ...], movement: Movement, rules: Rules
) -> Found:
    """Search every order of `dice` (highest first, a double four times) from a packed board."""
    if rules.is_over is not None and rules.is_over(board):
        return Found([board], [[]], 0)
    search = _Search(board, prepared(board, trapped, dice, movement), movement, rules)
    frontier: dict[tuple[int, ...], dict[int, int]] = {dice: {board: 0}}
    depth_starts = [0]
    while frontier:
        depth_starts.append(len(search.boards))
        following: dict[tuple[int, ...], dict[int, int]] = {}
        for left, nodes in frontier.items():
            for index, die in enumerate(left):
                if index and left[index - 1] == die:
                    continue
                rest = left[:index] + left[index + 1 :]
                search.extend(nodes, die, following.setdefault(rest, {}), is_last=not rest)
        frontier = {rest: nodes for rest, nodes in following.items() if nodes and rest}
    while len(depth_starts) > 1 and depth_starts[-1] == len(search.boards):
        depth_starts.pop()
    return _kept(search, depth_starts)


def _all_of(rules: Sequence[StepRule]) -> StepRule | None:
    """One rule for all of them, None if there are none."""
    if len(rules) < 2:
        return rules[0] if rules else None
    first, *others = rules
    rest = _all_of(others)
    assert rest is not None
    return lambda *step: first(*step) and rest(*step)


def _kept(search: _Search, depth_starts: list[int]) -> Found:
    """Keep the plays that use the most dice, and those that end the game.

    If the most is one die and different dice could be that one, the largest must be played.
    """
    boards, links, is_dropped = search.boards, search.links, search.rules.is_dropped
    dice_played, first_end = len(depth_starts) - 1, depth_starts[-1]
    if dice_played > 1 and not search.over and is_dropped is None and all(links[:first_end]):
        return Found(boards, links, dice_played)
    ends = set(range(first_end, len(boards)))
    if dice_played == 1:
        die_of = {child: die for _, _, die, child in links[0]}
        largest = max(die_of.values())
        ends = {number for number in ends if die_of[number] == largest}
    ends |= search.over
    if is_dropped is not None:
        good = {number for number in ends if not is_dropped(boards[number])}
        ends = good or ends
    if all(out or number in ends for number, out in enumerate(links)):
        return Found(boards, links, dice_played)
    return _pruned(boards, links, ends, dice_played)


def _pruned(boards: list[int], links: list[Links], ends: set[int], dice_played: int) -> Found:
    """The graph without the nodes from which no end can be reached, numbered anew."""
    alive = [False] * len(boards)
    for number in range(len(boards) - 1, -1, -1):
        alive[number] = number in ends or any(alive[link[3]] for link in links[number])
    numbers = {old: new for new, old in enumerate(n for n, lives in enumerate(alive) if lives)}
    return Found(
        [boards[old] for old in numbers],
        [
            [(s, t, die, numbers[child]) for s, t, die, child in links[old] if alive[child]]
            for old in numbers
        ],
        dice_played,
    )
