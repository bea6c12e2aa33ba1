"""Mails about roles and identities: to the person and to all administrators, in their languages.

They are written in the transaction of the decision, and sent after it (accounts/mails.py).
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.decisions import RoleGrant
from accounts.mails import mail_enqueue
from accounts.models import User
from accounts.roles import Role, administrators
from house.reader import house_now

FORMER_ADMINISTRATORS: Final = timedelta(days=7)
"""How long former administrators still get the notices: the dismissal may be the attack."""

NEWS: Final[Mapping[str, str | Promise]] = {
    "role.ask": gettext_lazy(
        "%(actor)s wants to give %(person)s a role: %(change)s. It takes effect when a second"
        " administrator confirms it, or else at %(time)s UTC. Until then any administrator can stop"
        " it at the desk, on the page of roles."
    ),
    "role.change": gettext_lazy(
        "%(actor)s changed the role of %(person)s. The role is now: %(change)s."
    ),
    "role.stop": gettext_lazy(
        "%(actor)s stopped the role that %(person)s was waiting for: %(change)s."
    ),
    "identity.ask": gettext_lazy(
        "%(actor)s wants to change the account of %(person)s: %(change)s. It takes effect when a"
        " second administrator confirms it, or else at %(time)s UTC. Until then any administrator"
        " can stop it at the desk, on the page of roles."
    ),
    "identity.done": gettext_lazy("%(actor)s changed the account of %(person)s: %(change)s."),
    "identity.stop": gettext_lazy(
        "%(actor)s stopped a change of the account of %(person)s: %(change)s."
    ),
}


def notice(
    what: str,
    *,
    person: User,
    actor: User,
    change: str | Promise,
    reason: str,
    at: datetime | None = None,
    addresses: Iterable[str] = (),
) -> None:
    """Write a mail about a decision to the person, to administrators and to `addresses`.

    `what` is a name in `NEWS`, `change` what is decided in words, `at` when it takes effect.
    """
    readers = dict.fromkeys((*addresses_of(person), *addresses), person)
    for reader in _administrators_told():
        readers.setdefault(reader.email, reader)
    for address, reader in readers.items():
        if not address:
            continue
        with translation.override(house_now().language(reader.language)):
            values = {
                "actor": actor.get_username(),
                "person": person.get_username(),
                "change": str(change) if change else _("none"),
                "time": f"{at:%Y-%m-%d %H:%M}" if at else "",
            }
            mail_enqueue(
                to=address,
                subject=_("The account of %(person)s") % values,
                body=_body(reader, str(NEWS[what]) % values, reason),
                about=f"user:{person.pk}",
            )


def addresses_of(person: User) -> list[str]:
    """Every mail address of a person, verified or not."""
    more = EmailAddress.objects.filter(user=person).values_list("email", flat=True)
    return list(dict.fromkeys(address for address in (person.email, *more) if address))


def _administrators_told() -> list[User]:
    since = timezone.now() - FORMER_ADMINISTRATORS
    former = RoleGrant.objects.filter(
        role=Role.ADMINISTRATOR.value, effective_at__isnull=False, ended_at__gt=since
    ).select_related("person")
    return [*administrators(), *(grant.person for grant in former)]


def _body(reader: User, news: str, reason: str) -> str:
    greeting = _("Hello %(name)s,") % {"name": reader.get_username()}
    why = _("Reason: %(reason)s") % {"reason": reason}
    alarm = _("If this should not be, write to the other administrators or the operator at once.")
    return f"{greeting}\n\n{news}\n{why}\n\n{alarm}\n"
