"""The file with the exact worth of every position of Hypergammon, and what it says about one.

A header of one page, JSON, then ten floats (32 bits, little-endian) for each pair of arrangements:
the player on roll, the opponent. The file is mapped, not read: a process keeps the pages it has
looked at. `python -m backgammon.train.hypergammon` computes it (docs/analysis.md).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from backgammon.evaluation.hypergammon.arrangements import COUNT, numbers_of
from backgammon.evaluation.stakes import Chances, CubeWorth, Stakes, cubeless, turned
from backgammon.rules.position import Position, Way

KEY: Final = "hypergammon"

#: of another number, a file is not read.
VERSION: Final = 1

#: what the equities hold for.
RULES: Final = "hypergammon, cube without a limit, levels 1 2 3, last checker off at once (D7)"

HEADER_BYTES: Final = 4096

#: the chances of play without a cube, each including the next, then the equities before the roll
#: without a double: the opponent's cube, the own one, the centred one without and with Jacoby's
#: rule, and with beavers as well.
CHANCES: Final = ("win", "gammon", "backgammon", "lost_gammon", "lost_backgammon")
EQUITIES: Final = ("theirs", "mine", "centred", "jacoby", "jacoby_beavers")
COLUMNS: Final = (*CHANCES, *EQUITIES)

_AT: Final = {name: index for index, name in enumerate(COLUMNS)}
_ENTRY: Final = np.dtype("<f4")

#: what one side's arrangements against the other's are worth, by `COLUMNS`.
Entries = NDArray[np.float32]


class HypergammonTableError(ValueError):
    """A file is no table of Hypergammon, or one of another version."""

    code = "no_table"


class HypergammonTable:
    """The worth of every position in unlimited play, exact to about a hundred thousandth.

    `entries` has a row for each arrangement of the player on roll and a column for each of the
    opponent's.
    """

    def __init__(self, entries: Entries, digest: str) -> None:
        self.entries, self.digest = entries, digest

    def entry(self, position: Position) -> tuple[float, ...]:
        """The ten numbers of a position, for the player on roll."""
        mine, theirs = numbers_of(position)
        return tuple(self.entries[mine, theirs].tolist())

    def before_roll(self, position: Position, stakes: Stakes) -> CubeWorth:
        """The equity of the player on roll without a double, and with one that is taken."""
        entry = self.entry(position)
        return CubeWorth(_rolled(entry, stakes), 2 * entry[_AT["theirs"]], _chances(entry))

    def after_play(self, result: Position, stakes: Stakes) -> tuple[float, Chances]:
        """The equity and the chances of the player who has just moved; they see `result`."""
        entry = self.entry(result.turned(Way.AGAINST))
        return -_to_decide(entry, stakes.flipped()), turned(_chances(entry))


def _chances(entry: tuple[float, ...]) -> Chances:
    win, gammon, backgammon, lost_gammon, lost_backgammon = entry[: len(CHANCES)]
    return (win, gammon, backgammon, lost_gammon, lost_backgammon)


def _rolled(entry: tuple[float, ...], stakes: Stakes) -> float:
    """The equity of the player who rolls now."""
    if stakes.no_cube:
        return cubeless(_chances(entry))
    name: str = stakes.owner
    if name == "centred" and stakes.jacoby:
        name = "jacoby_beavers" if stakes.beavers else "jacoby"
    return entry[_AT[name]]


def _to_decide(entry: tuple[float, ...], stakes: Stakes) -> float:
    """The equity of the player who may double now, and does so if that is better."""
    rolled = _rolled(entry, stakes)
    if not stakes.may_double:
        return rolled
    taken = 2 * entry[_AT["theirs"]]
    doubled = min(taken, 1.0, 2 * taken if stakes.beavers else 1.0)
    return max(rolled, doubled)


def header(digest: str) -> bytes:
    """The first page of a file whose entries have this digest."""
    told = {
        "format": "pasch-hypergammon",
        "version": VERSION,
        "rules": RULES,
        "arrangements": COUNT,
        "columns": COLUMNS,
        "entry": _ENTRY.str,
        "blake2b": digest,
    }
    return json.dumps(told, indent=1).encode().ljust(HEADER_BYTES - 1) + b"\n"


def opened(path: Path) -> HypergammonTable:
    """The table in a file, mapped.

    :raises OSError: if it cannot be read.
    :raises TableError: if it is no whole table of this version.
    """
    with path.open("rb") as file:
        head = file.read(HEADER_BYTES)
    try:
        told: dict[str, Any] = json.loads(head)
        digest = str(told["blake2b"])
    except (ValueError, KeyError, TypeError) as error:
        raise HypergammonTableError(f"{path}: no table of Hypergammon") from error
    if head != header(digest):
        raise HypergammonTableError(
            f"{path}: a table of version {told.get('version')}, not {VERSION}"
        )
    shape = (COUNT, COUNT, len(COLUMNS))
    if path.stat().st_size != HEADER_BYTES + _ENTRY.itemsize * int(np.prod(shape)):
        raise HypergammonTableError(f"{path}: the table is not whole")
    entries = np.memmap(path, dtype=_ENTRY, mode="r", offset=HEADER_BYTES, shape=shape)
    return HypergammonTable(entries, digest)


class _Place:
    path: Path | None = None
    found: HypergammonTable | None = None


def keep_at(path: Path | None) -> None:
    """From now on the table is the one in this file; None: there is none."""
    _Place.path, _Place.found = path, None


def kept_table() -> HypergammonTable | None:
    """The table of the house; None where there is none that can be used.

    It is looked for until it is there, so a process finds it that has begun before.
    """
    if _Place.found is None and _Place.path is not None:
        try:
            _Place.found = opened(_Place.path)
        except (OSError, HypergammonTableError):
            return None
    return _Place.found
