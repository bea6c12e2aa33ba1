"""Single moves on a packed board: which checker may take one die, and what the board is then.

`prepared` looks at a board once before a turn: which points are open does not change while one
player moves, so what is left for each board reached in that turn is a list of candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import msgspec

from backgammon.rules.moves import BAR, OFF
from backgammon.rules.packed import (
    BAR_LANE,
    HAND_LANE,
    LANES,
    OFF_LANE,
    opposing_unit,
    own_lanes,
    own_mask,
    own_unit,
)

StepRule = Callable[[int, int, int, int], bool]
"""(board, source, target, board after) -> whether the variant allows this single move."""


@dataclass(frozen=True, slots=True)
class Movement:
    """How checkers move in a family of variants, as data.

    A point is closed by `closed_by` opposing checkers. A smaller number is hit (`hits`) or pinned
    (`pins`). Checkers are borne off when all stand on points 1..`home`, with a larger die only
    from the highest point, or never with a larger die (`exact_off`).
    """

    closed_by: int
    hits: bool = False
    pins: bool = False
    home: int = 6
    exact_off: bool = False

    @property
    def capture(self) -> str:
        """The rule for a single opposing checker: `hit`, `pin` or `block`."""
        if self.hits:
            return "hit"
        return "pin" if self.pins else "block"


HITTING = Movement(closed_by=2, hits=True)
PINNING = Movement(closed_by=2, pins=True)
BLOCKING = Movement(closed_by=1)

Candidate = tuple[int, int, int, int, int, int]
"""A move that no closed point stops: the bits of which one must be set (a checker to move),
source, target, what it adds to the board; the bits of a blot to hit, what it adds with the hit.
The last two are 0 where nothing can be hit."""


_POINT_LANES = range(1, 25)
_OWN = [own_mask(lane) for lane in range(LANES)]
_OWN_ABOVE = [own_lanes(point + 1, HAND_LANE) for point in range(25)]


def _quiet(lane: int, die: int) -> Candidate:
    source = min(lane, BAR)
    target = source - die
    return own_mask(lane), source, target, own_unit(target) - own_unit(lane), 0, 0


def _hit(lane: int, die: int) -> Candidate:
    mask, source, target, difference, _, _ = _quiet(lane, die)
    blot = opposing_unit(target)
    return mask, source, target, difference, blot, difference - blot + opposing_unit(BAR_LANE)


def _borne_off(point: int) -> Candidate:
    return own_mask(point), point, OFF, own_unit(OFF_LANE) - own_unit(point), 0, 0


_QUIET = [[_quiet(max(lane, d + 1), d) for lane in range(LANES)] for d in range(7)]
_HIT = [[_hit(max(lane, d + 1), d) for lane in range(LANES)] for d in range(7)]
"""By die and lane; the entries of lanes that the die would bear off are never read."""
_BORNE_OFF = [_borne_off(max(point, 1)) for point in range(25)]
_EVERYWHERE = own_lanes(OFF_LANE, HAND_LANE)
_REARMOST_FIRST = (HAND_LANE, *range(24, 0, -1))
_CLOSED = 15 << 4


class Prepared(msgspec.Struct, frozen=True):
    """The candidates of one turn by die, in the order in which they are tried.

    `entering` is for boards with an own checker in a lane of `own_bar` (0 if that cannot be). One
    checker may be borne off besides from boards without any in `outside`, see `bearing_off`.
    """

    moving: dict[int, list[Candidate]]
    entering: dict[int, list[Candidate]]
    own_bar: int
    outside: int


def prepared(board: int, trapped: int, dice: tuple[int, ...], movement: Movement) -> Prepared:
    """Prepare a turn; `dice` are the single dice to be played, as often as they count."""
    lanes = _lanes_of(board, trapped)
    reachable = _reachable_lanes(lanes, dice)
    different = set(dice)
    entering = {}
    if lanes[BAR_LANE] & 15:
        entering = {die: _candidates(lanes, (BAR_LANE,), die, movement) for die in different}
    return Prepared(
        {die: _candidates(lanes, reachable, die, movement) for die in different},
        entering,
        _OWN[BAR_LANE] if entering else 0,
        _EVERYWHERE if trapped else _OWN_ABOVE[movement.home],
    )


def bearing_off(board: int, die: int, movement: Movement) -> Candidate | None:
    """The checker that this die bears off, None if it bears off none; all stand at home."""
    if die <= movement.home and board & _OWN[die]:
        return _BORNE_OFF[die]
    if movement.exact_off or board & _OWN_ABOVE[die]:
        return None
    for point in range(die - 1, 0, -1):
        if board & _OWN[point]:
            return _BORNE_OFF[point]
    return None


def can_step(
    board: int, trapped: int, die: int, movement: Movement, rules: Sequence[StepRule]
) -> bool:
    """Whether any checker may move by this die; the rearmost come first, as they usually can."""
    lanes = _lanes_of(board, trapped)
    waits = lanes[BAR_LANE] & 15
    for lane in (BAR_LANE,) if waits else _REARMOST_FIRST:
        if lanes[lane] & 15:
            for _, source, target, difference, blot, with_hit in _candidates(
                lanes, (lane,), die, movement
            ):
                after = board + (with_hit if board & blot else difference)
                if all(rule(board, source, target, after) for rule in rules):
                    return True
    if waits or trapped or board & _OWN_ABOVE[movement.home]:
        return False
    off = bearing_off(board, die, movement)
    return off is not None and all(rule(board, off[1], OFF, board + off[3]) for rule in rules)


def _lanes_of(board: int, trapped: int) -> bytearray:
    """The board byte by byte, with the points closed where an own checker lies pinned."""
    lanes = bytearray(board.to_bytes(LANES, "little"))
    if trapped:
        for point in _POINT_LANES:
            if trapped >> point & 1:
                lanes[point] = _CLOSED
    return lanes


def _reachable_lanes(lanes: bytearray, dice: tuple[int, ...]) -> list[int]:
    """Every lane from which one of these dice might be played in this turn, bar left out."""
    reach = 0
    for point in _POINT_LANES:
        if lanes[point] & 15:
            reach |= 1 << point
    if (lanes[BAR_LANE] | lanes[HAND_LANE]) & 15:
        reach |= 1 << BAR
    distances = set(dice)
    for _ in dice[1:]:
        landed = 0
        for die in distances:
            landed |= reach >> die
        reach |= landed
    found = [point for point in _POINT_LANES if reach >> point & 1]
    if lanes[HAND_LANE] & 15:
        found.append(HAND_LANE)
    return found


def _candidates(
    lanes: bytearray, sources: Iterable[int], die: int, movement: Movement
) -> list[Candidate]:
    """The moves of one die that no closed point stops: first without, then with a blot to hit."""
    closed_at = movement.closed_by << 4
    calm: list[Candidate] = []
    wild: list[Candidate] = []
    quiet, hit = _QUIET[die], _HIT[die]
    for lane in sources:
        if lane > die:
            step = quiet[lane]
            there = lanes[step[2]]
            if there >= closed_at:
                continue
            if there > 15 and movement.hits:
                wild.append(hit[lane])
            else:
                calm.append(step)
    return calm + wild if wild else calm
