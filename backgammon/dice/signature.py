"""Checking Ed25519 signatures (RFC 8032, 5.1.7) with integers alone.

Everything here is public, so nothing needs constant time. Signing is not here: that needs a
secret and belongs to a library made for it.
"""

import hashlib
from typing import Final

_P: Final = 2**255 - 19
_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, _P - 2, _P) % _P
_ROOT_OF_MINUS_ONE: Final = pow(2, (_P - 1) // 4, _P)

_Point = tuple[int, int, int, int]
"""Extended coordinates (X, Y, Z, T): x = X/Z, y = Y/Z, x*y = T/Z."""

_NEUTRAL: Final[_Point] = (0, 1, 1, 0)


def signature_fits(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether `signature` (64 bytes) over `message` was made with the key (32 bytes)."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    key, commitment = _decompress(public_key), _decompress(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or scalar >= _ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    challenge = int.from_bytes(digest, "little") % _ORDER
    return _equal(_times(scalar, _BASE), _add(commitment, _times(challenge, key)))


def _decompress(data: bytes) -> _Point | None:
    """The point whose y and sign of x these 32 bytes are; None if there is none (5.1.3)."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if (x * x - square) % _P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return (x, y, 1, x * y % _P)


def _add(one: _Point, two: _Point) -> _Point:
    """The sum of two points (5.1.4; right for equal points too)."""
    a = (one[1] - one[0]) * (two[1] - two[0]) % _P
    b = (one[1] + one[0]) * (two[1] + two[0]) % _P
    c = 2 * one[3] * two[3] * _D % _P
    d = 2 * one[2] * two[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _times(scalar: int, point: _Point) -> _Point:
    total = _NEUTRAL
    while scalar:
        if scalar & 1:
            total = _add(total, point)
        point = _add(point, point)
        scalar >>= 1
    return total


def _equal(one: _Point, two: _Point) -> bool:
    same_x = (one[0] * two[2] - two[0] * one[2]) % _P == 0
    return same_x and (one[1] * two[2] - two[1] * one[2]) % _P == 0


def _base() -> _Point:
    """The base point: y = 4/5 with an even x."""
    point = _decompress((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))
    assert point is not None
    return point


_BASE: Final = _base()
