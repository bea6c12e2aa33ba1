"""Mails to staff about what waits for a decision at the desk, in each person's language.

A mail goes out as soon as something with a deadline is new, ten minutes after the last one at the
earliest; otherwise once a day, while anything waits. It names no player and no amount.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Count, Max, Min
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.mails import full_address, mail_enqueue
from accounts.models import OutgoingMail, User
from accounts.roles import staff_members
from house.reader import house_now
from ledger.desk.registry import Pile, piles_of

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
            body=_body(person, found),
            about=ABOUT,
        )
    return True


def _body(person: User, found: list[WaitingPile]) -> str:
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
