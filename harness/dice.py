"""Scripted dice: the same numbers for the same roll, in any process."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from games.models import Table
from games.services.dice.fair import DiceRows
from games.table.events import Event
from games.table.state import TableState

#: a file with one roll a line ("6 3"); real processes under test read it. It is read again for
#: each roll, so that no state is lost in a crash.
DICE_FILE = "PASCH_TEST_DICE"


class GivenDice:
    """Dice without contributions of the players and without a check."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def take(self, state: TableState, seat: int, element: str) -> None:
        """Ignore the players' parts."""

    def wait_until_ms(self, state: TableState, now_ms: int) -> int | None:
        """No part is awaited."""
        return None

    def is_over(self, state: TableState) -> bool:
        """There is always another roll."""
        return False

    def draw(self, state: TableState) -> tuple[int, ...]:
        """The dice of the next roll."""
        raise NotImplementedError

    def finish(self, state: TableState, events: Sequence[Event]) -> DiceRows:
        """Store nothing."""
        return DiceRows()


class ScriptedDice(GivenDice):
    """Roll number n of a match is entry n of the script, over and over."""

    script: ClassVar[list[tuple[int, ...]]] = [(3, 1)]

    def draw(self, state: TableState) -> tuple[int, ...]:
        """The dice of the roll that comes next."""
        assert state.match is not None
        script = self._script()
        return script[state.match.rolls % len(script)]

    def _script(self) -> list[tuple[int, ...]]:
        if path := os.environ.get(DICE_FILE):
            lines = Path(path).read_text(encoding="ascii").splitlines()
            return [tuple(int(number) for number in line.split()) for line in lines]
        return self.script
