"""The GNU Position ID: a board in fourteen characters.

The key holds, for the opponent of the player on roll first and then for the player on roll, the
points 1..24 of that side's own numbering and its bar: one 1-bit per checker, closed by a 0-bit.
Bits fill bytes from the lowest; ten bytes are written in base64 without the padding. The format
has no pinned checkers and no checkers in the hand, and assumes that the two sides run against
each other, so it serves the backgammon family only. Missing checkers have been borne off.

Source: the GNU Backgammon manual, "A technical description of the Position ID". The manual names
the player on roll first; the program writes the opponent first, and so does everyone else.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence

from backgammon.rules.errors import NotationError
from backgammon.rules.position import Position

LENGTH = 14
KEY_BYTES = 10
SLOTS = 25  # points 1..24 and the bar
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def format_position_id(position: Position) -> str:
    """The Position ID of a board in the view of the player on roll.

    :raises NotationError: for a position the key has no room for (hand, pins, too many checkers).
    """
    if any(position.hand) or position.pinned:
        raise NotationError("a Position ID cannot hold checkers in the hand or under a pin")
    mover, opponent = sides(position)
    if sum(mover) + sum(opponent) + 2 * SLOTS > 8 * KEY_BYTES:
        raise NotationError("a Position ID holds at most 30 checkers")
    key, bit = 0, 0
    for checkers in (*opponent, *mover):
        key |= ((1 << checkers) - 1) << bit
        bit += checkers + 1
    return base64.b64encode(key.to_bytes(KEY_BYTES, "little")).decode("ascii").rstrip("=")


def parse_position_id(text: str, checkers: int = 15) -> Position:
    """The board of a Position ID, in the view of the player on roll.

    ``checkers`` is the number each side started with (3 in Hypergammon); what is not on the board
    or the bar has been borne off.

    :raises NotationError: if the text is not an ID, or names an impossible board.
    """
    key = int.from_bytes(decode_base64(text, LENGTH, "Position ID"), "little")
    counts: list[int] = []
    run = 0
    for bit in range(8 * KEY_BYTES):
        if key >> bit & 1:
            if len(counts) == 2 * SLOTS:
                raise NotationError(f"Position ID {text!r} goes on after both bars")
            run += 1
        elif len(counts) < 2 * SLOTS:
            counts.append(run)
            run = 0
    if len(counts) < 2 * SLOTS:
        raise NotationError(f"Position ID {text!r} stops before both bars are told")
    return join_sides(counts[SLOTS:], counts[:SLOTS], checkers, f"Position ID {text!r}")


def sides(position: Position) -> tuple[list[int], list[int]]:
    """The checkers of (mover, opponent) on 1..24 of their own numbering, then the bar."""
    mover = [max(count, 0) for count in position.points]
    opponent = [max(-count, 0) for count in reversed(position.points)]
    return [*mover, position.bar[0]], [*opponent, position.bar[1]]


def join_sides(mover: Sequence[int], opponent: Sequence[int], checkers: int, name: str) -> Position:
    """The position of two lists as ``sides`` makes them; ``name`` is for the error.

    :raises NotationError: if a side has too many checkers or both stand on one point.
    """
    for side, count in (("player on roll", sum(mover)), ("opponent", sum(opponent))):
        if count > checkers:
            raise NotationError(f"{name} gives the {side} {count} checkers of {checkers}")
    points = []
    for point in range(1, 25):
        own, other = mover[point - 1], opponent[24 - point]
        if own and other:
            raise NotationError(f"{name} puts both sides on point {point}")
        points.append(own - other)
    return Position(
        points=tuple(points),
        bar=(mover[24], opponent[24]),
        off=(checkers - sum(mover), checkers - sum(opponent)),
    )


def decode_base64(text: str, length: int, name: str) -> bytes:
    """The bytes of an unpadded base64 text of exactly ``length`` characters.

    :raises NotationError: naming the first character that is out of place.
    """
    for column, character in enumerate(text, start=1):
        if character not in ALPHABET:
            message = f"{name}: {character!r} is no digit of base64"
            raise NotationError(message, text=text, column=column)
    if len(text) != length:
        raise NotationError(f"{name} {text!r} has {len(text)} characters, not {length}", text=text)
    data = base64.b64decode(text + "=" * (-length % 4))
    if base64.b64encode(data).decode("ascii").rstrip("=") != text:
        raise NotationError(f"{name}: the last digit says too much", text=text, column=length)
    return data
