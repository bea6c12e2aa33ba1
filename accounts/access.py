"""Access to the administrators' desk: staff, with a second factor.

`STAFF_SECOND_FACTOR` (on unless the settings turn it off) requires of every member of the staff a
second factor; without one there is no page of the desk, only the way to set one up.
"""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeGuard

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
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
