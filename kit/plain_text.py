"""Plain text: no invisible characters, none that change the direction of writing.

For text on which another person bases a decision, like a payout's destination. `validate_line` and
`validate_text` are the validators of forms, with their messages.
"""

import unicodedata
from typing import Final
from uuid import UUID

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

_TURNING: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_LINES: Final = frozenset("\n\r\t")
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
_DIGITS: Final = frozenset("0123456789")

SENTENCES: Final = {
    "hidden": _("It contains invisible characters. Type it instead of pasting it."),
    "directions": _("Left-to-right and right-to-left letters cannot be mixed here."),
    "digits": _("Use the digits 0 to 9."),
}
"""What to say about the faults of `line_fault` and `text_fault`."""


def normal(text: str) -> str:
    """The text without space around it, in Unicode's composed form (NFC)."""
    return unicodedata.normalize("NFC", text.strip())


def is_uuid(text: str) -> bool:
    """Return True for the text of a UUID."""
    try:
        UUID(text)
    except ValueError:
        return False
    return True


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


def validate_line(text: str) -> None:
    """Refuse one line of text that may look like another one."""
    _refuse(line_fault(text))


def validate_text(text: str) -> None:
    """Refuse free text with signs that hide or turn other ones."""
    _refuse(text_fault(text))


def _refuse(fault: str | None) -> None:
    if fault is not None:
        raise ValidationError(SENTENCES[fault], code=fault)
