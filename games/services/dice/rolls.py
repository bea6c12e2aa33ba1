"""Rolls between the moment they are drawn and the moment they are stored."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from games.models import DiceRoll, GameDice


@dataclass(slots=True)
class Drawn:
    """A roll as it will be stored: the fields of `DiceRoll`."""

    n: int
    kind: int
    flags: int
    house: bytes
    white: bytes
    black: bytes
    seq: int
    dice: list[int] = field(default_factory=list)


def rolls_store(game: GameDice, rolls: Iterable[Drawn]) -> None:
    """Write the rolls of a game, each under its number."""
    DiceRoll.objects.bulk_create(DiceRoll(game=game, **asdict(roll)) for roll in rolls)


def roll_frame(roll: Drawn | DiceRoll) -> dict[str, Any]:
    """A roll as clients and records have it."""
    return {
        "n": roll.n,
        "kind": roll.kind,
        "flags": roll.flags,
        "s": bytes(roll.house).hex(),
        "eW": bytes(roll.white).hex(),
        "eB": bytes(roll.black).hex(),
        "dice": list(roll.dice),
    }
