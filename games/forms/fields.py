"""Fields of the forms of tables: rules, amounts of credits, errors where a wish is refused."""

import re
from decimal import Decimal
from typing import Any, Final

from django import forms
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.modes.choices import RuleChoice

_AMOUNT: Final = re.compile(r"([0-9]{1,7})(?:[.,]([0-9]{1,2}))?")


class StakeField(forms.Field):
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
    """An amount as `StakeField` reads it, in the language in force: 0.50 or 0,50."""
    return str(number_format(Decimal(cents).scaleb(-2), 2))


def rule_field(choice: RuleChoice) -> forms.Field:
    """The field for one rule; it begins with the rule's default."""
    label, sentence = _(choice.name), _(choice.sentence)
    if choice.is_switch:
        return forms.BooleanField(
            label=label, help_text=sentence, required=False, initial=choice.default
        )
    values = {str(value): value for value in choice.values}
    names = [_(name) for name in choice.names] or list(values)
    return forms.TypedChoiceField(
        label=label,
        help_text=sentence,
        choices=list(zip(values, names, strict=True)),
        coerce=values.__getitem__,
        initial=str(choice.default),
    )


def value_text(choice: RuleChoice, value: Any) -> str:
    """A value of a rule in words: its name if it has one."""
    named = dict(zip(choice.values, choice.names, strict=False))
    return _(named[value]) if value in named else str(value)


#: why the house refuses what is stated in a field, where more can be said than that it does.
REFUSED: Final = {
    "raccoons": gettext_lazy("Raccoons require beavers: select both."),
    "auto_doubles_max": gettext_lazy("Automatic doubles need a roll-off whose numbers are played."),
    "holland": gettext_lazy("The Holland rule follows a Crawford game: choose both."),
    "base": gettext_lazy("This base stake is outside of what the house offers."),
    "bank": gettext_lazy("A bank is 20 to 100 times the base stake."),
}
