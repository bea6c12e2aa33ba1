"""The exact worth of every position of Hypergammon, by value iteration.

Equities are those of the player on roll, in points of the cube as it stands. The chances are those
of play without a cube for the most points.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np

from backgammon.evaluation.hypergammon.arrangements import COUNT, GONE
from backgammon.evaluation.hypergammon.table import (
    CHANCES,
    COLUMNS,
    EQUITIES,
    HEADER_BYTES,
    HypergammonTable,
    header,
)
from backgammon.train.hypergammon.backup import Floats, Program, Universe
from backgammon.train.hypergammon.plays import ROLLS

#: the tables are finished when no entry changes by more.
CLOSE: Final = 1e-6

_SWEEPS_MOST: Final = 500

#: when the first leap is, every how many sweeps there is one, and how large a change is worth it.
_LEAPS_FROM: Final = 9
_LEAPS_EACH: Final = 3
_LEAPS_ABOVE: Final = 1e-5

#: what is found together: the equities of `table.py`, and play without a cube.
_KINDS: Final = (*EQUITIES, "no_cube")
_AT: Final = {name: index for index, name in enumerate(_KINDS)}
_JACOBY: Final = [index for index, name in enumerate(_KINDS) if name.startswith("jacoby")]

#: the kind of the reply: what is the opponent's cube to one player is the own one to the other.
_REPLY: Final = [1, 0, *range(2, len(_KINDS))]

#: the opponent's chances by those of the player who replies; a win is the other's loss.
_TURNED: Final = [0, 3, 4, 1, 2]

#: called after every sweep with what is sought, the number of the sweep and the largest change.
Told = Callable[[str, int, float], None]


def solved(program: Program, told: Told) -> dict[str, Floats]:
    """The columns of the table by name; entry [mine, theirs] is for the player on roll."""
    universe = program.universe
    gone = universe.column[GONE]
    shape = (universe.count, len(_KINDS), universe.count)
    decided, rolled = _finals(program, shape), np.zeros(shape, dtype=np.float32)

    def sweep() -> float:
        change = 0.0
        for column in program.order:
            worth = program.backup(decided, column)[_REPLY]
            worth *= universe.legal[column]
            rolled[column] = worth
            _doubled(worth)
            worth[:, gone] = decided[gone, :, column]  # that game has ended
            change = max(change, float(np.abs(worth - decided[:, :, column].T).max()))
            decided[:, :, column] = worth.T
        return change

    _until_close("equities", decided, sweep, told)
    rolled[:, :, gone] = decided[gone].T
    chances = _chances(program, decided, told)
    return chances | {name: rolled[:, _AT[name]] for name in EQUITIES}


def _finals(program: Program, shape: tuple[int, int, int]) -> Floats:
    """Tables that know nothing but what the games count that have ended."""
    tables = np.zeros(shape, dtype=np.float32)
    gone = program.universe.column[GONE]
    tables[gone] = -program.universe.levels
    tables[gone, _JACOBY] = -1
    return tables


def _doubled(worth: Floats) -> None:
    """From the worth of rolling to that of the decision to double; one row for each kind.

    A double is taken or dropped, and beavered if it can be, as it is worse for the doubler.
    """
    taken = 2 * worth[_AT["theirs"]]
    offered = np.minimum(taken, 1)
    for name in ("mine", "centred", "jacoby"):
        np.maximum(worth[_AT[name]], offered, out=worth[_AT[name]])
    beavered = worth[_AT["jacoby_beavers"]]
    np.maximum(beavered, np.minimum(offered, 2 * taken), out=beavered)


def _until_close(name: str, tables: Floats, sweep: Callable[[], float], told: Told) -> None:
    """Sweep until nothing changes, with a leap ahead now and then.

    Late changes shrink by the same factor each time, so the sum of all that would follow is known.
    A leap that errs costs sweeps and nothing else: the last sweep finds no change.
    """
    earlier = np.zeros((0, *tables.shape[1:]), dtype=np.float32)
    for number in range(1, _SWEEPS_MOST):
        kept = number >= _LEAPS_FROM - 1 and (number + 1) % _LEAPS_EACH < 2
        before = tables.copy() if kept else None
        change = sweep()
        told(name, number, change)
        if change < CLOSE:
            return
        if before is None:
            continue
        now = np.subtract(tables, before, out=before)
        if number % _LEAPS_EACH == 0 and change > _LEAPS_ABOVE and len(earlier):
            _leap(tables, now, earlier)
        earlier = now
    raise ArithmeticError(f"{name} still changes by {change} after {_SWEEPS_MOST} sweeps")


def _leap(tables: Floats, now: Floats, earlier: Floats) -> None:
    """Add what would follow if the last change goes on to shrink as it did, for each kind."""
    for kind in range(tables.shape[1]):
        last, first = now[:, kind], earlier[:, kind]
        shrinks = float(np.vdot(last, first) / max(float(np.vdot(first, first)), 1e-12))
        if 0 < shrinks < 1:
            tables[:, kind] += last * np.float32(min(shrinks / (1 - shrinks), 5))


def _chances(program: Program, decided: Floats, told: Told) -> dict[str, Floats]:
    """The chances of both sides if they play without a cube as its equities say."""
    universe, count = program.universe, program.universe.count
    no_cube = _AT["no_cube"]
    chosen = {column: program.chosen(decided, no_cube, column) for column in program.order}
    weights = np.array([weight / 36 for _, _, weight in ROLLS], dtype=np.float32)
    gone, lost = universe.column[GONE], universe.levels
    table = np.zeros((count, count, len(CHANCES)), dtype=np.float32)
    table[gone, :, 3], table[gone, :, 4] = lost >= 2, lost >= 3
    flat = table.reshape(count * count, len(CHANCES))

    def sweep() -> float:
        change = 0.0
        for column in program.order:
            replies = flat.take(chosen[column].ravel(), axis=0).reshape(len(ROLLS), -1)
            mean = (weights @ replies).reshape(count, len(CHANCES))[:, _TURNED]
            mean[:, 0] = 1 - mean[:, 0]
            mean *= universe.legal[column][:, None]
            mean[gone] = table[gone, column]
            change = max(change, float(np.abs(mean - table[:, column]).max()))
            table[:, column] = mean
        return change

    _until_close("chances", table.transpose(0, 2, 1), sweep, told)
    return {name: table[:, :, index].T for index, name in enumerate(CHANCES)}


def write(path: Path, tables: Mapping[str, Floats]) -> None:
    """Put the table into its file, whole or not at all; processes that use an old one keep it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    digest = blake2b()
    with part.open("wb") as file:
        file.write(b" " * HEADER_BYTES)
        for row in range(COUNT):
            entries = np.stack([tables[name][row] for name in COLUMNS], axis=-1)
            data = entries.astype("<f4").tobytes()
            digest.update(data)
            file.write(data)
        file.seek(0)
        file.write(header(digest.hexdigest()))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def part_of(universe: Universe, tables: Mapping[str, Floats]) -> HypergammonTable:
    """A table of some arrangements alone; all others are nought."""
    entries = np.zeros((COUNT, COUNT, len(COLUMNS)), dtype=np.float32)
    numbers = np.array(universe.numbers)
    for index, name in enumerate(COLUMNS):
        entries[numbers[:, None], numbers[None, :], index] = tables[name]
    return HypergammonTable(entries, "")


def digest_of(table: HypergammonTable) -> str:
    """The digest of the entries as they are now."""
    digest = blake2b()
    for row in _rows(table):
        digest.update(row)
    return digest.hexdigest()


def _rows(table: HypergammonTable) -> Iterator[bytes]:
    for row in range(COUNT):
        yield table.entries[row].tobytes()
