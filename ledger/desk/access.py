"""Access to the pages of the desk, and the age of the second factor."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from typing import Any, Final, cast

from allauth.account.authentication import get_authentication_records
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.access import staff_required
from kit.requests import SignedInRequest
from ledger.errors import SecondFactorStale
from ledger.services.decisions import second_factor_check

View = Callable[..., HttpResponse]

IDLE_SECONDS_MAX: Final = 15 * 60
"""After this time without a page of the desk the second factor is needed again."""

_SEEN: Final = "desk_seen_at"


def desk_page(permission: str) -> Callable[[View], View]:
    """Let only staff with this permission (``ledger.view_payout``) see a page; nothing is cached.

    A stranger is redirected to the login, staff without a second factor to its set-up, staff who
    were away for long to their second factor; everybody else gets 403.
    """

    def guard(view: View) -> View:
        @never_cache
        @staff_required
        @wraps(view)
        def guarded(request: SignedInRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.has_perm(permission):
                raise PermissionDenied
            if _was_away(request):
                return _asked_again(request)
            request.session[_SEEN] = int(time.time())
            return view(request, *args, **kwargs)

        cast("Any", guarded).desk_permission = permission  # read by the test
        return guarded

    return guard


def second_factor_at(request: SignedInRequest) -> datetime | None:
    """When the second factor was last shown in this session; None if it never was."""
    records = get_authentication_records(request, request.user)
    shown = [record["at"] for record in records if record.get("method") == "mfa"]
    return datetime.fromtimestamp(max(shown), UTC) if shown else None


def second_factor_is_fresh(request: SignedInRequest) -> bool:
    """Whether a decision about credits would take the second factor as it was last shown."""
    try:
        second_factor_check(second_factor_at(request))
    except SecondFactorStale:
        return False
    return True


def second_factor_ask(request: SignedInRequest, back: str) -> HttpResponse:
    """Send to show the second factor and then to `back`; to set one up where there is none."""
    if not is_mfa_enabled(request.user):
        messages.warning(request, _("This page needs a second factor. Set one up, then come back."))
        return redirect("mfa_index")
    messages.info(request, _("Confirm with your second factor; then decide."))
    return redirect(f"{reverse('mfa_reauthenticate')}?{urlencode({'next': resolve_url(back)})}")


def _was_away(request: SignedInRequest) -> bool:
    """Whether this person has been inactive for long: no page of the desk, no second factor."""
    if not (request.user.has_usable_password() or is_mfa_enabled(request.user)):
        return False  # no second factor is set up
    proofs = [record["at"] for record in get_authentication_records(request, request.user)]
    heard = max([request.session.get(_SEEN, 0), *proofs])
    return bool(time.time() - heard > IDLE_SECONDS_MAX)


def _asked_again(request: SignedInRequest) -> HttpResponse:
    """Ask for the second factor again; the current request is not carried out."""
    back = request.get_full_path() if request.method == "GET" else reverse("desk:overview")
    messages.info(request, _("You were inactive for a while. Confirm that it is you."))
    return redirect(f"{reverse('account_reauthenticate')}?{urlencode({'next': back})}")
