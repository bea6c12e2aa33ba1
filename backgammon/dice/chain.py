"""Hash chains: the owner of a published tip can show one element a roll, and no other value.

`x_N` is random, `x_i = step(role, x_{i+1})`, and `x_0` is the tip. Going down is hashing; going
up is impossible without the secret. Roll `n` uses `x_{n+1}`. All values are 32 bytes.
"""

from hashlib import sha256
from typing import Final

from backgammon.dice.errors import BadRoll

LENGTH: Final = 1024
"""N: how many elements a chain has, and how many rolls a game can have at most."""

VALUE_BYTES: Final = 32
GAME_ID_BYTES: Final = 16

HOUSE: Final = b"S"
WHITE: Final = b"W"
"""Seat 0, the opener of the table."""
BLACK: Final = b"B"
"""Seat 1."""
ROLES: Final = (WHITE, BLACK)
"""The players' roles by seat."""

NO_TIP: Final = bytes(VALUE_BYTES)
"""The tip of a player who gave none; no chain leads to it, so they are absent in every roll."""


def tagged(tag: str, *parts: bytes) -> bytes:
    """SHA-256 of the tag, a zero byte and the parts: no two uses of the hash ever mix."""
    return sha256(tag.encode() + b"\0" + b"".join(parts)).digest()


def step(game_id: bytes, role: bytes, value: bytes) -> bytes:
    """`x_i` from `x_{i+1}`: the next element towards the tip."""
    return tagged("BGD1.chain", game_id, role, value)


def element(game_id: bytes, role: bytes, secret: bytes, index: int) -> bytes:
    """`x_index` of the chain that begins at `secret` = `x_1024`.

    Raises `BadRoll` unless `0 <= index <= 1024`.
    """
    if not 0 <= index <= LENGTH:
        raise BadRoll(f"a chain has elements 0 to {LENGTH}, not {index}")
    return steps(game_id, role, secret, LENGTH - index)


def roll_element(game_id: bytes, role: bytes, secret: bytes, n: int) -> bytes:
    """`x_{n+1}`: what the chain's owner shows for roll `n`. Raises `BadRoll` for n over 1023."""
    return element(game_id, role, secret, checked_number(n) + 1)


def chain_tip(game_id: bytes, role: bytes, secret: bytes) -> bytes:
    """`x_0`: what is published before the game."""
    return element(game_id, role, secret, 0)


def steps(game_id: bytes, role: bytes, value: bytes, count: int) -> bytes:
    """The element `count` steps closer to the tip."""
    front = b"BGD1.chain\0" + game_id + role
    for _ in range(count):  # `step`, with what is the same in all of them put together once
        value = sha256(front + value).digest()
    return value


def chains_back(game_id: bytes, role: bytes, value: bytes, known: bytes, count: int) -> bool:
    """Whether `value` leads to the earlier element `known` in exactly `count` steps (over 0).

    `count` is 1 from roll to roll, and more when its owner missed rolls in between.
    """
    return count > 0 and steps(game_id, role, value, count) == known


def absent_element(game_id: bytes, role: bytes, n: int, last: bytes) -> bytes:
    """The value that replaces the part of an absent player in roll `n`.

    `last` is the last element the player gave (of their chain, or their seed), or their tip (or
    commitment) while there is none.
    """
    return tagged("BGD1.absent", game_id, role, checked_number(n).to_bytes(4, "big"), last)


def checked_number(n: int) -> int:
    """The number of a roll. Raises `BadRoll` unless `0 <= n < 1024`."""
    if not 0 <= n < LENGTH:
        raise BadRoll(f"a game has rolls 0 to {LENGTH - 1}, not {n}")
    return n
