"""Marks that logins leave: the browser and the network, as keyed hashes, to find linked accounts.

Two accounts are linked if both have logged in from one browser within `KEPT`, or from one network
within `NEAR`. Networks of many people (mobile providers, schools, clubs) link nobody, and private
addresses leave no mark. People who live together can be confirmed as such (`Acquaintance`).

The hashes are keyed with the secret of this house, so a reader of the database alone cannot try
addresses out.
"""

import ipaddress
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.core import signing
from django.db import models
from django.db.models import Count, F, Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from kit.throttle import network_of

KEPT: Final = timedelta(days=90)
"""A mark is deleted so long after its last login."""

NEAR: Final = timedelta(days=1)
"""Logins from one network count if the times in which the accounts used it lie so near."""

CROWD: Final = 8
SETTLED: Final = timedelta(days=14)
"""A network that more than `CROWD` accounts of this age have used within `KEPT` links nobody.

Younger accounts do not count, or somebody could register some more to hide two among them.
"""

_PERSON: Final = settings.AUTH_USER_MODEL


class MarkKind(models.TextChoices):
    """The subject of a mark."""

    BROWSER = "browser", _("the same browser")
    NETWORK = "network", _("the same network")


class LoginMark(models.Model):
    """One browser or network of an account, with its first and last login."""

    user = models.ForeignKey(
        _PERSON, on_delete=models.PROTECT, related_name="login_marks", db_index=False
    )
    kind = models.CharField(max_length=8, choices=MarkKind.choices)
    key = models.CharField(max_length=64)
    first_at = models.DateTimeField(default=timezone.now)
    last_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "kind", "key"], name="login_mark_once"),
        )
        indexes = (
            models.Index(fields=["key", "kind"], name="login_mark_by_key"),
            models.Index(fields=["last_at"], name="login_mark_by_age"),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.user_id}"


class Acquaintance(models.Model):
    """Two linked accounts that belong to two people, as a moderator has confirmed."""

    one = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    confirmed_by = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    confirmed_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="acquaintance_of_two"),
            models.UniqueConstraint(
                fields=["one", "other"],
                condition=Q(ended_at__isnull=True),
                name="acquaintance_once",
            ),
        )

    def __str__(self) -> str:
        return f"{self.one_id} and {self.other_id} are two people"


@dataclass(frozen=True, slots=True)
class Link:
    """Another account with a mark in common: which kind, and the last login with it."""

    user_id: int
    kind: MarkKind
    last_at: datetime
    confirmed: bool = False


def marks_note(user_id: int, *, browser: str, address: str) -> None:
    """Store from which browser and network an account has logged in just now.

    `browser` is the random name in the browser's cookie, `address` an IP address; "" leaves out.
    """
    found = {MarkKind.BROWSER: browser, MarkKind.NETWORK: _network(address)}
    for kind, value in found.items():
        if value:
            LoginMark.objects.update_or_create(
                user_id=user_id,
                kind=kind,
                key=salted_hmac(f"pasch.mark.{kind}", value, algorithm="sha256").hexdigest(),
                defaults={"last_at": timezone.now()},
            )


def marks_forget() -> int:
    """Delete the marks whose time is over; return how many."""
    return LoginMark.objects.filter(last_at__lt=timezone.now() - KEPT).delete()[0]


def are_linked(one_id: int, other_id: int) -> bool:
    """Whether two accounts are linked and nobody has confirmed that they are two people."""
    return any(
        link.user_id == other_id and not link.confirmed for link in links_of(one_id, {other_id})
    )


def links_of(user_id: int, others: Iterable[int] | None = None) -> list[Link]:
    """The accounts linked to this one (of `others` alone, if given), the last login first.

    An account with both a browser and a network in common is listed with the browser.
    """
    lately = LoginMark.objects.filter(last_at__gte=timezone.now() - KEPT)
    mine = {mark.key: mark for mark in lately.filter(user=user_id)}
    theirs = lately.filter(key__in=_telling(mine.values())).exclude(user=user_id)
    if others is not None:
        theirs = theirs.filter(user__in=list(others))
    known = acquainted(user_id)
    found: dict[int, Link] = {}
    for other in theirs.order_by("kind", "-last_at"):  # browsers first
        mark = mine[other.key]
        if mark.kind == MarkKind.BROWSER or _near(mark, other):
            link = Link(
                user_id=other.user_id,
                kind=MarkKind(mark.kind),
                last_at=max(mark.last_at, other.last_at),
                confirmed=other.user_id in known,
            )
            found.setdefault(other.user_id, link)
    return sorted(found.values(), key=lambda link: link.last_at, reverse=True)


def acquainted(user_id: int) -> set[int]:
    """The accounts that are confirmed to belong to other people than this one."""
    rows = Acquaintance.objects.filter(
        Q(one=user_id) | Q(other=user_id), ended_at__isnull=True
    ).values_list("one_id", "other_id")
    return {one if other == user_id else other for one, other in rows}


def _telling(marks: Iterable[LoginMark]) -> list[str]:
    """The keys of browsers, and of networks that are not those of a crowd."""
    kinds, now = {mark.key: mark.kind for mark in marks}, timezone.now()
    settled = LoginMark.objects.filter(
        key__in=kinds, last_at__gte=now - KEPT, user__date_joined__lt=now - SETTLED
    )
    people = settled.values("key").annotate(people=Count("user"))
    crowds = {row["key"] for row in people if row["people"] > CROWD}
    return [key for key, kind in kinds.items() if kind == MarkKind.BROWSER or key not in crowds]


def _near(mark: LoginMark, other: LoginMark) -> bool:
    """Whether the times in which two accounts used a network lie near each other."""
    apart = max(mark.first_at, other.first_at) - min(mark.last_at, other.last_at)
    return bool(apart <= NEAR)


def _network(address: str) -> str:
    """The network of an address of the internet; "" for others, which may stand for a proxy."""
    try:
        is_global = ipaddress.ip_address(address).is_global
    except ValueError:
        return ""
    return network_of(address) if is_global else ""


SALT: Final = "pasch.device"
YEAR_SECONDS: Final = 365 * 24 * 60 * 60
#: the number of people stored per browser; the one with the oldest login is dropped first
PEOPLE_MAX: Final = 5
BROWSER: Final = "browser"
"""The entry with the browser's own name."""


def device_of(request: HttpRequest, user_id: int) -> str | None:
    """The name of this browser for this person; None if they never logged in from here."""
    return _known(request).get(str(user_id))


def device_learn(request: HttpRequest, user_id: int) -> None:
    """Store this person in the browser's cookie with the response to this request, and the marks
    of this login in the database."""
    browser = _known(request).get(BROWSER) or secrets.token_urlsafe(12)
    request._device = user_id, browser  # type: ignore[attr-defined] # DeviceMiddleware reads it
    marks_note(user_id, browser=browser, address=request.META.get("REMOTE_ADDR", ""))


def device_cookie_set(request: HttpRequest, response: HttpResponse) -> None:
    """Send the cookie where this request has taught us something."""
    learnt = getattr(request, "_device", None)
    if learnt is None:
        return
    user_id, browser = learnt
    known = _known(request)
    known.pop(BROWSER, None)
    name = known.pop(str(user_id), None) or secrets.token_urlsafe(12)
    kept = dict(list(known.items())[1 - PEOPLE_MAX :])
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        signing.dumps({BROWSER: browser, **kept, str(user_id): name}, salt=SALT),
        max_age=YEAR_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _known(request: HttpRequest) -> dict[str, str]:
    """People by id, each with the name of this browser; the one who logged in last stands last."""
    value = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    try:
        known: Any = signing.loads(value, salt=SALT, max_age=YEAR_SECONDS)
    except signing.BadSignature:
        return {}
    return known if isinstance(known, dict) else {}
