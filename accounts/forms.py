"""Forms of the account page."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Language, Theme, User


class PreferencesForm(forms.ModelForm):  # type: ignore[type-arg]  # no parameter at run time
    """Language and theme of one's own account."""

    class Meta:
        model = User
        fields = ("language", "theme")
        help_texts = {"language": ""}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Label the empty choice."""
        super().__init__(*args, **kwargs)
        self._offer("language", [("", _("As the browser asks")), *Language.choices])
        self._offer("theme", [("", _("As on this device")), *Theme.choices])

    def _offer(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
