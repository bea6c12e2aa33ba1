"""Fields that take JSON at its word: a number is no text, a text is no number."""

from typing import Any

from rest_framework import serializers

from ledger.postings import AMOUNT_MAX_CENTS

# Something to read, and no control characters. Python and ECMAScript read it alike.
READABLE = r"^[^\x00-\x1F\x7F-\x9F]*[^\s\x00-\x1F\x7F-\x9F][^\x00-\x1F\x7F-\x9F]*$"
READABLE_OR_EMPTY = r"^[^\x00-\x1F\x7F-\x9F]*$"


class WholeField(serializers.IntegerField):
    """A whole number, written as one."""

    def to_internal_value(self, data: Any) -> int:
        """Refuse what only looks like a number: texts, truth values, 2.0."""
        if type(data) is not int:
            self.fail("invalid")
        number: int = super().to_internal_value(data)
        return number


class CentsField(WholeField):
    """An amount in cents, not below zero."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": AMOUNT_MAX_CENTS, **kwargs})


class LineField(serializers.RegexField):
    """One line of text with something in it; empty only with `allow_blank`."""

    def __init__(self, **kwargs: Any) -> None:
        pattern = READABLE_OR_EMPTY if kwargs.get("allow_blank") else READABLE
        super().__init__(pattern, trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Refuse numbers and truth values, which a text field would write out."""
        if not isinstance(data, str):
            self.fail("invalid")
        text: str = super().to_internal_value(data)
        return text
