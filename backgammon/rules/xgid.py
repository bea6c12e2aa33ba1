"""XGID: a whole decision in one line, as eXtreme Gammon and most forums write it.

``XGID=position:cube:owner:turn:dice:score X:score O:rule:length:most``. X is the lower player, for
whom the points are numbered; O the upper one. ``position`` has 26 characters: O's bar, X's points
1..24, X's bar; ``-`` is empty, ``A``..``O`` are 1..15 checkers of X, ``a``..``o`` of O.

Source: the XGID page of the eXtreme Gammon help, checked against GNU Backgammon 1.07 both ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from backgammon.rules.errors import NotationError
from backgammon.rules.match_id import GameState, MatchId
from backgammon.rules.position import Position, Way
from backgammon.rules.position_id import join_sides, sides

X, O = 0, 1  # noqa: E741 - the field's own names of the two players
PREFIX = "XGID="
FIELDS = 10
SLOTS = 26
# The integer for each player in the fields `owner` and `turn`.
SIGNS = {X: 1, O: -1}
PLAYERS = {sign: player for player, sign in SIGNS.items()}


class Offer(Enum):
    """The offer that waits for an answer, written in place of the dice."""

    DOUBLE = "D"
    BEAVER = "B"
    RACCOON = "R"


@dataclass(frozen=True, slots=True)
class Xgid:
    """The contents of an XGID; players are 0 (X, lower) and 1 (O, upper).

    ``position`` is always X's view. ``turn`` is the player who rolls, or who made ``offer``.
    ``length`` 0 is unlimited play; only there Jacoby and beavers exist, only elsewhere Crawford.
    ``cube_cap`` is the largest cube value allowed.
    """

    position: Position
    cube_value: int = 1
    cube_owner: int | None = None
    turn: int = X
    dice: tuple[int, int] | None = None
    offer: Offer | None = None
    score: tuple[int, int] = (0, 0)
    length: int = 0
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    cube_cap: int = 1024

    def __post_init__(self) -> None:
        """Refuse combinations the line cannot say.

        :raises NotationError: naming the field.
        """
        for name, value in (("cube", self.cube_value), ("cube cap", self.cube_cap)):
            if value < 1 or value & (value - 1):
                raise NotationError(f"XGID: {name} {value} is no power of two")
        if self.turn not in SIGNS or self.cube_owner not in (None, X, O):
            raise NotationError("XGID: players are 0 (X) and 1 (O)")
        if self.dice is not None and not all(1 <= die <= 6 for die in self.dice):
            raise NotationError(f"XGID: dice {self.dice}")
        if self.dice is not None and self.offer is not None:
            raise NotationError("XGID: either dice or an offer")
        if self.length < 0 or min(self.score) < 0:
            raise NotationError("XGID: length and scores are not negative")
        if self.crawford and not self.length:
            raise NotationError("XGID: Crawford belongs to matches")
        if (self.jacoby or self.beavers) and self.length:
            raise NotationError("XGID: Jacoby and beavers belong to unlimited play")

    @classmethod
    def parse(cls, text: str, checkers: int = 15) -> Xgid:
        """Read one line; the prefix may be missing.

        ``checkers`` is the number each side started with; the rest have been borne off.

        :raises NotationError: naming the field (and the column of a bad character).
        """
        fields = text.strip().removeprefix(PREFIX).split(":")
        if len(fields) != FIELDS:
            raise NotationError(f"an XGID has {FIELDS} fields, {text!r} has {len(fields)}")
        dice, offer = _parse_dice(fields[4])
        length = _number(fields, 8, "match length", 0, 2**15 - 1)
        rule = _number(fields, 7, "rule", 0, 1 if length else 3)
        owner = _number(fields, 2, "cube owner", -1, 1)
        return cls(
            position=_parse_position(fields[0], checkers),
            cube_value=1 << _number(fields, 1, "cube", 0, 15),
            cube_owner=PLAYERS.get(owner),
            turn=PLAYERS[_sign(fields, 3, "turn")],
            dice=dice,
            offer=offer,
            score=(
                _number(fields, 5, "score of X", 0, 2**15 - 1),
                _number(fields, 6, "score of O", 0, 2**15 - 1),
            ),
            length=length,
            crawford=bool(length and rule),
            jacoby=not length and bool(rule & 1),
            beavers=not length and bool(rule & 2),
            cube_cap=1 << _number(fields, 9, "largest cube", 0, 30),
        )

    def text(self) -> str:
        """The line, with its prefix.

        :raises NotationError: for a position with a hand, pins or more than 15 on a point.
        """
        dice = "".join(map(str, self.dice)) if self.dice else "00"
        rule = int(self.crawford) if self.length else int(self.jacoby) + 2 * int(self.beavers)
        fields = (
            _format_position(self.position),
            self.cube_value.bit_length() - 1,
            0 if self.cube_owner is None else SIGNS[self.cube_owner],
            SIGNS[self.turn],
            self.offer.value if self.offer else dice,
            *self.score,
            rule,
            self.length,
            self.cube_cap.bit_length() - 1,
        )
        return PREFIX + ":".join(map(str, fields))

    def mover_position(self) -> Position:
        """The position as the player named in ``turn`` sees it."""
        return self.position if self.turn == X else self.position.turned(Way.AGAINST)

    def to_gnu(self) -> tuple[Position, MatchId]:
        """The same decision for a Position ID and a Match ID, where X is player 1.

        The position comes in the view of the player on roll, also while the other one answers.

        :raises NotationError: for beavers and raccoons, which a Match ID cannot say.
        """
        if self.offer in (Offer.BEAVER, Offer.RACCOON):
            raise NotationError("a Match ID knows neither beaver nor raccoon")
        on_roll = 1 - self.turn
        to_decide = self.turn if self.offer else on_roll
        return self.mover_position(), MatchId(
            cube_value=self.cube_value,
            cube_owner=None if self.cube_owner is None else 1 - self.cube_owner,
            on_roll=on_roll,
            crawford=self.crawford,
            state=GameState.PLAYING,
            to_decide=to_decide,
            double_offered=self.offer is Offer.DOUBLE,
            dice=self.dice,
            length=self.length,
            score=(self.score[O], self.score[X]),
            jacoby=self.jacoby,
        )

    @classmethod
    def from_gnu(cls, position: Position, match: MatchId) -> Xgid:
        """The line for a Position ID (in the view of the player on roll) and a Match ID.

        :raises NotationError: if a resignation is on offer, which an XGID cannot say.
        """
        if match.resignation:
            raise NotationError("an XGID knows no resignation")
        view = position if match.on_roll == 1 else position.turned(Way.AGAINST)
        return cls(
            position=view,
            cube_value=match.cube_value,
            cube_owner=None if match.cube_owner is None else 1 - match.cube_owner,
            turn=1 - match.on_roll,
            dice=match.dice,
            offer=Offer.DOUBLE if match.double_offered else None,
            score=(match.score[1], match.score[0]),
            length=match.length,
            crawford=match.crawford and match.length > 0,
            jacoby=match.jacoby and match.length == 0,
        )


def _parse_position(text: str, checkers: int) -> Position:
    if len(text) != SLOTS:
        raise NotationError(f"an XGID position has {SLOTS} characters, {text!r} has {len(text)}")
    x_side, o_side = [0] * 25, [0] * 25
    for slot, character in enumerate(text):
        if character == "-":
            continue
        count = ord(character.upper()) - ord("@") if character.isascii() else 0
        if not (character.isalpha() and 1 <= count <= 15):
            message = f"XGID position: {character!r} is no number of checkers"
            raise NotationError(message, text=text, column=slot + 1)
        if character.isupper() and slot > 0:
            x_side[slot - 1] = count
        elif character.islower() and slot < 25:
            o_side[24 - slot] = count
        else:
            message = f"XGID position: {character!r} stands on the other player's bar"
            raise NotationError(message, text=text, column=slot + 1)
    return join_sides(x_side, o_side, checkers, "XGID position")


def _format_position(position: Position) -> str:
    if any(position.hand) or position.pinned:
        raise NotationError("an XGID cannot hold checkers in the hand or under a pin")
    x_side, o_side = sides(position)
    characters = []
    for slot in range(SLOTS):
        x_count = x_side[slot - 1] if slot else 0
        o_count = o_side[24 - slot] if slot < 25 else 0
        if max(x_count, o_count) > 15:
            raise NotationError("an XGID holds at most 15 checkers on a point")
        upper, lower = chr(ord("@") + x_count), chr(ord("`") + o_count)
        characters.append(upper if x_count else lower if o_count else "-")
    return "".join(characters)


def _parse_dice(field: str) -> tuple[tuple[int, int] | None, Offer | None]:
    if field == "00":
        return None, None
    if field in {offer.value for offer in Offer}:
        return None, Offer(field)
    if len(field) == 2 and all(die in "123456" for die in field):
        return (int(field[0]), int(field[1])), None
    raise NotationError(f"XGID field 5 (dice): {field!r} is neither dice nor an offer")


def _sign(fields: list[str], index: int, name: str) -> int:
    sign = _number(fields, index, name, -1, 1)
    if sign == 0:
        raise NotationError(f"XGID field {index + 1} ({name}): must be 1 or -1")
    return sign


def _number(fields: list[str], index: int, name: str, low: int, high: int) -> int:
    field = fields[index]
    digits = field.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 5):
        raise NotationError(f"XGID field {index + 1} ({name}): {field!r} is no number")
    if not low <= int(field) <= high:
        raise NotationError(f"XGID field {index + 1} ({name}): {field} is not in {low}..{high}")
    return int(field)
