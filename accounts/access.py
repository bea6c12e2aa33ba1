"""Access to the administrators' desk, and to what takes a fresh proof of presence.

`STAFF_SECOND_FACTOR` (on unless the settings turn it off) requires of every member of the staff a
second factor; without one there is no page of the desk, only the way to set one up.

And the last proof that the logged-in person is present: password, passkey or second factor. A new
login at a linked provider (accounts/providers) is one for people outside of the staff; the login
with which a session has begun there is none, as a provider may still remember its user.
"""

import logging
from collections.abc import Callable, Set
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Any, Final, TypeGuard

from allauth.account.authentication import get_authentication_records
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User

logger = logging.getLogger("security")

View = Callable[..., HttpResponse]


def is_staff(user: User | AnonymousUser) -> TypeGuard[User]:
    """Whether the account is an active one of the staff, however it logged in."""
    return user.is_active and user.is_staff


def has_second_factor(user: User) -> bool:
    """Whether a second factor is set up, or none is required."""
    return not getattr(settings, "STAFF_SECOND_FACTOR", True) or is_mfa_enabled(user)


def may_administer(user: User | AnonymousUser) -> TypeGuard[User]:
    """Whether a person may use the administrators' pages."""
    return is_staff(user) and has_second_factor(user)


def staff_required(view: View) -> View:
    """Let only administrators see a page; others are sent to log in, to set up, or away."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if may_administer(request.user):
            return view(request, *args, **kwargs)
        return turned_away(request)

    return guarded


def turned_away(request: HttpRequest) -> HttpResponseRedirect:
    """Answer who may not administer with what is missing; PermissionDenied if nothing helps."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if not is_staff(request.user):
        raise PermissionDenied
    logger.warning("second factor missing", extra={"event": {"event": "second_factor_missing"}})
    messages.warning(request, _("Administrators need a second factor. Set one up, then come back."))
    return redirect("mfa_activate_totp")


_FACTOR: Final = frozenset({"mfa"})
_PROOFS: Final = frozenset({"password", "provider"}) | _FACTOR


def proved_at(request: Any, proofs: Set[str] = _PROOFS) -> datetime | None:
    """When the person of this session last gave one of these proofs.

    None where they never did in this session, and for a request that came in with a token.
    `request` is Django's or that of the REST framework.
    """
    if request.headers.get("Authorization"):
        return None
    if request.user.is_staff:
        proofs = proofs - {"provider"}
    records = get_authentication_records(request, request.user)
    shown = [record["at"] for record in records if record.get("method") in proofs]
    return datetime.fromtimestamp(max(shown), UTC) if shown else None


def proof_check(request: Any) -> None:
    """Do nothing if `proof_is_fresh`.

    Raises `ReauthenticationRequired`: the page then requires one, and the request goes on.
    """
    if not proof_is_fresh(request):
        raise ReauthenticationRequired


def owner_is_present(request: Any) -> bool:
    """Return True if the proof is fresh, and of the second factor where there is one."""
    return proof_is_fresh(request, _FACTOR if is_mfa_enabled(request.user) else _PROOFS)


def proof_is_fresh(request: Any, proofs: Set[str] = _PROOFS) -> bool:
    """Whether this session has a proof from the last `ACCOUNT_REAUTHENTICATION_TIMEOUT`."""
    proof = proved_at(request, proofs)
    seconds = settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    return proof is not None and timezone.now() - proof <= timedelta(seconds=seconds)
