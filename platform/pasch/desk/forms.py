"""The forms of administrators: amounts, reasons, names. No input is trusted."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.decisions import IdentityKind, StaffDecision
from accounts.models import User
from ledger.forms import CreditsField
from ledger.services.vouchers import COUNT_MAX

REASON_LENGTH: Final = 500
NOTE_LENGTH: Final = 200
GIVE: Final = "give"
TAKE: Final = "take"
EXPIRY_DAYS_MAX: Final = 3650


def reason_field() -> forms.CharField:
    """A reason: always required, and recorded in the journal."""
    return forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class ReasonForm(forms.Form):
    """A decision with a reason."""

    reason = reason_field()


class IdentityForm(forms.Form):
    """A change of another person's account, with a reason."""

    kind = forms.ChoiceField(
        label=_("What"), choices=IdentityKind.choices, widget=forms.RadioSelect
    )
    value = forms.CharField(
        label=_("New address or name"),
        max_length=254,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("Only needed when setting a new value."),
    )
    reason = reason_field()

    def clean_kind(self) -> IdentityKind:
        """Return the kind as the services take it."""
        return IdentityKind(self.cleaned_data["kind"])


def waiting_rows(
    decisions: Iterable[StaffDecision], name: str
) -> list[tuple[StaffDecision, ReasonForm]]:
    """Decisions that wait, each with the form that stops it; ids of its fields begin by `name`."""
    return [(each, ReasonForm(auto_id=f"{name}_{each.pk}_%s")) for each in decisions]


class ApprovalForm(forms.Form):
    """An approval may carry a remark; it needs one where something is `marked`."""

    reason = forms.CharField(
        label=_("Remark"),
        max_length=REASON_LENGTH,
        required=False,
        error_messages={
            "required": _("These credits are marked: say in the remark what you found.")
        },
    )

    def __init__(self, *args: Any, marked: bool = False, **kwargs: Any) -> None:
        """Require the remark where credits are marked (`pasch.desk.origins`)."""
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = marked


class ReceiptForm(forms.Form):
    """A payment with its receipt."""

    receipt = forms.CharField(
        label=_("Receipt"),
        max_length=NOTE_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("How it was paid: the number of the transfer, for instance."),
    )


class MatchDecisionForm(forms.Form):
    """A decision about a match that was shown before: what, exactly as shown, and why."""

    outcome = forms.CharField(max_length=40, widget=forms.HiddenInput)
    shown = forms.CharField(max_length=64, widget=forms.HiddenInput)
    reason = reason_field()


class PersonField(forms.CharField):
    """The name of anybody with an account, in any case; its value is the person.

    None if it is not required and empty.
    """

    def __init__(self, label: Any = None, *, required: bool = True) -> None:
        super().__init__(
            label=label or _("Player"),
            required=required,
            max_length=150,
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        )

    def clean(self, value: Any) -> User | None:
        """Return the person of that name."""
        name = super().clean(value)
        if not name and not self.required:
            return None
        person = User.objects.filter(username__iexact=name).first()
        if person is None:
            raise ValidationError(_("There is no player of this name."), code="unknown")
        return person


class AdjustmentForm(forms.Form):
    """Credits given to or taken from a player."""

    player = PersonField()
    direction = forms.ChoiceField(
        label=_("What"),
        choices=((GIVE, _("Give credits")), (TAKE, _("Remove credits"))),
        initial=GIVE,
        widget=forms.RadioSelect,
    )
    amount = CreditsField(label=_("Amount"), help_text=_("In credits."), least_cents=1)
    reason = reason_field()
    key = forms.CharField(widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Add `amount_cents`: above zero where credits are given, below where they are taken."""
        cleaned = super().clean() or {}
        cents = cleaned.get("amount") or 0
        cleaned["amount_cents"] = cents if cleaned.get("direction") == GIVE else -cents
        return cleaned

    def clean_key(self) -> str:
        """Return the key of this proposal: sent twice, it happens once."""
        return _key(self.cleaned_data["key"])


class VoucherBatchForm(forms.Form):
    """A batch of vouchers."""

    amount = CreditsField(label=_("Value per voucher"), help_text=_("In credits."), least_cents=1)
    count = forms.IntegerField(label=_("How many"), min_value=1, max_value=COUNT_MAX, initial=1)
    note = forms.CharField(
        label=_("What for"),
        max_length=NOTE_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("Goes into the journal."),
    )
    days = forms.IntegerField(
        label=_("Valid for days"),
        min_value=1,
        max_value=EXPIRY_DAYS_MAX,
        required=False,
        help_text=_("Empty: for ever."),
    )
    key = forms.CharField(widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Add `expires_at`: None, or so many days from now."""
        cleaned = super().clean() or {}
        days = cleaned.get("days")
        cleaned["expires_at"] = timezone.now() + timedelta(days=days) if days else None
        return cleaned


def new_key() -> str:
    """A key for a form, so that sending it twice does it once."""
    return str(uuid4())


def _key(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError as error:
        raise ValidationError(_("This form is not valid."), code="key") from error
