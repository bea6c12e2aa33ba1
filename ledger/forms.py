"""Forms of players about their credits: amounts, a filter, a payout, a code, limits."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import uuid4

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from house.reader import house_now
from kit.plain_text import normal, validate_line, validate_text
from ledger.labels import KIND_LABELS
from ledger.models import Measure, Period
from ledger.postings import AMOUNT_MAX_CENTS
from ledger.selectors_desk import LimitView
from ledger.selectors_player import payout_minimum_cents
from ledger.templatetags.credits import credits_text

_AMOUNT = re.compile(r"([0-9]{1,13})(?:[.,]([0-9]{1,2}))?")
_DAY_FIRST, _DAY_LAST = date(2000, 1, 1), date(9000, 1, 1)

KIND_GROUPS: Mapping[str, tuple[str | Promise, tuple[str, ...]]] = {
    "play": (
        gettext_lazy("Playing"),
        ("stake", "result", "tie", "void", "adjudicate", "correct"),
    ),
    "payout": (gettext_lazy("Payouts"), ("payout_request", "payout_return")),
    "credits": (
        gettext_lazy("Credits from the house"),
        ("welcome", "voucher", "grant", "purchase", "chargeback", "adjust", "reverse"),
    ),
}
"""The kinds of transfer that touch a wallet, in the groups a player thinks in."""

DAYS_FOR_EVER = "ever"
EXCLUSION_LENGTHS: Mapping[str, tuple[str | Promise, int | None]] = {
    "182": (gettext_lazy("half a year"), 182),
    "365": (gettext_lazy("one year"), 365),
    "730": (gettext_lazy("two years"), 730),
    "1826": (gettext_lazy("five years"), 1826),
    DAYS_FOR_EVER: (gettext_lazy("for ever"), None),
}


class CreditsField(forms.Field):
    """An amount as people write it, 12.50 or 12,50, as cents. Thousands are not grouped."""

    widget = forms.TextInput
    default_error_messages = {
        "invalid": gettext_lazy(
            "Enter an amount such as 12 or 12.50, without thousands separators."
        ),
    }

    def __init__(self, *, least_cents: int = 0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.least_cents = least_cents

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Ask a phone for digits with a mark."""
        return {"inputmode": "decimal", "autocomplete": "off", "maxlength": 16}

    def prepare_value(self, value: Any) -> Any:
        """Cents in the reader's own notation; what was typed stays as it is."""
        if not isinstance(value, int):
            return value
        return f"{value // 100}{formats.get_format('DECIMAL_SEPARATOR')}{value % 100:02d}"

    def to_python(self, value: Any) -> int | None:
        """Read what was typed; nothing is no amount."""
        if isinstance(value, int) or value in self.empty_values:
            return value if isinstance(value, int) else None
        found = _AMOUNT.fullmatch(str(value).strip().removesuffix(house_now().sign).strip())
        if found is None:
            raise forms.ValidationError(self.error_messages["invalid"], "invalid")
        return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))

    def validate(self, value: int | None) -> None:
        """Refuse less than the least and more than the books can hold."""
        super().validate(value)
        if value is None:
            return
        if value < self.least_cents:
            text = _("The minimum is %(amount)s.") % {"amount": credits_text(self.least_cents)}
            raise forms.ValidationError(text, "least")
        if value > AMOUNT_MAX_CENTS:
            raise forms.ValidationError(_("That amount is too large."), "most")

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compare amounts, not the ways to write them."""
        try:
            return bool(self.to_python(data) != initial)
        except forms.ValidationError:
            return True


class _DayField(forms.DateField):
    """A day of the calendar, as browsers send it."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
        bounds = [MinValueValidator(_DAY_FIRST), MaxValueValidator(_DAY_LAST)]
        super().__init__(
            required=False,
            widget=widget,
            input_formats=["%Y-%m-%d"],
            validators=bounds,
            **kwargs,
        )


class EntryFilterForm(forms.Form):
    """Which entries to show; days are UTC, both are included."""

    use_required_attribute = False

    kind = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Kind"),
        choices=lambda: [("", _("All entries")), *_kind_choices()],
    )
    since = _DayField(label=gettext_lazy("From"))
    until = _DayField(label=gettext_lazy("To"))

    def clean(self) -> dict[str, Any]:
        """Refuse a stretch of time that ends before it begins."""
        asked: dict[str, Any] = super().clean() or {}
        since, until = asked.get("since"), asked.get("until")
        if since and until and until < since:
            self.add_error("until", _("The end date is before the start date."))
        return asked

    @property
    def chosen(self) -> dict[str, Any]:
        """The filter in the words of `wallet_entries`; empty when nothing was chosen."""
        asked = self.cleaned_data if self.is_valid() else {}
        chosen: dict[str, Any] = {}
        if kind := asked.get("kind"):
            chosen["kinds"] = KIND_GROUPS[kind][1] if kind in KIND_GROUPS else (kind,)
        if since := asked.get("since"):
            chosen["since"] = _midnight(since)
        if until := asked.get("until"):
            chosen["until"] = _midnight(until + timedelta(days=1))
        return chosen


class PayoutForm(forms.Form):
    """A wish to be paid. `client_key` makes one wish of a form that is sent twice."""

    amount_cents = CreditsField(label=gettext_lazy("Amount"))
    destination = forms.CharField(
        label=gettext_lazy("Pay to"),
        max_length=200,
        help_text=gettext_lazy("For example, an IBAN and the account holder’s name."),
        validators=[validate_line],
    )
    note = forms.CharField(
        label=gettext_lazy("Note (optional)"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        validators=[validate_text],
    )
    client_key = forms.RegexField(r"^[A-Za-z0-9._-]{8,100}$", strip=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["client_key"].initial = str(uuid4())
        amount = self.fields["amount_cents"]
        assert isinstance(amount, CreditsField)
        amount.least_cents = payout_minimum_cents()

    def clean_destination(self) -> str:
        """Return the one spelling that is stored."""
        return normal(self.cleaned_data["destination"])


class VoucherForm(forms.Form):
    """A voucher's code as it was handed out."""

    code = forms.CharField(
        label=gettext_lazy("Code of the voucher"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
    )


class LimitsForm(forms.Form):
    """All six limits at once; an empty field is no limit."""

    def __init__(self, views: tuple[LimitView, ...], data: Any = None) -> None:
        super().__init__(data)
        self.views = {f"{view.measure}_{view.period}": view for view in views}
        for name, view in self.views.items():
            self.fields[name] = CreditsField(
                label=view.period.label, required=False, initial=view.limit_cents
            )

    def rows_of(self, measure: Measure) -> Iterator[tuple[forms.BoundField, LimitView]]:
        """The fields of one measure, each with the current limit."""
        for period in Period:
            name = f"{measure}_{period}"
            yield self[name], self.views[name]

    def changes(self) -> Iterator[tuple[Measure, Period, int | None]]:
        """The limits that are to be others than they are."""
        for name in self.changed_data:
            view = self.views[name]
            yield view.measure, view.period, self.cleaned_data[name]


class ExclusionForm(forms.Form):
    """The duration of a self-exclusion."""

    length = forms.ChoiceField(
        label=gettext_lazy("For how long"),
        choices=[(key, label) for key, (label, _days) in EXCLUSION_LENGTHS.items()],
    )

    @property
    def days(self) -> int | None:
        """The days that were chosen; None for ever."""
        return EXCLUSION_LENGTHS[self.cleaned_data["length"]][1]


def _kind_choices() -> Iterator[tuple[str | Promise, list[tuple[str, str | Promise]]]]:
    """The groups of kinds; each begins with the whole group."""
    for group, (label, kinds) in KIND_GROUPS.items():
        whole = _("%(group)s: all") % {"group": label}
        yield label, [(group, whole), *((kind, KIND_LABELS[kind].text) for kind in kinds)]


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=UTC)
