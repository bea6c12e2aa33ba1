"""Limits on wrong passwords, counted so that strangers cannot use up a person's tries.

A browser from which the person has logged in (accounts/login_marks.py) has a count of its own. All
other browsers share three: one for the name and the network, one for the network, and one for the
name in total, which limits what many networks together can guess. A try is counted before the
password is checked and given back if it was right, so simultaneous tries cannot exceed the limit.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Final

from allauth.account.internal.userkit import filter_users_by_email
from django.http import HttpRequest

from accounts.login_marks import device_of
from accounts.models import User
from kit.throttle import Rate, count, network_of, uncount

KNOWN_BROWSER: Final = Rate(10, 600)
NAME_FROM_NETWORK: Final = Rate(5, 300)
NETWORK: Final = Rate(10, 60)
NAME: Final = (Rate(30, 3_600), Rate(120, 86_400))

Limit = tuple[str, str, Rate]


def try_count(request: HttpRequest, credentials: Mapping[str, str]) -> list[str] | None:
    """Count one try at these credentials; None if it is one too many, and then nothing is counted.

    The result is for `try_give_back`. Without Valkey there are no tries.
    """
    counted: list[str] = []
    for what, who, rate in _limits(request, credentials):
        key = count(what, who, rate)
        if key is None:
            try_give_back(counted)
            return None
        counted.append(key)
    return counted


def try_give_back(counted: list[str]) -> None:
    """The password was right: the try does not count."""
    for key in counted:
        uncount(key)


def _limits(request: HttpRequest, credentials: Mapping[str, str]) -> Iterator[Limit]:
    login = str(credentials.get("username") or credentials.get("email") or "").casefold()
    browsers = {person: _browser(request, person) for person in _people(login)}
    if browsers and None not in browsers.values():
        for person, browser in browsers.items():
            yield "login-known", f"{person}:{browser}", KNOWN_BROWSER
        return
    network = network_of(request.META.get("REMOTE_ADDR", ""))
    yield "login-network", network, NETWORK
    for name in map(str, browsers or [hashlib.sha256(login.encode()).hexdigest()]):
        yield "login-name-network", f"{name}:{network}", NAME_FROM_NETWORK
        for rate in NAME:
            yield f"login-name-{rate.seconds}", name, rate


def _browser(request: HttpRequest, person: int) -> str | None:
    """The proof that this browser is this person's: the session, or the cookie."""
    user = getattr(request, "user", None)
    if user is not None and user.pk == person:
        return f"session-{request.session.session_key}"
    return device_of(request, person)


def _people(login: str) -> list[int]:
    """The accounts whose password is looked at for this name or address; none for neither.

    An address belongs to the account that confirmed it, whichever others name it. An unconfirmed
    address belongs to all accounts that name it, and a try counts for each of them.
    """
    if not login or "\0" in login:
        return []
    owners = filter_users_by_email(login, prefer_verified=True, for_login=True)
    named = User.objects.filter(username__iexact=login).values_list("pk", flat=True)
    return sorted({*named, *(owner.pk for owner in owners)})
