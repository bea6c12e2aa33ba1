"""The face of each account: a checker in two colours for a person, a drawn animal for a house bot.

Nothing is uploaded: the face of a person comes from the number of their account, so that it stays
when the name changes. The shapes are the symbols of static/faces.svg.
"""

from hashlib import sha256
from typing import Final

from backgammon.bots.strength import LEVELS

#: the forms on the checker of a person
SHAPES: Final = (
    "half",
    "quarters",
    "chevron",
    "chevrons",
    "disc",
    "two-dots",
    "three-dots",
    "four-dots",
    "point",
    "points",
    "stripe",
    "stripes",
)

#: a dark and a light colour; each pair has a contrast of 4.3 or more
PAIRS: Final = (
    ("2b3a55", "c9d6ea"),
    ("4a2313", "f0b27a"),
    ("45524a", "e9e0c9"),
    ("125a63", "bfe0dc"),
    ("a4562f", "f2e6d2"),
    ("7d1f2b", "f3c9b4"),
    ("8a3d1f", "f0d9a8"),
    ("2f6f5c", "cfe3c4"),
    ("23443b", "e6b450"),
    ("1f5f93", "dfe7ea"),
    ("3d2a5c", "efe3c2"),
    ("5b3a6e", "ead3ea"),
)

_OF_BOTS: Final = {level.bot: level.key for level in LEVELS}


def face_of(user_id: int, name: str) -> str:
    """Return the face of an account, as scripts and programs get it.

    That is one word for a house bot: its level, which is a symbol of static/faces.svg; and four for
    a person: symbol, colour of its forms, colour of the ground, and by how many degrees it is
    turned. The name only tells the house bots, whose names cannot be registered.
    """
    if name in _OF_BOTS:
        return _OF_BOTS[name]
    digest = sha256(f"face {user_id}".encode()).digest()
    forms, ground = PAIRS[digest[0] % len(PAIRS)]
    if digest[1] % 2:
        forms, ground = ground, forms
    return f"{SHAPES[digest[2] % len(SHAPES)]} {forms} {ground} {45 * (digest[3] % 8)}"
