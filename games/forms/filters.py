"""The small forms of lobby and archive: filters, which live in the address, and a table code."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.forms.names import VARIANT_NAMES, mode_choices
from games.modes.registry import ALL
from games.offered import modes_offered


class ListForm(forms.Form):
    """Filters of a list."""

    def wanted(self) -> dict[str, Any]:
        """The filters that can be understood; anything else filters nothing."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}


class FilterForm(ListForm):
    """The filters of the lobby; they are in the address, so a filtered lobby can be kept."""

    mode = forms.ChoiceField(
        label=gettext_lazy("Mode"),
        choices=lambda: [("", gettext_lazy("every mode")), *mode_choices(modes_offered())],
        required=False,
    )
    variant = forms.ChoiceField(
        label=gettext_lazy("Variant"),
        choices=[("", gettext_lazy("every variant")), *VARIANT_NAMES.items()],
        required=False,
    )
    affordable = forms.BooleanField(label=gettext_lazy("Tables I can afford"), required=False)
    near = forms.BooleanField(label=gettext_lazy("Similar strength (±1)"), required=False)


class CodeForm(forms.Form):
    """The code of a private table, with or without its dash."""

    code = forms.CharField(
        label=gettext_lazy("Code of a private table"),
        max_length=20,
        widget=forms.TextInput(
            attrs={
                "placeholder": "BCDF-GHJK",
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
            }
        ),
    )

    def clean_code(self) -> str:
        """Eight capitals."""
        return "".join(letter for letter in self.cleaned_data["code"].upper() if letter.isalnum())


class ArchiveForm(ListForm):
    """Which of one's matches to show."""

    mode = forms.ChoiceField(
        label=gettext_lazy("Mode"),
        choices=[("", gettext_lazy("every mode")), *mode_choices(ALL)],
        required=False,
    )
    opponent = forms.CharField(
        label=gettext_lazy("Opponent"),
        max_length=24,
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    result = forms.ChoiceField(
        label=gettext_lazy("Result"),
        choices=[
            ("", gettext_lazy("every result")),
            ("won", gettext_lazy("won")),
            ("lost", gettext_lazy("lost")),
            ("drawn", pgettext_lazy("result", "tie")),
            ("void", gettext_lazy("without result")),
        ],
        required=False,
    )
