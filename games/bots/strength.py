"""How well a house bot plays: the same judgement everywhere, blurred more or less.

A weaker bot judges each play and each cube as the strongest one does and then adds an error of a
certain size to every judgement. It so makes few gross mistakes in clear positions and many small
ones in close ones, as people do.
"""

from hashlib import blake2b
from typing import Final, Literal, get_args

Strength = Literal["beginner", "intermediate", "advanced", "expert"]

STRENGTHS: Final[tuple[Strength, ...]] = get_args(Strength)

#: the standard deviation of the error in one judgement, in points of equity (a plain game is 1).
ERROR: Final[dict[Strength, float]] = {
    "beginner": 0.30,
    "intermediate": 0.12,
    "advanced": 0.04,
    "expert": 0.0,
}

_UNIFORMS: Final = 12
_BYTES_EACH: Final = 4


def blur(strength: Strength, seed: str, subject: object) -> float:
    """The error of a bot's judgement about `subject`, in points of equity.

    The same seed and subject give the same error in any process: the sum of twelve uniform
    numbers out of a digest, less six, has mean 0 and deviation 1.
    """
    error = ERROR[strength]
    if not error:
        return 0.0
    digest = blake2b(f"{seed}|{subject}".encode(), digest_size=_UNIFORMS * _BYTES_EACH).digest()
    numbers = (
        int.from_bytes(digest[at : at + _BYTES_EACH], "big")
        for at in range(0, len(digest), _BYTES_EACH)
    )
    uniforms = sum(numbers) / float(1 << 8 * _BYTES_EACH)
    return error * (uniforms - _UNIFORMS / 2)
