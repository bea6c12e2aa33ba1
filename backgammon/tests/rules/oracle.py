"""A second implementation of the rules, written for clarity and not for speed: the tests' oracle.

It follows docs/rules.md literally, checker by checker, with plain lists and no shared code: it
tries every order of the dice and keeps the sequences that use the most dice. It must stay naive.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from backgammon.rules.position import Position, Way

PIN_GAMES = {"plakoto", "tapa"}
BLOCK_GAMES = {"long_nardi", "fevga", "gul_bara"}
WAYS = {
    **dict.fromkeys(BLOCK_GAMES, Way.HALF),
    **dict.fromkeys(("russian", "tabula"), Way.SAME),
}


@dataclass(frozen=True)
class Table:
    """A position taken apart: counts by the mover's point number, trays apart."""

    own: tuple[int, ...]  # index 1..24, pinned own checkers not included
    his: tuple[int, ...]  # index 1..24, pinned opposing checkers included
    held: frozenset[int]  # points where an own checker lies pinned
    bar: tuple[int, int]
    off: tuple[int, int]
    hand: tuple[int, int]

    @classmethod
    def of(cls, position: Position) -> Table:
        own, his, held = [0] * 25, [0] * 25, set()
        for number, count in enumerate(position.points, start=1):
            own[number], his[number] = max(count, 0), max(-count, 0)
            if number in position.pinned:
                if count > 0:
                    his[number] = 1
                else:
                    held.add(number)
        trays = position.bar, position.off, position.hand
        return cls(tuple(own), tuple(his), frozenset(held), *trays)

    def text(self) -> str:
        fields = []
        for n in range(1, 25):
            pin = "p" if (self.own[n] and self.his[n]) or n in self.held else ""
            fields.append(f"{self.own[n] or -self.his[n]}{pin}")
        trays = ("bar", self.bar), ("off", self.off), ("hand", self.hand)
        return " | ".join([" ".join(fields), *(f"{name} {a} {b}" for name, (a, b) in trays)])


@dataclass
class Oracle:
    """One roll of one variant: `results()` are the texts of the positions it can lead to."""

    key: str
    position: Position
    dice: tuple[int, ...]
    first_turn: bool = False
    max_stack: int | None = None
    no_hit_and_run: bool = False
    seen: dict[tuple[Table, tuple[int, ...], int], None] = field(default_factory=dict)

    def results(self) -> tuple[set[str], int]:
        """The results and the number of dice the longest play uses."""
        start = Table.of(self.position)
        self.start = start
        double = len(self.dice) == 2 and self.dice[0] == self.dice[1]
        dice = self.dice * 2 if double else self.dice
        self.ended: list[tuple[Table, int, int]] = []
        self.stopped: list[tuple[Table, int, int]] = []
        self.explore(start, tuple(sorted(dice)), 0, 0)
        most = max(depth for _, depth, _ in self.ended + self.stopped)
        kept = [end for end in self.stopped if end[1] == most]
        if most == 1:
            largest = max(first for _, _, first in kept + self.ended)
            kept = [end for end in kept if end[2] == largest]
        tables = {table for table, _, _ in kept + self.ended}
        if self.key == "fevga":
            free = {table for table in tables if not self.locks(table)}
            tables = free or tables
        return {table.text() for table in tables}, most

    def explore(self, table: Table, left: tuple[int, ...], depth: int, first: int) -> None:
        if (table, left, first) in self.seen:
            return
        self.seen[table, left, first] = None
        if self.is_over(table):
            self.ended.append((table, depth, first))
            return
        stuck = True
        for die in set(left):
            rest = list(left)
            rest.remove(die)
            for after in self.moves(table, die):
                stuck = False
                self.explore(after, tuple(rest), depth + 1, first or die)
        if stuck:
            self.stopped.append((table, depth, first))

    def is_over(self, table: Table) -> bool:
        if table.off[0] == self.checkers:
            return True
        if self.key not in PIN_GAMES or not (table.own[1] and table.his[1]):
            return False
        if 24 in table.held:
            return True
        return self.key == "plakoto" and not table.own[24]

    @property
    def checkers(self) -> int:
        return 3 if self.key == "hypergammon" else 15

    def moves(self, table: Table, die: int) -> Iterator[Table]:
        for after in self.unrestricted(table, die):
            if self.allowed(table, *after):
                yield after[2]

    def unrestricted(self, table: Table, die: int) -> Iterator[tuple[int, int, Table]]:
        """(source, target, table after) of every single move, before the variant's own rules."""
        if table.bar[0]:
            if self.is_open(table, 25 - die):
                bar = (table.bar[0] - 1, table.bar[1])
                yield 25, 25 - die, self.land(replace(table, bar=bar), 25 - die)
            return
        if table.hand[0] and self.is_open(table, 25 - die):
            hand = (table.hand[0] - 1, table.hand[1])
            yield 25, 25 - die, self.land(replace(table, hand=hand), 25 - die)
        for source in range(1, 25):
            if not table.own[source]:
                continue
            target = source - die
            if target >= 1:
                if self.is_open(table, target):
                    yield source, target, self.land(self.lift(table, source), target)
            elif self.may_bear_off(table, source, die):
                off = (table.off[0] + 1, table.off[1])
                yield source, 0, replace(self.lift(table, source), off=off)

    def is_open(self, table: Table, point: int) -> bool:
        if self.key in BLOCK_GAMES:
            return not table.his[point]
        return table.his[point] < 2 and point not in table.held

    def lift(self, table: Table, source: int) -> Table:
        own = list(table.own)
        own[source] -= 1
        return replace(table, own=tuple(own))

    def land(self, table: Table, target: int) -> Table:
        own, his, bar = list(table.own), list(table.his), table.bar
        own[target] += 1
        if his[target] and self.key not in PIN_GAMES:
            his[target] = 0
            bar = (bar[0], bar[1] + 1)
        return replace(table, own=tuple(own), his=tuple(his), bar=bar)

    def may_bear_off(self, table: Table, source: int, die: int) -> bool:
        last_home = 12 if self.key == "tabula" else 6
        if table.bar[0] or table.hand[0] or table.held or any(table.own[last_home + 1 :]):
            return False
        if self.key == "tabula":
            return source == die
        return source == die or not any(table.own[source + 1 :])

    def allowed(self, before: Table, source: int, target: int, after: Table) -> bool:
        if self.max_stack and target and after.own[target] > self.max_stack:
            return False
        if self.no_hit_and_run and source <= 6:
            hit_here = self.start.his[source] and not before.his[source]
            if hit_here and not after.own[source]:
                return False
        if self.key == "tabula":
            return not before.hand[0] or target > 12
        if self.key == "long_nardi":
            return self.head_allows(after) and not self.walls_in(after)
        if self.key == "fevga":
            free = before.off[0] or any(before.own[1:12])
            front = min(p for p in range(1, 25) if before.own[p])
            return (bool(free) or source == front) and not all(after.own[19:25])
        return True

    def head_allows(self, after: Table) -> bool:
        two = self.first_turn and self.dice in ((3, 3), (4, 4), (6, 6))
        return self.start.own[24] - after.own[24] <= (2 if two else 1)

    def walls_in(self, after: Table) -> bool:
        if after.off[1]:
            return False
        path = [p - 12 if p > 12 else p + 12 for p in range(24, 0, -1)]
        for first in range(19):
            wall, beyond = path[first : first + 6], path[first + 6 :]
            if all(after.own[p] for p in wall) and not any(after.his[p] for p in beyond):
                return True
        return False

    def locks(self, table: Table) -> bool:
        where = [p for p in range(1, 25) if table.his[p]]
        if len(where) != 1:
            return False
        his = where[0] - 12 if where[0] > 12 else where[0] + 12
        ahead = range(his - 1, his - 7, -1)
        if min(ahead) < 1:
            return False
        return all(table.own[q - 12 if q > 12 else q + 12] for q in ahead)
