"""The forms of the house's settings, with previews of the logo and of a board."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.preferences import BoardChoice, Checkers
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from house.board import COLOURS, board_of
from house.parts import (
    FACT_LENGTH_MAX,
    PARTS,
    BadContent,
    Content,
    HousePart,
    content_of,
)
from kit.png import BYTES_MOST, Png, png_of, png_text
from ledger.desk.forms import reason_field
from ledger.forms import CreditsField
from pasch.desk.house_words import (
    CHOICES,
    FIELD_NAMES,
    Text,
    default_text,
    fault_text,
    field_help,
)
from pasch.house_identity import ShownLogo, board_address
from pasch.staff.house import PICTURES

SHORT: Final = 40
FACT_NAMES: Final = frozenset(field.name for field in PARTS[HousePart.OPERATOR])
LISTS: Final = frozenset({"offered", "modes", "variants"})
THEMES: Final = (
    ("ahorn", gettext_lazy("The board on light pages")),
    ("nussbaum", gettext_lazy("The board on dark pages")),
)


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


class LogoForm(HouseForm):
    """The logo, where it stands, and why it changes.

    A checked file is also in the hidden field `png`, as base64: the second step sends that back,
    because browsers do not keep a chosen file.
    """

    shown_at = {"png": "file"}
    removing = gettext_lazy("Remove the logo")
    removed = frozenset({"png", "shown"})

    file = forms.FileField(
        label=gettext_lazy("PNG file"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/png"}),
        help_text=gettext_lazy(
            "At most 64 KiB, and 16 to 1024 pixels on each side. A clear background suits light and"
            " dark pages."
        ),
    )

    def __init__(self, data: Any = None, **said: Any) -> None:
        """Begin as every form of a part; the file comes first."""
        super().__init__(data, **said)
        self.order_fields(["file", "shown", "remove"])

    def values(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """The values of the part: of the file, else of what was looked at; none if it goes."""
        values, file = super().values(cleaned), cleaned.get("file")
        if "png" in values and isinstance(file, UploadedFile):
            values["png"] = base64.b64encode(file.read(BYTES_MOST + 1)).decode()
        return values

    def clean(self) -> dict[str, Any]:
        """Check as every part, and keep the picture for the next page."""
        cleaned = super().clean()
        if self.content is not None:
            sent = {name: self.data.get(name) for name in self.fields}
            self.data = {**sent, "png": self.content.get("png", "")}
        return cleaned


def logo_preview(content: Content | None) -> ShownLogo | None:
    """How the head of the pages would show the logo of this content; None without one."""
    if not content or not content.get("png"):
        return None
    logo: Png = png_of(content["png"])
    address = f"data:image/png;base64,{png_text(logo)}"
    return ShownLogo(address, logo.width, logo.height, alone=content.get("shown") == "alone")


class ColoursForm(HouseForm):
    """The colours, a box that takes those of the board back, and why they change."""

    removed = frozenset(COLOURS)
    removing = gettext_lazy("Back to Pasch's own board")


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """A board in the opening position: its style sheet, if it has one of its own, and its names
    in `data-board` and `data-checkers`."""

    style: str
    board: str
    checkers: str
    position: Position = by_key("backgammon").start
    themes: tuple[tuple[str, object], ...] = THEMES


def board_preview(content: Content) -> ShownBoard:
    """How this content shows the board on light and on dark pages."""
    board = board_of(content)
    if board is None:
        return ShownBoard("", BoardChoice.THEME, Checkers.IVORY)
    return ShownBoard(board_address(board), BoardChoice.HOUSE, Checkers.HOUSE)
