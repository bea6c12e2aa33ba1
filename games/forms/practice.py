"""A practice game: the variant, the strength of the house bot or none, the clock."""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy

from games.forms.names import CLOCK_NAMES, VARIANT_NAMES
from games.modes.registry import by_key
from games.services.house_bots import ALONE

STRENGTH_NAMES: Final = {
    "beginner": gettext_lazy("Beginner"),
    "intermediate": gettext_lazy("Intermediate"),
    "advanced": gettext_lazy("Advanced"),
    "expert": gettext_lazy("Expert"),
    ALONE: gettext_lazy("Nobody: I play both sides"),
}


class PracticeForm(forms.Form):
    """The arguments for `games.services.practice.practice_open`."""

    strength = forms.ChoiceField(
        label=gettext_lazy("Opponent"),
        choices=list(STRENGTH_NAMES.items()),
        initial="intermediate",
    )
    variant = forms.ChoiceField(
        label=gettext_lazy("Variant"), choices=list(VARIANT_NAMES.items()), initial="backgammon"
    )
    clock = forms.ChoiceField(
        label=gettext_lazy("Clock"),
        choices=list(CLOCK_NAMES.items()),
        initial=by_key("practice").clock_usual,
    )
