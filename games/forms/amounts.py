"""Amounts of credits in the forms of tables: read as people write them, and written that way."""

import re
from decimal import Decimal
from typing import Any, Final

from django import forms
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy

_AMOUNT: Final = re.compile(r"([0-9]{1,7})(?:[.,]([0-9]{1,2}))?")


class CreditsField(forms.Field):
    """An amount as people write it, 0.50 or 0,50, as cents."""

    default_error_messages = {
        "invalid": gettext_lazy("Enter an amount such as 1 or 0.50."),
    }

    def __init__(self, **kwargs: Any) -> None:
        attributes = {"inputmode": "decimal", "autocomplete": "off"}
        super().__init__(widget=forms.TextInput(attrs=attributes), **kwargs)

    def to_python(self, value: object) -> int | None:
        """Hundredths of a credit; None for nothing."""
        text = str(value or "").strip()
        if not text:
            return None
        match = _AMOUNT.fullmatch(text)
        if match is None:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))


def amount_text(cents: int) -> str:
    """An amount as `CreditsField` reads it, in the language in force: 0.50 or 0,50."""
    return str(number_format(Decimal(cents).scaleb(-2), 2))
