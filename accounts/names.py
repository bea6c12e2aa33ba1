"""Valid names of players: readable, writable and distinguishable from all others.

Allowed are letters of the Latin script (ä, é, ł and ß too), the digits 0–9 and single signs - _ .
between them. Two names are the same to the house when their skeletons are: capitals, accents and
shapes that are mistaken for each other (l, I and 1; O and 0; rn and m; vv and w) do not distinguish
players. The idea of a skeleton is Unicode Technical Standard 39; the table is our own.
"""

import re
import unicodedata
from typing import Final

MIN_LENGTH: Final = 3
MAX_LENGTH: Final = 24

SIGNS: Final = "-_."
_BARE: Final = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"}
_SHAPES: Final = str.maketrans({"1": "l", "i": "l", "|": "l", "0": "o", "-": "_", ".": "_"})
_PAIRS: Final = (("rn", "m"), ("vv", "w"))
_PATTERN: Final = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")


def normalised(name: str) -> str:
    """Return the one spelling of a name that is stored: compatibility forms are unfolded."""
    return unicodedata.normalize("NFKC", name).strip()


def skeleton(name: str) -> str:
    """Return a name without everything that does not distinguish it."""
    bare = _bare(name).translate(_SHAPES)
    for pair, single in _PAIRS:
        bare = bare.replace(pair, single)
    return bare


def is_well_formed(name: str) -> bool:
    """Whether a name has Latin letters, digits and single signs between them only."""
    return all(_is_allowed(letter) for letter in name) and bool(_PATTERN.fullmatch(_bare(name)))


def _bare(name: str) -> str:
    """Small letters without accents; letters of other scripts stay as they are."""
    unfolded = "".join(_BARE.get(letter, letter) for letter in normalised(name).casefold())
    letters = unicodedata.normalize("NFKD", unfolded)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _is_allowed(letter: str) -> bool:
    if letter in SIGNS or ("0" <= letter <= "9"):
        return True
    return letter.isalpha() and unicodedata.name(letter, "").startswith("LATIN ")
