"""Django validators for accounts/names.py, with messages that name what to change."""

from typing import Any

from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts import names
from accounts.reserved_names import is_reserved


def validate_name(name: str) -> None:
    """Refuse a name that is too short, too long, badly formed or the house's own."""
    if len(name) < names.MIN_LENGTH:
        raise ValidationError(
            _("A name has at least %(count)s characters.") % {"count": names.MIN_LENGTH},
            code="name_short",
        )
    if len(name) > names.MAX_LENGTH:
        raise ValidationError(
            _("A name has at most %(count)s characters.") % {"count": names.MAX_LENGTH},
            code="name_long",
        )
    if not names.is_well_formed(name):
        raise ValidationError(
            _(
                "A name is made of letters and digits, with single hyphens, underscores "
                "or dots between them."
            ),
            code="name_characters",
        )
    if is_reserved(name):
        raise ValidationError(_("This name is reserved for the house."), code="name_reserved")


#: what players of this game think of first.
HOUSE_PASSWORDS = frozenset({"backgammon", "gammon", "pasch", "tavla", "doubling", "doublingcube"})


class CommonPasswordValidator(password_validation.CommonPasswordValidator):
    """Django's list of common passwords and this house's own, with or without figures behind."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError for a password on either list."""
        super().validate(password, user)
        if password.strip().lower().rstrip("0123456789!.?") in HOUSE_PASSWORDS:
            super().validate("password", user)
