"""The forms of the house's settings: the fields of a part, and why they change."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from house.parts import (
    FACT_LENGTH_MAX,
    PARTS,
    BadContent,
    Content,
    HousePart,
    content_of,
)
from ledger.forms import CreditsField
from pasch.desk.forms import reason_field
from pasch.desk.house_words import (
    CHOICES,
    FIELD_NAMES,
    Text,
    default_text,
    fault_text,
    field_help,
)
from pasch.staff.house import PICTURES

SHORT: Final = 40
FACT_NAMES: Final = frozenset(field.name for field in PARTS[HousePart.OPERATOR])
LISTS: Final = frozenset({"offered", "modes", "variants"})


def _field(name: str) -> forms.Field:
    said: dict[str, Any] = {
        "label": str(FIELD_NAMES[name]),
        "required": False,
        "help_text": field_help(name),
    }
    if name in PICTURES:
        return forms.CharField(widget=forms.HiddenInput, required=False)
    if name in LISTS:
        boxes = forms.CheckboxSelectMultiple
        return forms.MultipleChoiceField(choices=CHOICES[name], widget=boxes, **said)
    if name in CHOICES:
        default = _("default: %(value)s") % {"value": default_text(name)}
        return forms.ChoiceField(choices=[("", default), *CHOICES[name]()], **said)
    if "_cents" in name:
        return CreditsField(**said)
    longest = FACT_LENGTH_MAX if name in FACT_NAMES else SHORT
    attributes = {"autocomplete": "off", "placeholder": default_text(name), "maxlength": longest}
    return forms.CharField(widget=forms.TextInput(attrs=attributes), **said)


class HouseForm(forms.Form):
    """The fields of a part, and why they change; `content` is what they come to.

    An empty field has its default.
    """

    content: Content | None = None
    shown_at: Mapping[str, str] = {}
    """The fields that show the faults of others."""
    removing: Text = ""
    removed: frozenset[str] = frozenset()
    """The fields that a box empties, and its label."""
    number = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self, data: Any = None, *, part: HousePart, now: Content, number: int, files: Any = None
    ) -> None:
        """Begin with the content in force, which is that of change `number`."""
        super().__init__(data, files, initial={**now, "number": number})
        self.part, self.now, self.number_now = part, now, number
        for field in PARTS[part]:
            self.fields[field.name] = _field(field.name)
        if self.removed & now.keys():
            self.fields["remove"] = forms.BooleanField(label=str(self.removing), required=False)
        self.fields["reason"] = reason_field()

    def clean(self) -> dict[str, Any]:
        """Check the values against the rules of the part; each error belongs to its field."""
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        try:
            content = content_of(self.part, self.values(cleaned))
        except BadContent as error:
            for fault in error.faults:
                self.add_error(self.shown_at.get(fault.name, fault.name), fault_text(fault))
            return cleaned
        if cleaned["number"] != self.number_now:
            raise ValidationError(
                _("Somebody has changed this meanwhile. Look at it and begin anew.")
            )
        if content == self.now:
            raise ValidationError(_("Nothing changes: the house has these settings."))
        self.content = content
        return cleaned

    def values(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """The values of the part that were entered, without those that go."""
        gone = self.removed if cleaned.get("remove") else frozenset()
        names = (field.name for field in PARTS[self.part] if field.name not in gone)
        return {name: cleaned[name] for name in names}
