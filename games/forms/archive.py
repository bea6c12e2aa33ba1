"""The filters of the archive; they live in the address."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.forms.names import mode_choices
from games.modes.registry import ALL


class ArchiveForm(forms.Form):
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

    def wanted(self) -> dict[str, Any]:
        """The filters that can be understood; anything else filters nothing."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}
