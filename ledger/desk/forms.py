"""The forms of administrators: amounts, reasons, names. No input is trusted."""

from typing import Any, Final
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.models import User

REASON_LENGTH: Final = 500
NOTE_LENGTH: Final = 200


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


def new_key() -> str:
    """A key for a form, so that sending it twice does it once."""
    return str(uuid4())
