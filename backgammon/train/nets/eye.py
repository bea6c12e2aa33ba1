"""The rules of thumb for many boards at once: the opponent that every net is measured against."""

import numpy as np

from backgammon.evaluation import eye
from backgammon.evaluation.nets.boards import Bytes, Floats, NetKind
from backgammon.rules.variant import Variant


class Eye:
    """The same judgement, in NumPy; a test compares the two."""

    def __init__(self, variant: Variant, kind: NetKind) -> None:
        self.variant, self.kind = variant, kind
        self.most = float(max(variant.levels))
        self.pips = np.arange(26, dtype=np.float32)

    def __call__(self, boards: Bytes) -> Floats:
        """The equities for the players who have just moved."""
        kind = self.kind
        own = self._counts(np.take(kind.own, boards))
        opposing = self._counts(np.take(kind.opposing, boards))
        theirs, mine_there = opposing.copy(), own.copy()
        theirs[:, 1:25] = opposing[:, kind.across[1:]]
        mine_there[:, 1:25] = own[:, kind.across[1:]]
        ahead = theirs @ self.pips - own @ self.pips
        contact = _contact(own, opposing, theirs, mine_there)
        safety = self._shape(own) - self._shape(theirs) + self._safety(boards, own, theirs)
        ahead += np.where(contact, safety, 0)
        points = boards[:, 1:25]
        held = kind.pinning[points].sum(1) - kind.pinned[points].sum(1, dtype=np.int64)
        ahead += eye.HELD_BACK * held
        ahead += eye.OFF * ((boards[:, 0] & 15).astype(np.float32) - (boards[:, 0] >> 4))
        if not kind.hits:
            crowd = np.where(kind.movable[boards[:, eye.START]], own[:, eye.START], 0)
            ahead -= eye.CROWD * crowd
        worth = self.most * np.tanh(ahead / eye.PIPS_A_POINT / self.most)
        found: Floats = (-worth if self.variant.key == "misere" else worth).astype(np.float32)
        return found

    @staticmethod
    def _counts(lanes: Bytes) -> Floats:
        """Checkers by point 1..24, bar and hand together at 25, nothing at 0."""
        counts = np.zeros((len(lanes), 26), np.float32)
        counts[:, 1:25] = lanes[:, 1:25]
        counts[:, 25] = lanes[:, 25].astype(np.float32) + lanes[:, 26]
        return counts

    def _safety(self, boards: Bytes, own: Floats, theirs: Floats) -> Floats:
        """The cost of the mover's blots, as a negative number."""
        kind, cost = self.kind, np.zeros(len(boards), np.float32)
        if not (kind.hits or kind.pins):
            return cost
        hunters = np.cumsum(theirs > 0, 1)
        points = boards[:, 1:25]
        blots = (own[:, 1:25] == 1) & ~kind.pinning[points] & ~kind.pinned[points]
        for point in range(1, 25):
            there = int(kind.across[point])
            passed = hunters[:, there]
            near = hunters[:, min(25, there + eye.SHOT_REACH)] > passed
            far = hunters[:, 25] > passed
            chance = np.where(near, eye.DIRECT_SHOT, np.where(far, eye.INDIRECT_SHOT, 0.0))
            lost = 25 - point if kind.hits else point + eye.HELD_BACK
            cost -= (blots[:, point - 1] * chance * lost).astype(np.float32)
        return cost

    def _shape(self, own: Floats) -> Floats:
        made = own[:, 1:25] >= self.kind.closed_by
        rows = (made[:, 1:] & made[:, :-1]).sum(1)
        found: Floats = eye.POINT_MADE * made.sum(1) + eye.NEIGHBOUR * rows
        return found - eye.STRAGGLER * _last(own)


def _last(counts: Floats) -> Floats:
    """The highest point with a checker, 0 if there is none."""
    there = counts[:, 1:] > 0
    last: Floats = np.where(there.any(1), 25 - np.argmax(there[:, ::-1], 1), 0)
    return last


def _first(counts: Floats) -> Floats:
    """The lowest point with a checker."""
    first: Floats = np.argmax(counts > 0, 1)
    return first


def _contact(own: Floats, opposing: Floats, theirs: Floats, mine_there: Floats) -> np.ndarray:
    """`Position.contact`: whether some checker has an opposing one ahead of it."""
    waiting = (own[:, 25] > 0) | (opposing[:, 25] > 0)
    meeting = (_last(own) > _first(opposing)) | (_last(theirs) > _first(mine_there))
    both: np.ndarray = (waiting | meeting) & own.any(1) & opposing.any(1)
    return both
