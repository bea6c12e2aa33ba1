"""The opening, fixed before the first roll: terms, three tips, and one hash over all of it."""

import json
from functools import lru_cache
from typing import Final, Literal, get_args

from backgammon.dice.chain import tagged
from backgammon.dice.errors import BadDiceTerms

Mode = Literal["L", "K"]
"""`L`: both players keep chains. `K`: both gave one seed, committed to and shown before roll 0."""
MODES: Final[tuple[Mode, ...]] = get_args(Mode)

SAFE_INTEGER: Final = 2**53 - 1
"""The largest integer that every JSON reader keeps exactly."""

Json = str | int | bool | None | list["Json"] | dict[str, "Json"]

_MODE_BYTES: Final[dict[Mode, bytes]] = {"K": b"\x00", "L": b"\x01"}

LOG_START: Final = bytes(32)
"""The previous hash that the first entry of the public log names."""


def canonical_json(value: Json) -> bytes:
    """`value` as canonical JSON (RFC 8785), in UTF-8.

    Accepts text, integers up to 2^53 - 1, true, false, null, lists and objects; there are no
    fractions in terms. Raises `BadDiceTerms` for anything else.
    """
    try:
        text = json.dumps(_in_order(value), ensure_ascii=False, separators=(",", ":"))
        return text.encode()
    except UnicodeEncodeError as error:
        raise BadDiceTerms("half a surrogate pair is no text") from error


def _in_order(value: object) -> Json:
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        if abs(value) > SAFE_INTEGER:
            raise BadDiceTerms(f"{value} is more than a JSON reader must keep")
        return value
    if isinstance(value, list | tuple):
        return [_in_order(item) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: _in_order(value[key]) for key in sorted(value, key=_utf16)}
    raise BadDiceTerms(f"{type(value).__name__} has no place in terms")


def _utf16(key: str) -> bytes:
    """RFC 8785, 3.2.3: names are sorted by their UTF-16 code units."""
    return key.encode("utf-16-be", "surrogatepass")


@lru_cache(maxsize=4096)  # called for each roll of a game
def context_hash(terms: bytes) -> bytes:
    """`ctx`: the hash of the terms (canonical JSON), part of every roll."""
    return tagged("BGD1.terms", terms)


def commitment(game_id: bytes, ctx: bytes, role: bytes, house_tip: bytes, seed: bytes) -> bytes:
    """The hash that a player of mode K publishes before both seeds are shown."""
    return tagged("BGD1.commit", game_id, ctx, role, house_tip, seed)


def open_hash(
    game_id: bytes, ctx: bytes, mode: Mode, house_tip: bytes, white: bytes, black: bytes
) -> bytes:
    """The hash that the house signs and logs: it leaves neither side any choice.

    `white` and `black` are the players' tips in mode L, their commitments in mode K.
    """
    return tagged("BGD1.open", game_id, ctx, _MODE_BYTES[mode], house_tip, white, black)


def log_hash(number: int, previous: bytes, opened: bytes) -> bytes:
    """The hash of entry `number` (from 1) of the public log, which holds the hash before it.

    `opened` is the game's `open_hash`; the first entry's `previous` is `LOG_START`.
    """
    return tagged("BGD1.log", number.to_bytes(8, "big"), previous, opened)
