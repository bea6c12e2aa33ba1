"""Dice that a test lays down: the same numbers for the same roll, in any process."""

import os
from pathlib import Path
from typing import ClassVar
from uuid import UUID

#: a file with one roll a line ("6 3"); real processes under test read it. It is read anew for
#: each roll, so that nothing is remembered over a crash.
DICE_FILE = "PASCH_TEST_DICE"


class ScriptedDice:
    """Roll number n of a match is entry n of the script, over and over."""

    script: ClassVar[list[tuple[int, ...]]] = [(3, 1)]

    def draw(self, *, table_id: UUID, roll: int, dice: int) -> tuple[int, ...]:
        """The dice of roll number `roll`."""
        script = self._script()
        return script[roll % len(script)]

    def _script(self) -> list[tuple[int, ...]]:
        if path := os.environ.get(DICE_FILE):
            lines = Path(path).read_text(encoding="ascii").splitlines()
            return [tuple(int(number) for number in line.split()) for line in lines]
        return self.script
