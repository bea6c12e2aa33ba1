"""Writing the table to its file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path

import numpy as np

from backgammon.evaluation.hypergammon.arrangements import COUNT
from backgammon.evaluation.hypergammon.table import COLUMNS, HEADER_BYTES, HypergammonTable, header
from backgammon.train.hypergammon.backup import Floats, Universe


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
