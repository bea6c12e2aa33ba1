"""Django's face of accounts/names.py: validators with sentences that say what to mend."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts import names


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
    if names.is_reserved(name):
        raise ValidationError(_("This name is reserved for the house."), code="name_reserved")
