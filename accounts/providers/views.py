"""To a provider and back, and the page of the links.

The way out is a page that leads on by itself, not a redirect: the policy of the site lets forms
lead nowhere else, and browsers hold a redirect after a form to it.
"""

import time
from typing import Any, Final

from allauth.account.utils import get_next_redirect_url
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from requests import RequestException

from accounts.access import proof_check
from accounts.providers.adapter import CONFIRM, failure_text, is_away
from accounts.providers.links import (
    LastWayIn,
    link_end,
    links_of,
    name_of,
    provider_of,
    providers_open,
)
from accounts.providers.provider import Exchange, HouseProvider, label_of
from kit.requests import SignedInRequest
from kit.sentences import sentence
from kit.throttle import Rate, network_of, take

#: each asks the provider, and stores a state in the session.
BEGUN: Final = Rate(60, 60)


@never_cache
@require_POST
def begin(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Send a visitor to the provider."""
    provider = _provider(request, provider_id)
    if request.user.is_authenticated:
        return redirect("socialaccount_connections")
    return _leave(request, provider, "account_login", process=AuthProcess.LOGIN)


@never_cache
@login_required
@require_POST
def link(request: SignedInRequest, provider_id: str) -> HttpResponse:
    """Send a person to the provider whose login is to open this account, too."""
    provider = _provider(request, provider_id)
    proof_check(request)
    return _leave(request, provider, "socialaccount_connections", process=AuthProcess.CONNECT)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: SignedInRequest, provider_id: str) -> HttpResponse:
    """Ask a person to log in at the provider again, as a proof of presence; never the staff."""
    provider = _provider(request, provider_id)
    if request.user.is_staff or provider_of(provider_id) not in providers_open(request.user):
        raise Http404
    if request.method != "POST":
        shown = {"provider": provider, "next": get_next_redirect_url(request)}
        return render(request, "accounts/provider_confirm.html", shown)
    return _leave(
        request,
        provider,
        "account",
        process=AuthProcess.REDIRECT,
        data={CONFIRM: time.time()},
        auth_params={"prompt": "login", "max_age": "0"},
    )


@never_cache
@require_safe
def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Take what the provider sends back."""
    _provider(request, provider_id)
    response: HttpResponse = OAuth2CallbackView.adapter_view(Exchange(request, provider_id))(
        request
    )
    return response


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def links(request: SignedInRequest) -> HttpResponse:
    """Show with which providers the reader logs in; a POST ends one link."""
    known = links_of(request.user)
    if not (known or settings.LOGIN_PROVIDERS):
        raise Http404
    if request.method == "POST":
        proof_check(request)
        _end(request)
        return redirect("socialaccount_connections")
    context = {
        "links": [
            {"id": each.pk, "name": name_of(each.provider), "label": label_of(each), "row": each}
            for each in known
        ],
        "linked": {each.provider for each in known},
        "has_password": request.user.has_usable_password(),
    }
    return render(request, "accounts/links.html", context)


def _end(request: SignedInRequest) -> None:
    number = request.POST.get("link", "")
    try:
        ended = link_end(request, request.user, int(number) if number.isdecimal() else 0)
    except LastWayIn as error:
        messages.error(request, sentence(error))
        return
    if ended is not None:
        said = _("You no longer log in with %(provider)s.") % {"provider": name_of(ended.provider)}
        messages.success(request, said)


def _provider(request: HttpRequest, provider_id: str) -> HouseProvider:
    if provider_of(provider_id) is None:
        raise Http404
    found: HouseProvider = get_adapter().get_provider(request, provider_id)
    return found


def _leave(request: HttpRequest, provider: HouseProvider, back: str, **how: Any) -> HttpResponse:
    """Lead on to the provider; where it does not answer, say so and go back."""
    network = network_of(request.META.get("REMOTE_ADDR", ""))
    if not take("provider", network, BEGUN):
        messages.error(request, _("Too many tries. Please wait a minute."))
        return redirect(back)
    try:
        away = provider.redirect(request, next_url=get_next_redirect_url(request), **how)
    except (OAuth2Error, RequestException) as error:
        messages.error(request, failure_text("away" if is_away(error) else "wrong", provider.name))
        return redirect(back)
    return render(request, "accounts/provider_leave.html", {"provider": provider, "to": away.url})
