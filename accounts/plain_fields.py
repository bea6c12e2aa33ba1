"""Form validators, with messages, for text on which another person bases a decision."""

from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.plain_text import line_fault, text_fault

SENTENCES: Final = {
    "hidden": _("It contains invisible characters. Type it instead of pasting it."),
    "directions": _("Left-to-right and right-to-left letters cannot be mixed here."),
    "digits": _("Use the digits 0 to 9."),
}


def validate_line(text: str) -> None:
    """Refuse one line of text that may look like another one."""
    _refuse(line_fault(text))


def validate_text(text: str) -> None:
    """Refuse free text with signs that hide or turn other ones."""
    _refuse(text_fault(text))


def _refuse(fault: str | None) -> None:
    if fault is not None:
        raise ValidationError(SENTENCES[fault], code=fault)
