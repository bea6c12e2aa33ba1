"""The account page."""

from typing import cast

from allauth.account.views import password_set as set_first_password
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.presence import proof_check
from accounts.providers.links import links_of
from accounts.scopes import USUAL, Scope
from accounts.tokens import (
    NoBot,
    NoScope,
    TooManyTokens,
    token_make,
    token_revoke,
    tokens_of,
)
from kit.requests import SignedInRequest


@login_required
@require_safe
def account(request: SignedInRequest) -> HttpResponse:
    """Show one's account."""
    return _account(request)


def _account(request: SignedInRequest, **more: object) -> HttpResponse:
    context = {
        "second_factor": is_mfa_enabled(request.user),
        "has_password": request.user.has_usable_password(),
        "linkable": bool(settings.LOGIN_PROVIDERS or links_of(request.user)),
        "tokens": tokens_of(request.user),
        "scopes": [(scope, scope.label, scope in USUAL) for scope in Scope],
        **more,
    }
    return render(request, "accounts/account.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def password_set(request: SignedInRequest) -> HttpResponse:
    """Set a first password. It asks for a fresh proof, as there is no old password to show."""
    if not request.user.has_usable_password():
        proof_check(request)
    return cast(HttpResponse, set_first_password(request))


@login_required
@require_POST
def token_new(request: SignedInRequest) -> HttpResponse:
    """Make a token and show it, once and never again. It asks for a fresh proof."""
    proof_check(request)
    name = request.POST.get("name", "")[:40].replace("\x00", "")
    try:
        token = token_make(request.user, name, scopes=request.POST.getlist("scopes"))
    except NoScope:
        messages.error(request, _("Choose what the token may be used for."))
        return redirect("account")
    except (NoBot, TooManyTokens):
        messages.error(request, _("This account can have no more tokens."))
        return redirect("account")
    response = _account(request, new_token=token)
    response["Cache-Control"] = "no-store"
    return response


@login_required
@require_POST
def token_end(request: SignedInRequest, token_id: int) -> HttpResponse:
    """Revoke a token of one's own."""
    if token_revoke(request.user, token_id):
        messages.success(request, _("The token is revoked."))
    return redirect("account")
