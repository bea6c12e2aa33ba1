"""A practice game: the strength of the house bot or none, and the rules of any game."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy

from games.forms.tables import TermsForm
from games.modes.registry import ALL
from games.services.house_bots import ALONE

STRENGTH_NAMES: Final = {
    "beginner": gettext_lazy("Beginner"),
    "intermediate": gettext_lazy("Intermediate"),
    "advanced": gettext_lazy("Advanced"),
    "expert": gettext_lazy("Expert"),
    ALONE: gettext_lazy("Nobody: I play both sides"),
}


class PracticeForm(TermsForm):
    """The arguments for `games.services.practice.practice_open`."""

    modes = tuple(mode for mode in ALL if mode.is_practice)

    strength = forms.ChoiceField(
        label=gettext_lazy("Opponent"),
        choices=list(STRENGTH_NAMES.items()),
        initial="intermediate",
    )
    watchers = None  # type: ignore[assignment]  # Django's way to leave out an inherited field

    def asked(self) -> dict[str, Any]:
        """The arguments for the service: the wishes without the mode, and the strength."""
        wishes = {name: wish for name, wish in self.wishes().items() if name != "mode"}
        return {**wishes, "strength": self.cleaned_data["strength"]}
