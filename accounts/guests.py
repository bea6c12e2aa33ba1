"""Guests: people without an account, for practice and free games (docs/practice.md).

A guest is a user row, because a seat refers to a user, but is not logged in: the session has a key
of its own for the guest. So `request.user` is anonymous, and every page that checks the login
treats a guest as a stranger. Only code for guests uses this module.

A guest who registers keeps the row: it becomes the row of the account (`guest_for_account`).
"""

import secrets
from datetime import timedelta
from typing import Final, Protocol

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.crowds import CrowdDoor, door_pass
from accounts.models import User
from kit.throttle import Rate

SESSION_KEY: Final = "guest"

#: a guest expires this long after beginning their last game
LIFETIME: Final = timedelta(days=1)

#: so many guests come from one network, and to the house, without a proof.
GUESTS: Final = CrowdDoor("guests", Rate(20, 3_600), lambda: Rate(1_000, 3_600))

#: names have as few digits as are free: so many are tried for each length.
DIGITS: Final = (4, 5, 6, 8, 10)
END_BATCH: Final = 500


class GuestSession(Protocol):
    """The part of a session that pages and sockets have in common."""

    def get(self, key: str, /) -> object: ...


def guest_of(session: GuestSession) -> User | None:
    """The guest of a session, unless expired."""
    return None if session.get(SESSION_KEY) is None else _of_session(session).first()


def guest_for_account(session: GuestSession) -> User | None:
    """The guest of a session as the row of an account that is about to be saved; None without one.

    The row is locked until the end of the caller's transaction, so of two registrations, or of a
    registration and the guest's end, the second no longer finds a guest. The account begins now:
    its age does not include the guest's.
    """
    guest = _of_session(session).select_for_update(no_key=False).first()
    if guest is not None:
        guest.is_guest = False
        guest.date_joined = timezone.now()
    return guest


def _of_session(session: GuestSession) -> QuerySet[User]:
    guest_id = session.get(SESSION_KEY)
    if not isinstance(guest_id, int):
        return User.objects.none()
    known = User.objects.filter(is_guest=True, is_active=True, pk=guest_id)
    return known.filter(last_login__gt=timezone.now() - LIFETIME)


def person_of(request: HttpRequest) -> int | None:
    """The account or the guest who reads, by id; None for a stranger."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return int(user.pk)
    guest = guest_of(request.session) if hasattr(request, "session") else None
    return None if guest is None else guest.pk


def guest_begin(request: HttpRequest) -> User:
    """Create a guest and store it in the session, whose key changes. Raises `Crowded`."""
    door_pass(request, GUESTS)
    guest = _made()
    request.session.cycle_key()
    request.session[SESSION_KEY] = guest.pk
    return guest


def guest_renew(guest: User) -> None:
    """The guest begins a game and is kept for another day."""
    guest.last_login = timezone.now()
    guest.save(update_fields=["last_login"])


def _made() -> User:
    """A guest with an unused name; it contains a space, so it cannot be registered."""
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
    raise RuntimeError("no name was free among ten thousand millions")


def guests_end() -> int:
    """End the expired guests; return their number.

    Guests who never sat at a table are deleted. Events are kept forever and refer to the players,
    so the other guests are closed instead.
    """
    ids = list(_expired().order_by("last_login").values_list("pk", flat=True)[:END_BATCH])
    return sum(_guest_end(guest_id) for guest_id in ids)


def _expired() -> QuerySet[User]:
    over = timezone.now() - LIFETIME
    return User.objects.filter(is_guest=True, is_active=True, last_login__lte=over)


@transaction.atomic
def _guest_end(guest_id: int) -> bool:
    """End one guest, unless they have registered or begun a game meanwhile."""
    guest = _expired().select_for_update(no_key=False).filter(pk=guest_id).first()
    if guest is None:
        return False
    try:
        with transaction.atomic():
            guest.delete()
    except ProtectedError:
        guest.is_active = False
        guest.save(update_fields=["is_active"])
    return True
