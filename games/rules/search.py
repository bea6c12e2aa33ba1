"""All legal plays of a roll, found once as a graph in which equal boards meet.

The search goes die by die. A node is a board together with the dice still to play; two orders of
the same moves lead to the same node, so a double of fifteen checkers stays a few hundred nodes.
Afterwards what does not use the most dice is cut away (see `_kept`).
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from games.rules.movement import Stepper

BoardRule = Callable[[int], bool]

Links = list[tuple[int, int, int, int]]
"""(source, target, die, number of the next node) for each move out of a node."""


class Found(msgspec.Struct, frozen=True, eq=False):
    """The legal plays of a roll: boards and moves by node number, node 0 being the start.

    Moves lead to higher numbers only. A node without moves is the end of a complete play.
    """

    boards: list[int]
    links: list[Links]
    dice_played: int


class _Search:
    """The nodes met so far, in the order of the number of dice played."""

    def __init__(self, board: int, steps: Stepper, is_over: BoardRule) -> None:
        self.steps = steps
        self.is_over = is_over
        self.boards = [board]
        self.links: list[Links] = [[]]
        self.over: set[int] = set()
        self.last_die = [0]

    def extend(self, nodes: dict[int, int], die: int, children: dict[int, int]) -> None:
        """Play `die` from each of `nodes`; both dictionaries map boards to node numbers."""
        boards, links, steps, is_over = self.boards, self.links, self.steps, self.is_over
        for board, number in nodes.items():
            if number in self.over:
                continue
            out = links[number]
            for source, target, after in steps(board, die):
                child = children.get(after)
                if child is None:
                    child = children[after] = len(boards)
                    boards.append(after)
                    links.append([])
                    self.last_die.append(die)
                    if is_over(after):
                        self.over.add(child)
                out.append((source, target, die, child))


def find_plays(
    board: int,
    dice: tuple[int, ...],
    steps: Stepper,
    is_over: BoardRule,
    is_dropped: BoardRule | None = None,
) -> Found:
    """Search every order of `dice` (a double is given four times) from `board`.

    `is_over` says that a board ends the game; `is_dropped` marks results that are only legal when
    there is no other (end of turn).
    """
    if is_over(board):
        return Found([board], [[]], 0)
    search = _Search(board, steps, is_over)
    frontier: dict[tuple[int, ...], dict[int, int]] = {
        tuple(sorted(dice, reverse=True)): {board: 0}
    }
    depth_starts = [0]
    while frontier:
        depth_starts.append(len(search.boards))
        following: dict[tuple[int, ...], dict[int, int]] = {}
        for left, nodes in frontier.items():
            for index, die in enumerate(left):
                if index and left[index - 1] == die:
                    continue
                rest = left[:index] + left[index + 1 :]
                search.extend(nodes, die, following.setdefault(rest, {}))
        frontier = {rest: nodes for rest, nodes in following.items() if nodes and rest}
    while len(depth_starts) > 1 and depth_starts[-1] == len(search.boards):
        depth_starts.pop()
    return _kept(search, depth_starts, is_dropped)


def _kept(search: _Search, depth_starts: list[int], is_dropped: BoardRule | None) -> Found:
    """Keep the plays that use the most dice, and those that end the game.

    If the most is one die and different dice could be that one, the largest must be played.
    """
    boards, links = search.boards, search.links
    dice_played = len(depth_starts) - 1
    ends = set(range(depth_starts[-1], len(boards)))
    if dice_played == 1:
        largest = max(search.last_die)
        ends = {number for number in ends if search.last_die[number] == largest}
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
