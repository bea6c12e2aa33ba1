"""The calendar address of a person: a signed text that programs without a login can use.

The text has the person's number and a serial by chance; nobody can make one without the house's
key. Nothing in the database opens a calendar alone. A new serial ends the old address.
"""

import secrets
from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import models
from django.utils import timezone

_SERIAL_BITS: Final = 62


class CalendarFeed(models.Model):
    """A person has a calendar address; `serial` is a part of it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, primary_key=True, related_name="+"
    )
    serial = models.BigIntegerField()
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"calendar of {self.user_id}"

    @property
    def token(self) -> str:
        """The signed text."""
        return _signer().sign(f"{self.user_id}.{self.serial}")


def feed_of(user_id: int) -> CalendarFeed | None:
    """The calendar address of a person, if they have one."""
    return CalendarFeed.objects.filter(user=user_id).first()


def feed_renew(user_id: int) -> CalendarFeed:
    """Give a person a calendar address; an earlier one no longer works."""
    now = {"serial": secrets.randbits(_SERIAL_BITS), "made_at": timezone.now()}
    return CalendarFeed.objects.update_or_create(user_id=user_id, defaults=now)[0]


def feed_end(user_id: int) -> None:
    """End a person's calendar address."""
    CalendarFeed.objects.filter(user=user_id).delete()


def feed_at(token: str) -> CalendarFeed | None:
    """The calendar, with its person, at this text; None if it ended or the account is closed."""
    try:
        user_id, _dot, serial = _signer().unsign(token).partition(".")
    except BadSignature:
        return None
    found = CalendarFeed.objects.select_related("user")
    return found.filter(user=int(user_id), serial=int(serial), user__is_active=True).first()


def _signer() -> Signer:
    return Signer(salt="accounts.calendar", sep=".")
