"""From three elements to dice: HMAC-SHA256, read byte by byte without bias."""

import hmac
from collections.abc import Iterable, Iterator
from typing import Final

from games.fairness.chain import GAME_ID_BYTES, VALUE_BYTES, checked_number, tagged
from games.fairness.errors import BadRoll

REJECTED_FROM: Final = 252
"""Bytes from here on are skipped: 252 = 42 x 6, so that every face has 42 of the values below."""

FACES: Final = 6
BLOCKS_MAX: Final = 2**32
_ROLL = b"BGD1.roll\0"


KIND_OPENING: Final = 1
"""Each player rolls one die for who begins: die 1 is white's, die 2 black's."""
KIND_NORMAL: Final = 2
"""A player's dice of a turn."""

WHITE_ABSENT: Final = 1
BLACK_ABSENT: Final = 2
MODE_K: Final = 4
"""Flags of a roll: whose part is missing, and that this game has seeds instead of chains."""
FLAGS_MAX: Final = 7


def absent_element(game_id: bytes, role: bytes, n: int, last: bytes) -> bytes:
    """What stands in roll `n` for a player who did not answer.

    `last` is the last element he himself gave (of his chain, or his seed), his tip (or
    commitment) while there is none.
    """
    return tagged("BGD1.absent", game_id, role, checked_number(n).to_bytes(4, "big"), last)


def dice_count(kind: int, dice_a_turn: int = 2) -> int:
    """How many dice a roll has: one of each player in an opening, else those of the variant."""
    return 2 if kind == KIND_OPENING else dice_a_turn


def roll_message(
    game_id: bytes, ctx: bytes, n: int, kind: int, flags: int, white: bytes, black: bytes
) -> bytes:
    """What is hashed for a roll, without the number of the block that ends it (128 bytes).

    Raises `BadRoll` for a number, kind, flags or sizes that the protocol does not have.
    """
    if len(game_id) != GAME_ID_BYTES or {len(ctx), len(white), len(black)} != {VALUE_BYTES}:
        raise BadRoll("a game id has 16 bytes; the context and every element have 32")
    if kind not in (KIND_OPENING, KIND_NORMAL) or not 0 <= flags <= FLAGS_MAX:
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
