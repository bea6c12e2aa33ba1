"""The figures of the house: what counts now, what counted before, and a change for two people."""

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render, resolve_url
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from games.modes.prices import FIGURES, BadPrices, Figure, Prices, figures_of
from games.modes.registry import prices_of
from games.selectors import prices
from house.history import part_number
from house.parts import HousePart
from house.reader import house_now
from kit.requests import SignedInRequest
from ledger.desk.access import desk_page, second_factor_at, second_factor_is_fresh
from ledger.desk.decisions import decide
from ledger.desk.forms import reason_field
from ledger.desk.proposals import proposal_rows
from ledger.forms import CreditsField
from ledger.selectors_desk import proposals_waiting
from pasch.desk.house import house_history
from pasch.desk.house_words import changes
from pasch.desk.money_words import LABELS, bounds_help, examples, fault_text, figure_rows
from pasch.staff.house import RIGHT, house_propose, subject_of

ROWS = 10
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


@desk_page(RIGHT)
@require_http_methods(["GET", "HEAD", "POST"])
def money(request: SignedInRequest) -> HttpResponse:
    """Show the figures in force and their history; preview a change, or propose it."""
    now, number = prices(), part_number(HousePart.PRICES)
    form = PricesForm(request.POST if request.method == "POST" else None, now=now, number=number)
    asked = request.method == "POST" and form.is_valid()
    if asked and form.prices is not None and "propose" in request.POST:
        new, said = form.prices, form.cleaned_data
        return decide(
            request,
            lambda: house_propose(
                actor=request.user,
                part=HousePart.PRICES,
                content=figures_of(new),
                number=said["number"],
                reason=said["reason"],
                verified_at=second_factor_at(request),
            ),
            done=_("Proposed. Another administrator confirms or refuses it."),
            back=resolve_url("desk:money"),
        )
    waiting = proposals_waiting(
        request.user.get_all_permissions(), subject=subject_of(HousePart.PRICES)
    )
    context = {
        "rows": figure_rows(now),
        "form": form,
        "changes": changes(HousePart.PRICES, figures_of(now), figures_of(form.prices))
        if asked and form.prices
        else [],
        "examples": examples(now, form.prices) if asked and form.prices else [],
        "waiting": proposal_rows(waiting, request.user),
        "confirmed": second_factor_is_fresh(request),
        "page": Paginator(house_history(HousePart.PRICES), ROWS).get_page(request.GET.get("page")),
        "single_administrator": settings.LEDGER_SINGLE_ADMINISTRATOR,
        "two": True,
    }
    return render(request, "desk/money.html", context)
