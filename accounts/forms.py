"""Forms of the account page."""

from django import forms

from accounts.models import User


class PreferencesForm(forms.ModelForm):
    """Language and theme of one's own account."""

    class Meta:
        model = User
        fields = ("language", "theme")
        widgets = {"language": forms.Select, "theme": forms.Select}
