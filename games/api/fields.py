"""Fields that take JSON literally, and serializers that refuse what they do not have."""

from typing import Any

from rest_framework import serializers

from kit.paging import COUNTED_MAX, PLACE_LENGTH_MAX, Order

AMOUNT_MAX_CENTS = 10**9
# Something to read, and no control characters. Python and ECMAScript read it alike.
READABLE = r"^[^\x00-\x1F\x7F-\x9F]*[^\s\x00-\x1F\x7F-\x9F][^\x00-\x1F\x7F-\x9F]*$"


class StrictSerializer(serializers.Serializer):
    """An input without any other field: what is misspelled or not offered is named, not dropped."""

    def to_internal_value(self, data: Any) -> Any:
        """The values of the fields. Raises `ValidationError` with every unknown name."""
        unknown = sorted(set(data) - set(self.fields)) if isinstance(data, dict) else []
        if unknown:
            raise serializers.ValidationError(
                {name: ["There is no such field here."] for name in unknown}
            )
        return super().to_internal_value(data)


class PlaceField(serializers.RegexField):
    """A place in a list as an answer gave it; left out for the beginning."""

    default_error_messages = {"invalid": "This is no place in the list."}

    def __init__(self, order: Order, **kwargs: Any) -> None:
        super().__init__(order.pattern, max_length=PLACE_LENGTH_MAX, default="", **kwargs)
        self.order = order

    def to_internal_value(self, data: Any) -> str:
        """Refuse what no answer gave."""
        place: str = super().to_internal_value(data)
        if self.order.place(place) is None:
            self.fail("invalid")
        return place


class CountedPageField(serializers.IntegerField):
    """The number of a page near the beginning; from a place on a list has no end."""

    def __init__(self) -> None:
        super().__init__(
            min_value=1,
            max_value=COUNTED_MAX,
            default=1,
            help_text=f"Up to {COUNTED_MAX}; places lead further.",
        )


class NumberField(serializers.IntegerField):
    """A whole number that is written as one."""

    def to_internal_value(self, data: Any) -> int:
        """Refuse what only looks like a number: texts, truth values, 2.0."""
        if type(data) is not int:
            self.fail("invalid")
        number: int = super().to_internal_value(data)
        return number


class CentsField(NumberField):
    """An amount in cents."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=AMOUNT_MAX_CENTS, **kwargs)


class YesOrNoField(serializers.BooleanField):
    """A truth value that is written as one."""

    def to_internal_value(self, data: Any) -> bool:
        """Refuse what only looks like a truth value."""
        if type(data) is not bool:
            self.fail("invalid", input=data)
        return bool(data)


class NameField(serializers.RegexField):
    """A person's name: one line with something to read in it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(READABLE, trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Refuse numbers and truth values, which a text field would write out."""
        if not isinstance(data, str):
            self.fail("invalid")
        text: str = super().to_internal_value(data)
        return text
