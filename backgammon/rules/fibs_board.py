"""The FIBS board line: the whole table in 53 fields, as FIBS and its clients exchange it.

Fields, counted from 0: 0 the word ``board``, 1 my name (``You``), 2 the opponent's, 3 match length
(9999 unlimited), 4 and 5 the scores, 6..31 the board, 32 whose turn (a colour, 0 when over), 33 and
34 my dice, 35 and 36 theirs, 37 the cube, 38 and 39 who may double, 40 whether it was just offered,
41 my colour, 42 my direction, 43 the index of my home, 44 of my bar, 45 and 46 checkers borne off,
47 and 48 on the bar, 49 how many I can move, 50 and 51 forced move and Crawford, 52 redoubles.

The board's indices 1..24 are points in the numbering of the player who moves downwards, 0 and 25
are the two bars. Descriptions differ on whose bar is which; the line states it in field 44,
and that is what is read here. The colours are 1 (O) and -1 (X); checkers of O count positive.

Source: the FIBS Client Interface description, checked against lines GNU Backgammon 1.07 sends to
an external player (which leaves fields 47 and 48 at zero: they are not relied upon).
"""

from __future__ import annotations

from dataclasses import dataclass

from backgammon.rules.errors import NotationError
from backgammon.rules.position import Position

FIELDS = 53
UNLIMITED = 9999
BOARD = 6  # index of the first of the 26 board fields
_BOUNDS = {
    32: ("turn", -1, 1),
    37: ("cube", 1, 2**15),
    41: ("colour", -1, 1),
    42: ("direction", -1, 1),
    43: ("home", 0, 25),
    44: ("bar", 0, 25),
}


@dataclass(frozen=True, slots=True)
class FibsBoard:
    """The contents of a board line, as seen by the client it was sent to ("me").

    ``position`` is my view. ``turn`` is 0 for me, 1 for the opponent, None when the game is over.
    ``dice`` and ``opponent_dice`` are None where nothing was rolled. ``length`` 0 is unlimited.
    ``colour`` is 1 (O) or -1 (X) and ``direction`` -1 if my points fall with the board's indices.
    """

    player: str
    opponent: str
    position: Position
    length: int = 0
    score: tuple[int, int] = (0, 0)
    turn: int | None = 0
    dice: tuple[int, int] | None = None
    opponent_dice: tuple[int, int] | None = None
    cube_value: int = 1
    may_double: tuple[bool, bool] = (True, True)
    was_doubled: bool = False
    colour: int = 1
    direction: int = -1
    can_move: int = 0
    forced_move: bool = False
    did_crawford: bool = False
    redoubles: int = 0

    @classmethod
    def parse(cls, line: str, checkers: int = 15) -> FibsBoard:
        """Read one line.

        ``checkers`` is the number each side started with; borne off is what is not on the board,
        whatever fields 45 and 46 say (GNU Backgammon and FIBS agree on that, old clients do not).

        :raises NotationError: naming the field.
        """
        fields = line.strip().split(":")
        if fields[0] != "board" or len(fields) != FIELDS:
            raise NotationError(f"a FIBS board line is 'board' and {FIELDS - 1} more fields")
        numbers = {index: _number(fields, index) for index in range(3, FIELDS)}
        colour, direction, bar = numbers[41], numbers[42], numbers[44]
        if colour == 0 or direction == 0 or {numbers[43], bar} != {0, 25}:
            raise NotationError("FIBS fields 42-45: colour, direction, home and bar do not fit")
        if (bar == 25) != (direction == -1):
            raise NotationError("FIBS fields 43 and 45: the bar is not where the way begins")
        turn = numbers[32]
        return cls(
            player=fields[1],
            opponent=fields[2],
            position=_parse_board([numbers[i] for i in range(6, 32)], colour, bar, checkers),
            length=0 if numbers[3] == UNLIMITED else numbers[3],
            score=(numbers[4], numbers[5]),
            turn=None if turn == 0 else int(turn != colour),
            dice=_dice(numbers[33], numbers[34]),
            opponent_dice=_dice(numbers[35], numbers[36]),
            cube_value=numbers[37],
            may_double=(bool(numbers[38]), bool(numbers[39])),
            was_doubled=bool(numbers[40]),
            colour=colour,
            direction=direction,
            can_move=numbers[49],
            forced_move=bool(numbers[50]),
            did_crawford=bool(numbers[51]),
            redoubles=numbers[52],
        )

    def text(self) -> str:
        """The line.

        :raises NotationError: for a position with a hand or pins, or a name with a colon.
        """
        if any(self.position.hand) or self.position.pinned:
            raise NotationError("a FIBS board cannot hold checkers in the hand or under a pin")
        if ":" in self.player + self.opponent:
            raise NotationError("a FIBS board line parts its fields by ':', so no name has one")
        home, bar = (0, 25) if self.direction == -1 else (25, 0)
        turn = 0 if self.turn is None else self.colour if self.turn == 0 else -self.colour
        fields: tuple[object, ...] = (
            "board",
            self.player,
            self.opponent,
            self.length or UNLIMITED,
            *self.score,
            *_format_board(self.position, self.colour, bar),
            turn,
            *(self.dice or (0, 0)),
            *(self.opponent_dice or (0, 0)),
            self.cube_value,
            *map(int, self.may_double),
            int(self.was_doubled),
            self.colour,
            self.direction,
            home,
            bar,
            *self.position.off,
            *self.position.bar,
            self.can_move,
            int(self.forced_move),
            int(self.did_crawford),
            self.redoubles,
        )
        return ":".join(map(str, fields))


def _parse_board(board: list[int], colour: int, bar: int, checkers: int) -> Position:
    """My view of the 26 board numbers, where my checkers count ``colour`` and start at ``bar``."""
    mine = [colour * count for count in board]
    own_bar, other_bar = mine[bar], -mine[25 - bar]
    if own_bar < 0 or other_bar < 0:
        raise NotationError("FIBS board: a checker stands on the other player's bar")
    points = tuple(mine[1:25] if bar == 25 else mine[24:0:-1])
    counts = (
        own_bar + sum(count for count in points if count > 0),
        other_bar - sum(count for count in points if count < 0),
    )
    if max(counts) > checkers:
        raise NotationError(f"FIBS board: {max(counts)} checkers on one side of {checkers}")
    off = (checkers - counts[0], checkers - counts[1])
    return Position(points=points, bar=(own_bar, other_bar), off=off)


def _format_board(position: Position, colour: int, bar: int) -> list[int]:
    points = list(position.points) if bar == 25 else list(reversed(position.points))
    own, other = position.bar[0], -position.bar[1]
    ends = (other, own) if bar == 25 else (own, other)
    return [colour * count for count in (ends[0], *points, ends[1])]


def _dice(first: int, second: int) -> tuple[int, int] | None:
    if (first, second) == (0, 0):
        return None
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise NotationError(f"FIBS board: dice {first} and {second}")
    return first, second


def _number(fields: list[str], index: int) -> int:
    field = fields[index]
    digits = field.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 5):
        raise NotationError(f"FIBS field {index}: {field!r} is no number")
    number = int(field)
    name, low, high = _BOUNDS.get(index, ("", 0, 99999))
    if BOARD <= index < BOARD + 26:
        name, low, high = "board", -15, 15
    if not low <= number <= high:
        raise NotationError(f"FIBS field {index} {name}: {field} is not in {low}..{high}".strip())
    return number
