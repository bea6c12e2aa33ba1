"""Proofs that a person is present, beside passwords, passkeys and second factors."""

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.providers.links import providers_open


def more_proofs(user: User, *, has_some: bool) -> list[dict[str, str]]:
    """Return what proves that a person is present beside allauth's own ways.

    A new login at each linked provider; a link by mail for those who have nothing else.
    """
    ways = [
        {
            "id": f"provider_{provider.id}",
            "description": _("Confirm with %(provider)s") % {"provider": provider.name},
            "url": reverse("provider_confirm", args=[provider.id]),
        }
        for provider in (() if user.is_staff else providers_open(user))
    ]
    by_mail = {"id": "reset", "description": "", "url": reverse("account_reset_password")}
    return ways if ways or has_some else [by_mail]
