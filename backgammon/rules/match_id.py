"""The GNU Match ID: score, cube, dice and whose turn it is in twelve characters.

Seventy-two bits, filled from the lowest, in base64. The players are 0 and 1; where a screen shows
two sides, 0 is the upper one (O) and 1 the lower one (X). Together with a Position ID ("GNUbg ID",
the two joined by a colon) it describes a whole decision.

Source: the GNU Backgammon manual, "A technical description of the Match ID", and what release 1.07
writes: bit 66, which the manual's table lacks, is set where the Jacoby rule is *not* in use.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from enum import IntEnum

from backgammon.rules.errors import NotationError
from backgammon.rules.position_id import decode_base64

LENGTH = 12
KEY_BYTES = 9
CENTRED = 3
# Fields in the order of the key: name and width in bits.
FIELDS = (
    ("cube", 4),
    ("owner", 2),
    ("on_roll", 1),
    ("crawford", 1),
    ("state", 3),
    ("to_decide", 1),
    ("double_offered", 1),
    ("resignation", 2),
    ("high_die", 3),
    ("low_die", 3),
    ("length", 15),
    ("score_0", 15),
    ("score_1", 15),
    ("no_jacoby", 1),
)


class GameState(IntEnum):
    """How far the game has come."""

    NONE = 0
    PLAYING = 1
    OVER = 2
    RESIGNED = 3
    DROPPED = 4


@dataclass(frozen=True, slots=True)
class MatchId:
    """The contents of a Match ID.

    ``cube_owner`` is None for a centred cube, ``dice`` None before the roll. ``on_roll`` is whose
    turn it is, ``to_decide`` who must answer now (the other one after a double or a resignation).
    ``resignation`` is the level offered, 0 for none. ``length`` 0 is unlimited play.
    """

    cube_value: int = 1
    cube_owner: int | None = None
    on_roll: int = 0
    crawford: bool = False
    state: GameState = GameState.PLAYING
    to_decide: int = 0
    double_offered: bool = False
    resignation: int = 0
    dice: tuple[int, int] | None = None
    length: int = 0
    score: tuple[int, int] = (0, 0)
    jacoby: bool = False

    def __post_init__(self) -> None:
        """Refuse what twelve characters cannot say.

        :raises NotationError: naming the field.
        """
        value = self.cube_value
        if not 1 <= value <= 2**15 or value & (value - 1):
            raise NotationError(f"Match ID: cube {value} is no power of two up to 32768")
        if self.cube_owner not in (None, 0, 1):
            raise NotationError(f"Match ID: cube owner {self.cube_owner}")
        for name in ("on_roll", "to_decide"):
            if getattr(self, name) not in (0, 1):
                raise NotationError(f"Match ID: {name} {getattr(self, name)} is no player")
        if not 0 <= self.resignation <= 3:
            raise NotationError(f"Match ID: resignation at level {self.resignation}")
        if self.dice is not None and not all(1 <= die <= 6 for die in self.dice):
            raise NotationError(f"Match ID: dice {self.dice}")
        for number in (self.length, *self.score):
            if not 0 <= number < 2**15:
                raise NotationError(f"Match ID: {number} points are not within 0..32767")

    @classmethod
    def parse(cls, text: str) -> MatchId:
        """The value of twelve characters; a 66-bit ID of older programs reads as well.

        :raises NotationError: if it is not a Match ID, or its values are impossible.
        """
        key = int.from_bytes(decode_base64(text, LENGTH, "Match ID"), "little")
        field: dict[str, int] = {}
        for name, width in FIELDS:
            field[name] = key & ((1 << width) - 1)
            key >>= width
        if field["state"] > max(GameState):
            raise NotationError(f"Match ID {text!r}: no game state {field['state']}")
        if field["owner"] == 2:
            raise NotationError(f"Match ID {text!r}: cube owner 2")
        dice = (field["high_die"], field["low_die"])
        if max(dice) > 6 or (0 in dice and dice != (0, 0)):
            raise NotationError(f"Match ID {text!r}: dice {dice}")
        return cls(
            cube_value=1 << field["cube"],
            cube_owner=None if field["owner"] == CENTRED else field["owner"],
            on_roll=field["on_roll"],
            crawford=bool(field["crawford"]),
            state=GameState(field["state"]),
            to_decide=field["to_decide"],
            double_offered=bool(field["double_offered"]),
            resignation=field["resignation"],
            dice=None if dice == (0, 0) else dice,
            length=field["length"],
            score=(field["score_0"], field["score_1"]),
            jacoby=field["length"] == 0 and not field["no_jacoby"],
        )

    def text(self) -> str:
        """The twelve characters."""
        dice = sorted(self.dice or (0, 0), reverse=True)
        values = (
            self.cube_value.bit_length() - 1,
            CENTRED if self.cube_owner is None else self.cube_owner,
            self.on_roll,
            int(self.crawford),
            int(self.state),
            self.to_decide,
            int(self.double_offered),
            self.resignation,
            *dice,
            self.length,
            *self.score,
            int(not self.jacoby),
        )
        key, bit = 0, 0
        for (_, width), value in zip(FIELDS, values, strict=True):
            key |= value << bit
            bit += width
        return base64.b64encode(key.to_bytes(KEY_BYTES, "little")).decode("ascii")
