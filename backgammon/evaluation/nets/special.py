"""The rules of single variants in the search for plays, for many boards at once.

Each rule stands in the variant's own file in `rules/variants`; here it is a mask over rows.
`backgammon/tests/analysis/test_nets_search.py` compares the two on random rolls.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from backgammon.evaluation.nets.boards import Bytes, Flags, NetKind, Numbers
from backgammon.rules.packed import HAND_LANE
from backgammon.rules.variants.long_nardi import HEAD

_HIS_PATH: Final = np.array([*range(12, 0, -1), *range(24, 12, -1)])
_QUARTER: Final = slice(19, 25)
_SECOND_HALF: Final = 13


@dataclass(slots=True)
class Moved:
    """Boards before and after one move each: the rows' games, sources' boards and targets."""

    games: Numbers
    before: Bytes
    after: Bytes
    targets: Numbers


class Special:
    """No rule of its own; subclasses state what differs."""

    def __init__(self, kind: NetKind, starts: Bytes, first_double: Flags) -> None:
        self.kind, self.starts, self.first_double = kind, starts, first_double

    def restrict(self, legal: Flags, boards: Bytes, own: Flags, games: Numbers) -> None:
        """Clear the sources that may not move, in place."""

    def allowed(self, moved: Moved) -> Flags | None:
        """Which moves may stand; None if all."""
        return None

    def dropped(self, boards: Bytes, games: Numbers) -> Flags | None:
        """Which results do not count where a roll has others; None if none."""
        return None


class FevgaNet(Special):
    """The runner first, the own quarter never full, and no wall before a gathered opponent."""

    def restrict(self, legal: Flags, boards: Bytes, own: Flags, games: Numbers) -> None:
        waiting = np.flatnonzero(~(own[:, 1:12].any(1) | ((boards[:, 0] & 15) > 0)))
        if len(waiting):
            front = 12 + np.argmax(own[waiting, 12:25], 1)
            keep = np.zeros((len(waiting), legal.shape[1]), bool)
            keep[np.arange(len(waiting)), front] = True
            legal[waiting] &= keep

    def allowed(self, moved: Moved) -> Flags | None:
        held: Flags = np.take(self.kind.movable, moved.after[:, _QUARTER])
        return ~_all(held)

    def dropped(self, boards: Bytes, games: Numbers) -> Flags | None:
        standing = (self.starts[:, 1:25] >> 4) > 0
        across, walled = self.kind.across, np.zeros(len(boards), bool)
        for game in np.flatnonzero(standing.sum(1) == 1):
            his_point = int(across[int(np.argmax(standing[game])) + 1])
            if his_point <= 6:
                continue
            wall = [int(across[his_point - step]) for step in range(1, 7)]
            rows = np.flatnonzero(games == game)
            locked = np.take(self.kind.movable, boards[rows][:, wall]).all(1)
            if not locked.all():
                walled[rows[locked]] = True
        return walled


class LongNardiNet(Special):
    """One checker leaves the head, two in some first rolls; no six in a row with nobody beyond."""

    def __init__(self, kind: NetKind, starts: Bytes, first_double: Flags) -> None:
        super().__init__(kind, starts, first_double)
        leaves = np.where(first_double, 2, 1)
        self.least = (starts[:, HEAD] & 15).astype(np.intp) - leaves
        his = (starts[:, _HIS_PATH] >> 4) > 0
        beyond = np.zeros((len(starts), 25), bool)
        beyond[:, :24] = np.logical_or.accumulate(his[:, ::-1], 1)[:, ::-1]
        self.forbidden = ~beyond[:, 6:25] & ((starts[:, 0] >> 4) == 0)[:, None]

    def restrict(self, legal: Flags, boards: Bytes, own: Flags, games: Numbers) -> None:
        legal[:, HEAD] &= (boards[:, HEAD] & 15).astype(np.intp) - 1 >= self.least[games]

    def allowed(self, moved: Moved) -> Flags | None:
        held = np.take(self.kind.movable, np.take(moved.after, _HIS_PATH, 1))
        pairs = held[:, :-1] & held[:, 1:]
        threes = pairs[:, :-1] & held[:, 2:]
        sixes = threes[:, :-3] & threes[:, 3:]
        walled: Flags = sixes & self.forbidden[moved.games]
        return ~_any(walled)


class TabulaNet(Special):
    """Nobody passes the first half while a checker is in hand."""

    def allowed(self, moved: Moved) -> Flags | None:
        entered: Flags = (moved.before[:, HAND_LANE] & 15) == 0
        return (moved.targets >= _SECOND_HALF) | entered


def _all(flags: Flags) -> Flags:
    found: Flags = np.asarray(flags.all(1))
    return found


def _any(flags: Flags) -> Flags:
    found: Flags = np.asarray(flags.any(1))
    return found


SPECIAL: Final[dict[str, type[Special]]] = {
    "fevga": FevgaNet,
    "long_nardi": LongNardiNet,
    "tabula": TabulaNet,
}
