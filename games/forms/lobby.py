"""The lobby's small forms: a game in one click, filters, the code of a private table."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy

from games.forms.names import CLOCK_NAMES, VARIANT_NAMES, WATCHERS_NAMES, mode_choices
from games.modes.registry import OPENED
from games.selectors import prices


def quick_offers() -> dict[str, dict[str, object]]:
    """The games that need no further fields in the form: a key for each and its wishes."""
    house = prices()
    return {
        "-".join(filter(None, (mode.key, choice.key))): {"mode": mode.key, **choice.wishes}
        for mode in OPENED
        if mode.is_quick
        for choice in mode.choices(house)
    }


class GameForm(forms.Form):
    """One of the quick games, a clock, and whether others may watch."""

    game = forms.ChoiceField(label=gettext_lazy("Game"), widget=forms.RadioSelect)
    clock = forms.ChoiceField(
        label=gettext_lazy("Clock"), choices=list(CLOCK_NAMES.items()), initial="normal"
    )
    watchers = forms.ChoiceField(
        label=gettext_lazy("Watchers"),
        choices=[("", WATCHERS_NAMES["yes"]), ("no", WATCHERS_NAMES["no"])],
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "quick_%s")
        super().__init__(*args, **kwargs)
        self.offers = quick_offers()
        games = cast("forms.ChoiceField", self.fields["game"])
        games.choices = [(key, key) for key in self.offers]

    def wishes(self) -> dict[str, Any]:
        """The arguments for the service."""
        values = self.cleaned_data
        chosen = {"clock": values["clock"], "watchers": values["watchers"] != "no"}
        return {**self.offers[values["game"]], **chosen}


class QuickForm(GameForm):
    """A quick game against anybody, or anybody of about one's own strength."""

    strength_span = forms.TypedChoiceField(
        label=gettext_lazy("Opponent"),
        choices=[
            ("", gettext_lazy("any strength")),
            ("1", gettext_lazy("about my strength (±1)")),
        ],
        coerce=int,
        required=False,
        empty_value=None,
    )


class FilterForm(forms.Form):
    """The filters of the lobby; they are in the address, so a filtered lobby can be kept."""

    mode = forms.ChoiceField(
        label=gettext_lazy("Mode"),
        choices=[("", gettext_lazy("every mode")), *mode_choices(OPENED)],
        required=False,
    )
    variant = forms.ChoiceField(
        label=gettext_lazy("Variant"),
        choices=[("", gettext_lazy("every variant")), *VARIANT_NAMES.items()],
        required=False,
    )
    affordable = forms.BooleanField(label=gettext_lazy("Only what I can pay"), required=False)
    near = forms.BooleanField(label=gettext_lazy("Strength ±1"), required=False)

    def wanted(self) -> dict[str, Any]:
        """The filters that can be understood; anything else filters nothing."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}


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
