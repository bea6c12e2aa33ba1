"""Mails about roles and identities, and to staff about what waits, in each person's language.

The former go to the person and to all administrators. They are written in the transaction of the
decision, and sent after it (accounts/mails.py). The latter go out as soon as something with a
deadline is new, ten minutes after the last one at the earliest; otherwise once a day, while
anything waits. They name no player and no amount.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Count, Max, Min
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.decisions import RoleGrant
from accounts.mails import full_address, mail_enqueue
from accounts.models import OutgoingMail, User
from accounts.roles import Role, administrators, staff_members
from house.reader import house_now
from ledger.desk.registry import Pile, piles_of

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


ABOUT: Final = "desk"
PAUSE: Final = timedelta(minutes=10)
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class WaitingPile:
    """How many of a pile wait for a reader, and since when the oldest and the newest do."""

    pile: Pile
    number: int
    oldest: datetime
    newest: datetime


def digests_send() -> int:
    """Put a mail into the outbox for each of the staff whom something new waits for; how many."""
    people = staff_members().exclude(email="").values_list("pk", flat=True)
    return sum(_digest_send(pk) for pk in people)


def waiting_for(reader: User) -> Iterator[WaitingPile]:
    """The piles that wait for this person, by their rights."""
    for pile in piles_of(reader):
        rows, since = pile.rows(reader).order_by(), pile.since
        found = rows.aggregate(number=Count("pk"), oldest=Min(since), newest=Max(since))
        if found["number"]:
            yield WaitingPile(pile, **found)


@transaction.atomic
def _digest_send(user_id: int) -> bool:
    """Write to one person, if it is time to. Two calls at once write one mail."""
    free = User.objects.select_for_update(no_key=True, skip_locked=True)
    person = free.filter(pk=user_id).first()
    if person is None:
        return False
    earlier = OutgoingMail.objects.filter(about=ABOUT, to=person.email).order_by("-created_at")
    last = earlier.values_list("created_at", flat=True).first()
    now = timezone.now()
    if last is not None and now - last < PAUSE:
        return False
    found = list(waiting_for(person))
    news = any(not last or each.newest > last for each in found)
    if not found or not (news or last is None or now - last >= DAY):
        return False
    with translation.override(house_now().language(person.language)):
        mail_enqueue(
            to=person.email,
            subject=_("Something waits at the desk"),
            body=_digest_body(person, found),
            about=ABOUT,
        )
    return True


def _digest_body(person: User, found: list[WaitingPile]) -> str:
    greeting = _("Hello %(name)s,") % {"name": person.get_username()}
    lines = [
        _("%(what)s: %(number)s, the oldest since %(time)s UTC: %(place)s")
        % {
            "what": each.pile.words,
            "number": each.number,
            "time": f"{each.oldest:%Y-%m-%d %H:%M}",
            "place": full_address(reverse(each.pile.page)),
        }
        for each in found
    ]
    news = _("a decision is waited for at the desk:")
    return "\n\n".join((greeting, news, "\n".join(lines))) + "\n"
