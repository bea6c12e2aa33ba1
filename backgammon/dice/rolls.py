"""From three elements to dice: HMAC-SHA256, read byte by byte without bias."""

import hmac
from collections.abc import Iterable, Iterator
from enum import IntEnum, IntFlag
from typing import Final

from backgammon.dice.chain import GAME_ID_BYTES, VALUE_BYTES, checked_number
from backgammon.dice.errors import BadRoll

REJECTED_FROM: Final = 252
"""Bytes from here on are skipped: 252 = 42 x 6, so that every face has 42 of the values below."""

FACES: Final = 6
BLOCKS_MAX: Final = 2**32
_ROLL = b"BGD1.roll\0"


class RollKind(IntEnum):
    """The purpose of a roll."""

    OPENING = 1
    """Each player rolls one die to find the beginner: die 1 is white's, die 2 black's."""
    NORMAL = 2
    """A player's dice of a turn."""


class Flag(IntFlag):
    """Further properties of a roll."""

    NONE = 0
    WHITE_ABSENT = 1
    BLACK_ABSENT = 2
    MODE_K = 4


_KINDS = frozenset(map(int, RollKind))


def dice_count(kind: int, dice_a_turn: int = 2) -> int:
    """How many dice a roll has: one of each player in an opening, else those of the variant."""
    return 2 if kind == RollKind.OPENING else dice_a_turn


def roll_message(
    game_id: bytes, ctx: bytes, n: int, kind: int, flags: int, white: bytes, black: bytes
) -> bytes:
    """The input to the hash of a roll, without the block number at its end (128 bytes).

    Raises `BadRoll` for a number, kind, flags or sizes that the protocol does not have.
    """
    if len(game_id) != GAME_ID_BYTES or not len(ctx) == len(white) == len(black) == VALUE_BYTES:
        raise BadRoll("a game id has 16 bytes; the context and every element have 32")
    if kind not in _KINDS or not 0 <= flags < 8:
        raise BadRoll(f"no roll has kind {kind} and flags {flags}")
    number = checked_number(n).to_bytes(4, "big")
    return _ROLL + game_id + ctx + number + bytes((kind, flags)) + white + black


def block(house: bytes, message: bytes, number: int) -> bytes:
    """Block `number` (from 0) of a roll: 32 bytes under the house's element as the key."""
    return hmac.digest(house, message + number.to_bytes(4, "big"), "sha256")


def roll_blocks(house: bytes, message: bytes) -> Iterator[int]:
    """The bytes of all blocks of a roll, as long as anybody reads."""
    for number in range(BLOCKS_MAX):
        yield from block(house, message, number)


def dice_of_bytes(stream: Iterable[int], count: int) -> tuple[int, ...]:
    """The first `count` dice in a stream of bytes. Raises `BadRoll` if it ends too early."""
    dice: list[int] = []
    for byte in stream:
        if byte < REJECTED_FROM:
            dice.append(byte % FACES + 1)
            if len(dice) == count:
                return tuple(dice)
    raise BadRoll(f"these bytes have {len(dice)} dice, not {count}")


def roll_dice(
    house: bytes,
    *,
    game_id: bytes,
    ctx: bytes,
    n: int,
    kind: int,
    flags: int,
    white: bytes,
    black: bytes,
    count: int = 2,
) -> tuple[int, ...]:
    """The dice of roll `n`: `house`, `white` and `black` are the three elements of this roll.

    Has no argument for stakes, players, score, time or earlier dice: they cannot matter.
    Raises `BadRoll` for anything outside the protocol.
    """
    if len(house) != VALUE_BYTES:
        raise BadRoll(f"the house's element has {VALUE_BYTES} bytes, not {len(house)}")
    message = roll_message(game_id, ctx, n, kind, flags, white, black)
    return dice_of_bytes(roll_blocks(house, message), count)
