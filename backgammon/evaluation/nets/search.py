"""The plays of many rolls at once: all results of one roll in each of many games, with NumPy.

It plays by the same rules as `backgammon.rules`, only faster when there are hundreds of games, and
is for training alone. A board's key is a sum of random numbers, one a checker and lane, so that a
move is one addition and equal boards are found before they are made.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from backgammon.evaluation.nets.boards import Bytes, Flags, NetKind, Numbers
from backgammon.evaluation.nets.special import SPECIAL, Moved, Special
from backgammon.rules.packed import BAR_LANE, HAND_LANE, LANES
from backgammon.rules.variant import Variant

Keys = npt.NDArray[np.uint64]
Steps = npt.NDArray[np.int8]

_DIE: Final = 7
_MOST_STEPS: Final = 4
_SALT: Final = np.uint64(0x9E3779B97F4A7C15)
_REST: Final = np.uint64(0xD1B54A32D192ED03)
_SLOT_BITS: Final = 18
_HIT: Final = 16

#: how a board stands after a play.
GOES_ON, BORNE_OFF, MOTHER, BOTH_MOTHERS = range(4)


@dataclass(slots=True)
class Rows:
    """Boards that are being searched: their games, the steps of each, and their keys."""

    boards: Bytes
    games: Numbers
    steps: Steps
    keys: Keys

    def at(self, chosen: npt.NDArray[np.intp] | Flags) -> "Rows":
        """Only these rows."""
        return Rows(self.boards[chosen], self.games[chosen], self.steps[chosen], self.keys[chosen])


@dataclass(slots=True)
class Results:
    """Where the rolls lead: boards sorted by game, how each stands, and the dice played a game."""

    boards: Bytes
    games: Numbers
    standing: Steps
    played: Steps


class Search:
    """The search in one variant."""

    def __init__(self, variant: Variant, kind: NetKind) -> None:
        self.variant, self.kind, self.movement = variant, kind, variant.movement
        self.special: type[Special] = SPECIAL.get(variant.key, Special)
        self.mother_wins = bool(getattr(variant, "mother_wins", False))
        random = np.random.RandomState(12345)
        high, low = (random.randint(0, 2**31, LANES).astype(np.uint64) for _ in range(2))
        self.unit: Keys = (high << np.uint64(33)) ^ (low << np.uint64(11)) | np.uint64(1)
        with np.errstate(over="ignore"):
            self.change: Keys = self.unit[None, :] - self.unit[:, None]
            self.hit: Keys = np.uint64(_HIT) * (self.unit[BAR_LANE] - self.unit)
        lanes, dice = np.arange(LANES)[:, None], np.arange(_DIE)[None, :]
        self.target: Numbers = np.maximum(0, np.minimum(lanes, 25) - dice)
        self.slots = np.zeros(1 << _SLOT_BITS, np.intp)

    # --- the whole search ------------------------------------------------------------------------

    def results(self, boards: Bytes, steps: Steps, owners: Numbers, first_double: Flags) -> Results:
        """All results of the rolls.

        `boards` (games, 27) in the movers' view; `steps` (orders, 4) are the dice in the orders in
        which they may be played, 0 for none, and `owners` (orders,) the games they belong to.
        `first_double` says where two checkers may leave the head in Long Nardi.
        """
        count = len(boards)
        with np.errstate(over="ignore"):
            keys = (boards.astype(np.uint64) * self.unit).sum(1)
            keys += (np.arange(count, dtype=np.uint64) + np.uint64(1)) * _SALT
        special = self.special(self.kind, boards, first_double)
        opened = self._opened(boards)
        pinned: Flags = np.asarray(np.take(self.kind.pinned, boards[:, 1:25]).any(1))
        rows = Rows(np.take(boards, owners, 0), owners, steps, keys[owners])
        played, levels = np.zeros(count, np.int8), []
        for level in range(_MOST_STEPS):
            rows = rows.at(rows.steps[:, level] > 0)
            if not len(rows.boards):
                break
            moved = self._moved(rows, level, opened, pinned, special)
            if moved is None:
                break
            played[moved.games] = level + 1
            standing = self.standing(moved.boards)
            levels.append((moved, standing))
            rows = moved.at(standing == GOES_ON)
        return self._gathered(boards, keys, played, levels, special)

    def _gathered(
        self,
        boards: Bytes,
        keys: Keys,
        played: Steps,
        levels: list[tuple[Rows, Steps]],
        special: Special,
    ) -> Results:
        """The boards where as many dice were played as can be; all that end a game."""
        stuck = np.flatnonzero(played == 0)
        found = [(boards[stuck], stuck, np.zeros(len(stuck), np.int8), keys[stuck])]
        for level, (rows, standing) in enumerate(levels):
            keep = played[rows.games] == level + 1
            if level == 0:
                dice, most = rows.steps[:, 0], np.zeros(len(boards), np.int8)
                np.maximum.at(most, rows.games, dice)
                keep &= dice == most[rows.games]
            keep |= standing > 0
            found.append((rows.boards[keep], rows.games[keep], standing[keep], rows.keys[keep]))
        ends, games, standing, all_keys = (
            np.concatenate([part[number] for part in found]) for number in range(4)
        )
        chosen = np.flatnonzero(self._first_of_each(all_keys))
        dropped = special.dropped(ends[chosen], games[chosen])
        if dropped is not None:
            chosen = chosen[~dropped]
        chosen = chosen[np.argsort(games[chosen], kind="stable")]
        return Results(np.take(ends, chosen, 0), games[chosen], standing[chosen], played)

    # --- one step --------------------------------------------------------------------------------

    def _moved(
        self, rows: Rows, level: int, opened: Flags, pinned: Flags, special: Special
    ) -> Rows | None:
        """Every board that the step of this level leads to, each once; None if there is none."""
        dice = rows.steps[:, level].astype(np.intp)
        own = np.take(self.kind.movable, rows.boards)
        legal = own & np.take(opened, rows.games * _DIE + dice, 0)
        self._waiting_first(legal, own)
        self._bearing_off(legal, own, dice, pinned[rows.games])
        special.restrict(legal, rows.boards, own, rows.games)
        row, source = np.nonzero(legal)
        if not len(row):
            return None
        target = self.target[source, dice[row]]
        with np.errstate(over="ignore"):
            keys = rows.keys[row] + self.change[source, target]
            hits = np.zeros(len(row), bool)
            if self.kind.hits:
                hits = (rows.boards[row, target] >> 4 == 1) & (target > 0)
                keys[hits] += self.hit[target[hits]]
            kept = self._first_of_each(keys + self._rest(rows.steps, level)[row])
        row, source, target = row[kept], source[kept], target[kept]
        keys, hits = keys[kept], hits[kept]
        after = self._after(rows.boards, row, source, target, np.flatnonzero(hits))
        games = rows.games[row]
        allowed = special.allowed(Moved(games, rows.boards[row], after, target))
        steps = rows.steps[row]
        found = Rows(after, games, steps, keys)
        if allowed is not None and not allowed.all():
            found = found.at(allowed)
        return found if len(found.boards) else None

    def _after(
        self, boards: Bytes, row: Numbers, source: Numbers, target: Numbers, hits: Numbers
    ) -> Bytes:
        after: Bytes = np.take(boards, row, 0)
        each = np.arange(len(row))
        after[each, source] -= 1
        after[each, target] += 1
        after[hits, target[hits]] -= _HIT
        after[hits, BAR_LANE] += _HIT
        return after

    def _waiting_first(self, legal: Flags, own: Flags) -> None:
        """While a checker is on the bar no other one moves."""
        if self.kind.hits:
            bar = own[:, BAR_LANE]
            legal[bar, :BAR_LANE] = False
            legal[bar, HAND_LANE] = False

    def _bearing_off(self, legal: Flags, own: Flags, dice: Numbers, pinned: Flags) -> None:
        """With everything home a checker may be borne off, exactly or from the highest point."""
        home = self.movement.home
        at_home = np.flatnonzero(~(own[:, home + 1 :].any(1) | pinned))
        if not len(at_home):
            return
        die, mine = dice[at_home], own[at_home]
        exact = (die <= home) & mine[np.arange(len(die)), die]
        legal[at_home[exact], die[exact]] = True
        if not self.movement.exact_off:
            highest = 6 - np.argmax(mine[:, 6:0:-1], 1)
            less = highest < die
            legal[at_home[less], highest[less]] = True

    def _opened(self, boards: Bytes) -> Flags:
        """(games x 7, 27): the sources from which a die leads to a point that is not closed."""
        open_points = ~np.take(self.kind.closed, boards)
        found = np.zeros((len(boards), _DIE, LANES), bool)
        for die in range(1, _DIE):
            found[:, die, die + 1 : HAND_LANE] = open_points[:, 1 : HAND_LANE - die]
            found[:, die, HAND_LANE] = open_points[:, BAR_LANE - die]
        return found.reshape(-1, LANES)

    def standing(self, boards: Bytes) -> Steps:
        """The standing of each board for the player who has just moved."""
        found = np.where((boards[:, 0] & 15) == self.variant.checkers, BORNE_OFF, GOES_ON)
        if self.kind.pins:
            on_his = self.kind.pinning[boards[:, 1]]
            both = on_his & self.kind.pinned[boards[:, 24]]
            found[both] = BOTH_MOTHERS
            if self.mother_wins:
                found[on_his & ~both & ~self.kind.movable[boards[:, 24]]] = MOTHER
        return found.astype(np.int8)

    # --- keys ------------------------------------------------------------------------------------

    @staticmethod
    def _rest(steps: Steps, level: int) -> Keys:
        """A number for the dice that are still to be played: equal boards with others differ."""
        rest = np.zeros(len(steps), np.uint64)
        with np.errstate(over="ignore"):
            for later in range(level + 1, _MOST_STEPS):
                rest = rest * np.uint64(_DIE) + steps[:, later].astype(np.uint64)
            return rest * _REST

    def _first_of_each(self, keys: Keys) -> Flags:
        """One row of each key; a rare second one may remain, which does no harm."""
        slot = (keys >> np.uint64(64 - _SLOT_BITS)).astype(np.intp)
        each = np.arange(len(keys))
        self.slots[slot] = each
        last = self.slots[slot]
        kept: Flags = (last == each) | (keys[last] != keys)
        return kept
