"""The form of the logo: a file that is checked, shown before it counts, and can be removed."""

import base64
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from house.parts import Content
from kit.png import BYTES_MOST, Png, png_of, png_text
from pasch.desk.house_forms import HouseForm
from pasch.house_identity import ShownLogo


class LogoForm(HouseForm):
    """The logo, where it stands, and why it changes.

    A checked file is also in the hidden field `png`, as base64: the second step sends that back,
    because browsers do not keep a chosen file.
    """

    shown_at = {"png": "file"}
    removing = _("Remove the logo")
    removed = frozenset({"png", "shown"})

    file = forms.FileField(
        label=_("PNG file"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/png"}),
        help_text=_(
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
