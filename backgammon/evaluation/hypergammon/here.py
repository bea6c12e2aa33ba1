"""The table of this process: where the house keeps it, and the file once it is open."""

from pathlib import Path
from typing import Final

from backgammon.evaluation.hypergammon.table import HypergammonTable, HypergammonTableError, opened

KEY: Final = "hypergammon"


class _Place:
    path: Path | None = None
    found: HypergammonTable | None = None


def keep_at(path: Path | None) -> None:
    """From now on the table is the one in this file; None: there is none."""
    _Place.path, _Place.found = path, None


def table() -> HypergammonTable | None:
    """The table of the house; None where there is none that can be used.

    It is looked for until it is there, so a process finds it that has begun before.
    """
    if _Place.found is None and _Place.path is not None:
        try:
            _Place.found = opened(_Place.path)
        except (OSError, HypergammonTableError):
            return None
    return _Place.found
