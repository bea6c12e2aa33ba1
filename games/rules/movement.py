"""Single moves on a packed board: which checker may take one die, and what the board is then.

`stepper` prepares a roll once (which points are open does not change while one player moves) and
returns a function that lists the single moves of one die from any board reached in that turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from games.rules.moves import BAR, OFF
from games.rules.packed import (
    BAR_LANE,
    HAND_LANE,
    LANES,
    OFF_LANE,
    opposing_unit,
    own_lanes,
    own_mask,
    own_unit,
)

Step = tuple[int, int, int]
"""(source, target, board after the move)."""

Stepper = Callable[[int, int], list[Step]]
"""(board, die) -> the single moves of that die."""

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


HITTING = Movement(closed_by=2, hits=True)
PINNING = Movement(closed_by=2, pins=True)
BLOCKING = Movement(closed_by=1)

_Quiet = tuple[int, int, int, int]  # bits that must hold a checker, source, target, difference
_Hit = tuple[int, int, int, int, int, int]  # the same, bits of the blot, difference with the hit


_POINT_LANES = range(1, 25)
_OWN = [own_mask(lane) for lane in range(LANES)]
_OWN_ABOVE = [own_lanes(point + 1, HAND_LANE) for point in range(25)]
_BEAR_OFF = [own_unit(OFF_LANE) - own_unit(point) for point in range(25)]


def _quiet(lane: int, die: int) -> _Quiet:
    source = min(lane, BAR)
    target = source - die
    return own_mask(lane), source, target, own_unit(target) - own_unit(lane)


def _hit(lane: int, die: int) -> _Hit:
    mask, source, target, difference = _quiet(lane, die)
    blot = opposing_unit(target)
    return mask, source, target, difference, blot, difference - blot + opposing_unit(BAR_LANE)


_QUIET = [[_quiet(max(lane, d + 1), d) for lane in range(LANES)] for d in range(7)]
_HIT = [[_hit(max(lane, d + 1), d) for lane in range(LANES)] for d in range(7)]
"""By die and lane; the entries of lanes that the die would bear off are never looked at."""
_CLOSED = 15 << 4


def stepper(board: int, trapped: int, dice: Iterable[int], movement: Movement) -> Stepper:
    """Prepare a roll: `dice` are the single dice to be played, repeated as often as they count."""
    lanes = _lanes_of(board, trapped)
    quiet: dict[int, list[_Quiet]] = {}
    hits: dict[int, list[_Hit]] = {}
    entries: dict[int, tuple[list[_Quiet], list[_Hit]]] = {}
    reachable = _reachable_lanes(lanes, tuple(dice))
    for die in set(dice):
        quiet[die], hits[die] = _candidates(lanes, reachable, die, movement)
        if lanes[BAR_LANE] & 15:
            entries[die] = _candidates(lanes, [BAR_LANE], die, movement)
    outside = _OWN_ABOVE[movement.home]
    bears_off = not trapped
    own_bar = _OWN[BAR_LANE]

    def steps(board: int, die: int) -> list[Step]:
        if board & own_bar:
            calm, wild = entries[die]
        else:
            calm, wild = quiet[die], hits[die]
        found = [
            (source, target, board + difference)
            for mask, source, target, difference in calm
            if board & mask
        ]
        for mask, source, target, difference, blot, with_hit in wild:
            if board & mask:
                found.append((source, target, board + (with_hit if board & blot else difference)))
        if bears_off and not board & outside:
            point = _bearing_off_from(board, die, movement)
            if point:
                found.append((point, OFF, board + _BEAR_OFF[point]))
        return found

    return steps


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
) -> tuple[list[_Quiet], list[_Hit]]:
    """The moves of one die that no closed point stops: without and with a blot to hit."""
    closed_at = movement.closed_by << 4
    calm: list[_Quiet] = []
    wild: list[_Hit] = []
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
    return calm, wild


def _bearing_off_from(board: int, die: int, movement: Movement) -> int:
    """The point from which this die bears a checker off, 0 if from none; all are home."""
    if die <= movement.home and board & _OWN[die]:
        return die
    if movement.exact_off or board & _OWN_ABOVE[die]:
        return 0
    for point in range(die - 1, 0, -1):
        if board & _OWN[point]:
            return point
    return 0
