"""The ladder of leavers: how long somebody who keeps leaving matches waits for a new table. Pure.

What counts is the share of the last matches, not a total: `WINDOW` matches back, and nothing before
`HEALS` clean ones in a row. The first fault costs nothing. Waits end by themselves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

WINDOW: Final = 20
"""So many of a player's last matches count."""

HEALS: Final = 10
"""After so many clean matches in a row the record is clean."""

STEPS: Final = (
    timedelta(0),
    timedelta(minutes=10),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=12),
    timedelta(hours=24),
)
"""How long the first, second, third … fault within the window keeps a player from new tables."""

SHARE_LEAST: Final = 0.1
"""A player who has left a smaller share of their last matches does not wait."""


@dataclass(frozen=True, slots=True)
class LeaverRecord:
    """The record of a player: faults among their last matches, and the step that follows.

    `clean` is the number of clean matches since the last fault.
    """

    faults: int
    matches: int
    clean: int

    @property
    def step(self) -> int:
        """The number of the step, counted from 0; 0 costs nothing."""
        if self.faults < 2 or self.faults < SHARE_LEAST * self.matches:
            return 0
        return min(self.faults, len(STEPS)) - 1

    @property
    def wait(self) -> timedelta:
        """How long a fault now keeps the player from new tables."""
        return STEPS[self.step]

    @property
    def to_heal(self) -> int:
        """How many clean matches in a row make the record clean again; 0 if it is."""
        return HEALS - self.clean if self.faults else 0


def record_of(faults: Sequence[bool]) -> LeaverRecord:
    """The record of a player whose last matches, newest first, ended like this (True: a fault)."""
    counted: list[bool] = []
    run = 0
    for fault in faults[:WINDOW]:
        run = 0 if fault else run + 1
        if run >= HEALS and not any(counted):
            return LeaverRecord(0, len(faults[:WINDOW]), run)
        if run >= HEALS:
            counted = counted[: len(counted) - run + 1]
            break
        counted.append(fault)
    clean = counted.index(True) if True in counted else len(counted)
    return LeaverRecord(sum(counted), len(counted), clean)
