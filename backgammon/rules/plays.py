"""The legal plays of one roll: as a set of results, as sequences of moves, and as a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from backgammon.rules.errors import IllegalPlay
from backgammon.rules.moves import Edge, Move
from backgammon.rules.packed import unpack
from backgammon.rules.position import Position
from backgammon.rules.search import Found

#: the edges out of each node, as clients get them: from, to, die, next node.
Wire = Sequence[Sequence[tuple[int, int, int, int]]]


class PlayGraph:
    """All legal plays as a graph: every walk from node 0 to a node without edges is one.

    Nodes are numbered so that edges lead to higher numbers. A roll without a legal play is one
    node without edges.
    """

    __slots__ = ("_boards", "_last", "_links", "_nodes", "_pins", "_trapped")

    def __init__(self, found: Found, *, trapped: int, pins: bool) -> None:
        self._links = found.links
        self._boards = found.boards
        self._trapped = trapped
        self._pins = pins
        self._nodes: tuple[tuple[Edge, ...], ...] | None = None
        self._last: tuple[int, Position] | None = None  # a table follows each play twice

    @property
    def nodes(self) -> tuple[tuple[Edge, ...], ...]:
        """The edges out of each node."""
        if self._nodes is None:
            self._nodes = tuple([tuple([Edge(*link) for link in out]) for out in self._links])
        return self._nodes

    def position(self, node: int) -> Position:
        """The position at a node, in the mover's view."""
        return unpack(self._boards[node], self._trapped, pins=self._pins)

    def wire(self) -> Wire:
        """The graph as clients get it: `[[[from, to, die, next], ...], ...]`."""
        return self._links

    def ends(self) -> Iterator[tuple[tuple[Move, ...], Position]]:
        """Every position that a complete play leads to, with the first walk that leads there."""
        first: dict[int, tuple[int, Move]] = {}
        for node, links in enumerate(self._links):  # they lead to higher numbers
            for source, target, die, child in links:
                if child not in first:
                    first[child] = (node, Move(source, target, die))
        for node, links in enumerate(self._links):
            if not links:
                yield _walk(first, node), self.position(node)

    def follow(self, moves: Sequence[Move]) -> Position:
        """The position after a complete play.

        :raises IllegalPlay: naming the first move that is not legal, or what is still to be played.
        """
        node = 0
        for index, move in enumerate(moves, start=1):
            wanted = (move.source, move.target, move.die)
            for link in self._links[node]:
                if link[:3] == wanted:
                    node = link[3]
                    break
            else:
                raise IllegalPlay(
                    f"move {index} of {len(moves)}: {move.source}/{move.target} "
                    f"with {move.die} is not legal here"
                )
        if left := self._links[node]:
            still = " or ".join(map(str, sorted({die for _, _, die, _ in left}, reverse=True)))
            raise IllegalPlay(f"the play is not complete: {still} can still be played")
        last = self._last  # read once: plays are shared by threads
        if last is None or last[0] != node:
            last = self._last = (node, self.position(node))
        return last[1]


class LegalPlays:
    """The legal plays of one roll; the search runs on first use.

    Iterating gives the sequences, tuples of `Move`; `()` alone when nothing can be played.
    Sequences with the same result are the same play to the rules, so `len(plays.results)` is the
    number of different plays and `count()` the number of ways to move them.
    """

    __slots__ = ("_found", "_graph", "_pins", "_results", "_trapped", "steps_in_roll")

    def __init__(self, found: Found, *, trapped: int, pins: bool, steps_in_roll: int) -> None:
        self._found = found
        self._trapped = trapped
        self._pins = pins
        self.steps_in_roll = steps_in_roll
        self._graph: PlayGraph | None = None
        self._results: frozenset[Position] | None = None

    @property
    def dice_played(self) -> int:
        """How many single dice the longest legal play uses (a double counts up to four)."""
        return self._found.dice_played

    @property
    def all_played(self) -> bool:
        """Whether the whole roll can be played, and therefore will be."""
        return self.dice_played == self.steps_in_roll

    @property
    def is_forced(self) -> bool:
        """Whether the roll can lead to one position alone, as `len(results) == 1`."""
        boards, links = self._found.boards, self._found.links
        only = boards[-1]  # moves lead to higher numbers, so the last node is an end
        return all(links[node] or boards[node] == only for node in range(len(boards) - 2, -1, -1))

    @property
    def results(self) -> frozenset[Position]:
        """The different positions the roll can lead to, in the mover's view."""
        if self._results is None:
            found = self._found
            ends = {board for board, out in zip(found.boards, found.links, strict=True) if not out}
            self._results = frozenset([self._position(board) for board in ends])
        return self._results

    @property
    def graph(self) -> PlayGraph:
        """The same plays as a graph, for clients and for checking a play move by move."""
        if self._graph is None:
            self._graph = PlayGraph(self._found, trapped=self._trapped, pins=self._pins)
        return self._graph

    def count(self) -> int:
        """The number of sequences, counted without walking them."""
        ways = [0] * len(self._found.links)
        for node in range(len(ways) - 1, -1, -1):
            out = self._found.links[node]
            ways[node] = sum(ways[child] for *_, child in out) if out else 1
        return ways[0]

    def pick(self, choose: Callable[[int], int]) -> tuple[tuple[Move, ...], Position]:
        """One play and its result, chosen move by move: `choose(n)` returns a number below n."""
        found, node, moves = self._found, 0, []
        while links := found.links[node]:
            source, target, die, node = links[choose(len(links))]
            moves.append(Move(source, target, die))
        return tuple(moves), self._position(found.boards[node])

    def __iter__(self) -> Iterator[tuple[Move, ...]]:
        return self._walk(0, ())

    def __contains__(self, moves: object) -> bool:
        if not isinstance(moves, tuple) or not all(isinstance(move, Move) for move in moves):
            return False
        try:
            self.graph.follow(moves)
        except IllegalPlay:
            return False
        return True

    def _walk(self, node: int, moves: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
        links = self._found.links[node]
        if not links:
            yield moves
        for source, target, die, child in links:
            yield from self._walk(child, (*moves, Move(source, target, die)))

    def _position(self, board: int) -> Position:
        return unpack(board, self._trapped, pins=self._pins)


def _walk(first: dict[int, tuple[int, Move]], end: int) -> tuple[Move, ...]:
    """The moves from node 0 to `end`; `first` has for each node a move to it, and its start."""
    moves: list[Move] = []
    while end:
        end, move = first[end]
        moves.append(move)
    return tuple(reversed(moves))
