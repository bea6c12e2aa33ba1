"""The form of the house's figures: one typed field for each, made from their list."""

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.modes.prices import FIGURES, BadPrices, Figure, Prices
from games.modes.pricing import prices_of
from house.reader import house_now
from ledger.forms import CreditsField
from pasch.desk.forms import reason_field
from pasch.desk.money_words import LABELS, bounds_help, fault_text

_PERCENT = re.compile(r"([0-9]{1,3})(?:[.,]([0-9]{1,2}))?\s*%?")


class AmountsField(CreditsField):
    """Amounts with spaces or semicolons between them, as cents."""

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Six amounts need more room than one."""
        return {**super().widget_attrs(widget), "maxlength": 120, "inputmode": "text"}

    def prepare_value(self, value: Any) -> Any:
        """The amounts in the reader's own notation; what was typed stays as it is."""
        if isinstance(value, list | tuple):
            return "  ".join(str(super(AmountsField, self).prepare_value(each)) for each in value)
        return value

    def to_python(self, value: Any) -> Any:
        """Read what was typed; nothing is an empty list."""
        parts = re.split(r"[\s;]+", str(value or "").replace(house_now().sign, " "))
        return [super(AmountsField, self).to_python(part) for part in parts if part]

    def validate(self, value: Any) -> None:
        """Check with the prices whether the house can offer these."""


class PercentField(forms.Field):
    """A share in percent with up to two digits behind the mark, as hundredths of a percent."""

    default_error_messages = {"invalid": gettext_lazy("Enter a percentage such as 10 or 7.5.")}

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Make phones show a keyboard with digits and a decimal mark."""
        return {"inputmode": "decimal", "autocomplete": "off", "maxlength": 8}

    def prepare_value(self, value: Any) -> Any:
        """The share in the reader's own notation."""
        if not isinstance(value, int):
            return value
        text = f"{Decimal(value) / 100:f}"
        return text.replace(".", str(formats.get_format("DECIMAL_SEPARATOR")))

    def to_python(self, value: Any) -> int | None:
        """Read what was typed."""
        if value in self.empty_values:
            return None
        found = _PERCENT.fullmatch(str(value).strip())
        if found is None:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))


def _field(figure: Figure) -> forms.Field:
    said: dict[str, Any] = {"label": LABELS[figure.name], "help_text": bounds_help(figure)}
    if figure.many:
        return AmountsField(required=False, **said)
    if figure.unit == "cents":
        return CreditsField(**said)
    if figure.unit == "bps":
        return PercentField(**said)
    return forms.IntegerField(required=not figure.optional, **said)


class PricesForm(forms.Form):
    """Every figure of the house, and why it changes; `prices` is what they come to."""

    prices: Prices | None = None
    number = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, now: Prices, number: int) -> None:
        """Begin with the figures in force, which are those of row `number`."""
        initial = {name: getattr(now, name) for name in Prices.__struct_fields__}
        super().__init__(data, initial={**initial, "number": number})
        self.now, self.number_now = now, number
        for figure in FIGURES:
            self.fields[figure.name] = _field(figure)
        self.fields["reason"] = reason_field()

    def clean(self) -> dict[str, Any]:
        """Check the figures against their description; each error belongs to its field."""
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        try:
            self.prices = prices_of({figure.name: cleaned[figure.name] for figure in FIGURES})
        except BadPrices as error:
            for fault in error.faults:
                self.add_error(fault.name, fault_text(fault))
            return cleaned
        if cleaned["number"] != self.number_now:
            self.prices = None
            raise ValidationError(
                _("Other figures have come into force meanwhile. Look at them and begin anew.")
            )
        if self.prices == self.now:
            self.prices = None
            raise ValidationError(_("Nothing changes: these are the figures in force."))
        return cleaned
