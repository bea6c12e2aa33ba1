"""Choosing a password: allauth's forms, typed once, in a field that shows it.

`templates/shell/field.html` adds the button that shows it, and says what is missing as one types.
"""

from typing import Any

from allauth.account import forms as allauth_forms
from django.contrib.auth import password_validation
from django.utils.translation import gettext_lazy


class TypedOnce:
    """A form with one field for the new password, and one sentence about it."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("password2", None)
        password = self.fields["password1"]
        password.help_text = gettext_lazy(
            "8 characters or more, not your name, and none that many people use."
        )
        del password.widget.attrs["placeholder"]


class SignupForm(TypedOnce, allauth_forms.SignupForm):
    """A new account."""


class ChangePasswordForm(TypedOnce, allauth_forms.ChangePasswordForm):
    """Another password, beside the present one."""


class SetPasswordForm(TypedOnce, allauth_forms.SetPasswordForm):
    """The first password of an account that had none."""


class ResetPasswordKeyForm(TypedOnce, allauth_forms.ResetPasswordKeyForm):
    """Another password, by the link of a mail."""


#: what players of this game think of first.
HOUSE_PASSWORDS = frozenset({"backgammon", "gammon", "pasch", "tavla", "doubling", "doublingcube"})


class CommonPasswordValidator(password_validation.CommonPasswordValidator):
    """Django's list of common passwords and this house's own, with or without figures behind."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError for a password on either list."""
        super().validate(password, user)
        if password.strip().lower().rstrip("0123456789!.?") in HOUSE_PASSWORDS:
            super().validate("password", user)
