"""Plain text: no invisible characters, none that change the direction of writing.

Pure: no Django. For text on which another person bases a decision, like a payout's destination.
"""

import unicodedata
from typing import Final

_TURNING: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_LINES: Final = frozenset("\n\r\t")
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
_DIGITS: Final = frozenset("0123456789")


def normal(text: str) -> str:
    """The text without space around it, in Unicode's composed form (NFC)."""
    return unicodedata.normalize("NFC", text.strip())


def line_fault(text: str) -> str | None:
    """Why one line of text cannot be trusted to the eye; None when it can.

    Allowed are printable characters and the common space, letters of one direction only, and the
    digits 0 to 9. Answers ``hidden``, ``directions`` or ``digits``.
    """
    if not text.isprintable():
        return "hidden"
    kinds = {unicodedata.bidirectional(sign) for sign in text}
    if "L" in kinds and kinds & _RIGHT_TO_LEFT:
        return "directions"
    if any(unicodedata.category(sign) == "Nd" and sign not in _DIGITS for sign in text):
        return "digits"
    return None


def text_fault(text: str) -> str | None:
    """Why free text, of several lines and any script, cannot be shown; None when it can.

    Refused are control characters and the signs that turn the direction of what follows.
    """
    for sign in text:
        if sign in _TURNING or (unicodedata.category(sign) in ("Cc", "Cs") and sign not in _LINES):
            return "hidden"
    return None
