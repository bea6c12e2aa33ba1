"""Guests: people without an account, who practise and do nothing else (docs/practice.md).

A guest is a row among the people, because he sits at a table, but he is no login: his session
names him under a key of its own. So `request.user` is nobody, and every page that asks who is
logged in takes him for a stranger without knowing of guests. Only what is for guests looks here.
"""

import secrets
from datetime import timedelta
from typing import Final, Protocol

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.throttle import Rate, network_of, take

SESSION_KEY: Final = "guest"

#: a guest is known for so long after he last began a game.
LIFETIME: Final = timedelta(days=1)

#: how many guests may come from one network, and to the house.
FROM_ONE_NETWORK: Final = Rate(20, 3600)
IN_ALL: Final = Rate(1_000, 3600)

#: names have as few digits as are free: so many are tried for each length.
DIGITS: Final = (4, 5, 6, 8, 10)
END_BATCH: Final = 500


class GuestsTooMany(Exception):
    """More guests have come than may come in an hour, from one network or in all."""

    code = "guests_too_many"


class Session(Protocol):
    """What is asked of a session, of a page as of a socket."""

    def get(self, key: str, /) -> object: ...


def guest_of(session: Session) -> User | None:
    """The guest that a session names, as long as he is one."""
    guest_id = session.get(SESSION_KEY)
    if not isinstance(guest_id, int):
        return None
    known = User.objects.filter(is_guest=True, is_active=True, pk=guest_id)
    return known.filter(last_login__gt=timezone.now() - LIFETIME).first()


def guest_begin(request: HttpRequest) -> User:
    """Make a guest and name him in the session, whose key changes. Raises `GuestsTooMany`."""
    network = network_of(request.META.get("REMOTE_ADDR", ""))
    if not take("guests", network, FROM_ONE_NETWORK) or not take("guests", "all", IN_ALL):
        raise GuestsTooMany("more guests have come than may come in an hour")
    guest = _made()
    request.session.cycle_key()
    request.session[SESSION_KEY] = guest.pk
    return guest


def guest_renew(guest: User) -> None:
    """The guest begins a game: he is known for another day."""
    guest.last_login = timezone.now()
    guest.save(update_fields=["last_login"])


def _made() -> User:
    """A guest with a name that nobody has; it has a space in it, so nobody can register it."""
    for digits in DIGITS:
        number = secrets.choice(range(10 ** (digits - 1), 10**digits))
        guest = User(username=_("Guest %(number)d") % {"number": number})
        guest.is_guest = True
        guest.last_login = timezone.now()
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save(force_insert=True)
        except IntegrityError:
            continue  # the name is taken
        return guest
    raise GuestsTooMany("no name was free")


def guests_end() -> int:
    """End the guests whose day is over; returns how many.

    Who never sat at a table is deleted. Events are kept for good and name who sat there, so whoever
    did is closed instead.
    """
    over = User.objects.filter(
        is_guest=True, is_active=True, last_login__lte=timezone.now() - LIFETIME
    )
    guests = list(over.order_by("last_login")[:END_BATCH])
    for guest in guests:
        try:
            with transaction.atomic():
                guest.delete()
        except ProtectedError:
            User.objects.filter(pk=guest.pk).update(is_active=False)
    return len(guests)
