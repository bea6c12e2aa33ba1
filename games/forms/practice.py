"""A practice game: the variant, how well the house bot plays, the clock."""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy

from games.bots.strength import STRENGTHS
from games.forms.names import CLOCK_NAMES, VARIANT_NAMES

STRENGTH_NAMES: Final = {
    "beginner": gettext_lazy("Beginner"),
    "intermediate": gettext_lazy("Intermediate"),
    "advanced": gettext_lazy("Advanced"),
    "expert": gettext_lazy("Expert"),
}


class PracticeForm(forms.Form):
    """What `games.services.practice.practice_open` is asked for."""

    strength = forms.ChoiceField(
        label=gettext_lazy("House bot"),
        choices=[(strength, STRENGTH_NAMES[strength]) for strength in STRENGTHS],
        initial="intermediate",
    )
    variant = forms.ChoiceField(
        label=gettext_lazy("Variant"), choices=list(VARIANT_NAMES.items()), initial="backgammon"
    )
    clock = forms.ChoiceField(
        label=gettext_lazy("Clock"), choices=list(CLOCK_NAMES.items()), initial="slow"
    )
