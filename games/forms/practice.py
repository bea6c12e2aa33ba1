"""A practice game: the strength of the house bot or none, and the rules of any game."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from games.forms.levels import LevelWords, level_in_words, opponent_choices
from games.forms.tables import TermsForm
from games.modes.registry import ALL


class PracticeForm(TermsForm):
    """The arguments for `games.services.practice.practice_open`."""

    every = tuple(mode for mode in ALL if mode.is_practice)

    strength = forms.ChoiceField(
        label=gettext_lazy("Opponent"),
        choices=opponent_choices,
        initial="intermediate",
    )
    watchers = None  # type: ignore[assignment]  # Django's way to leave out an inherited field

    @property
    def level(self) -> LevelWords | None:
        """The chosen level in words; None for nobody."""
        return level_in_words(str(self["strength"].value()))

    def asked(self) -> dict[str, Any]:
        """The arguments for the service: the wishes without the mode, and the strength."""
        wishes = {name: wish for name, wish in self.wishes().items() if name != "mode"}
        return {**wishes, "strength": self.cleaned_data["strength"]}
