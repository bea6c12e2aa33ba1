"""Where dice come from. The machine never rolls; a service draws here and stores the roll."""

import secrets
from typing import Protocol
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string


class DiceSource(Protocol):
    """Something that gives the dice of one roll."""

    def draw(self, *, table_id: UUID, roll: int, dice: int) -> tuple[int, ...]:
        """The dice of roll number `roll` (from 0) of a table's match: `dice` numbers of 1 to 6."""
        ...


class SystemDice:
    """Dice from the operating system's generator; every roll is independent of everything."""

    def draw(self, *, table_id: UUID, roll: int, dice: int) -> tuple[int, ...]:
        """The dice of one roll; the number of the roll plays no part in it."""
        return tuple(secrets.randbelow(6) + 1 for _ in range(dice))


def dice_source() -> DiceSource:
    """The house's source, by the setting DICE_SOURCE (a dotted path to a class)."""
    source: DiceSource = import_string(settings.DICE_SOURCE)()
    return source
