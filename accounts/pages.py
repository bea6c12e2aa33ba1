"""The account page, and the two switches that stand on every page: theme and language."""

from typing import Final

from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language

from accounts.context import THEME_COOKIE
from accounts.forms import PreferencesForm
from accounts.models import Language, Theme
from accounts.requests import SignedInRequest
from accounts.scopes import USUAL, Scope
from accounts.services import preferences_save
from accounts.tokens import (
    NoBot,
    NoScope,
    StaffIsNoBot,
    StillAtStakes,
    TooManyTokens,
    bot_become,
    token_make,
    token_revoke,
    tokens_of,
)

YEAR_SECONDS = 365 * 24 * 60 * 60

#: what has to end before an account can become a bot's, by the reason of the refusal.
STILL_AT_STAKES: Final = {
    "table": gettext_lazy("You have an open table with a stake. Close it first."),
    "match": gettext_lazy("You have a running match with a stake. Finish it first."),
    "challenge": gettext_lazy(
        "A challenge with a stake waits for you or for its answer. It has to end first."
    ),
    "rematch": gettext_lazy("You have asked for a rematch with a stake. Leave that table first."),
    "payout": gettext_lazy("You have an open payout. It has to end first: bots have no payouts."),
    "stake": gettext_lazy(
        "Credits of yours are still in a match or a payout. It has to end first."
    ),
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: SignedInRequest) -> HttpResponse:
    """Show one's account and keep its language and theme."""
    form = PreferencesForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        preferences_save(request.user, **form.cleaned_data)
        with override(request.user.language or None):
            messages.success(request, _("Saved."))
        response = redirect("account")
        _remember_theme(request, response, request.user.theme)
        return response
    return _account(request, form=form)


def _account(request: SignedInRequest, **more: object) -> HttpResponse:
    context = {
        "form": PreferencesForm(instance=request.user),
        "second_factor": is_mfa_enabled(request.user),
        "tokens": tokens_of(request.user),
        "scopes": [(scope, scope.label, scope in USUAL) for scope in Scope],
        **more,
    }
    return render(request, "accounts/account.html", context)


@login_required
@require_POST
def account_bot(request: SignedInRequest) -> HttpResponse:
    """Make one's account a bot's, once that is confirmed; for good."""
    if request.POST.get("confirm") != "yes":
        messages.error(request, _("Tick the box first: this cannot be taken back."))
    else:
        try:
            bot_become(request.user)
        except StaffIsNoBot:
            messages.error(request, _("An account of the staff cannot become a bot's."))
        except StillAtStakes as error:
            messages.error(request, STILL_AT_STAKES[error.reason])
    return redirect("account")


@login_required
@require_POST
def token_new(request: SignedInRequest) -> HttpResponse:
    """Make a token and show it, once and never again."""
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


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep the theme the reader chose, on the device and with the account, and go back."""
    response = HttpResponseRedirect(_back(request))
    chosen = request.POST.get("theme", "")
    if chosen in Theme.values:
        _remember_theme(request, response, chosen)
        if request.user.is_authenticated:
            preferences_save(request.user, theme=chosen)
    return response


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Keep the language the reader chose, on the device and with the account, and go back."""
    chosen = request.POST.get("language", "")
    if chosen in Language.values and request.user.is_authenticated:
        preferences_save(request.user, language=chosen)
    return set_language(request)


def _remember_theme(request: HttpRequest, response: HttpResponse, chosen: str) -> None:
    if not chosen:
        response.delete_cookie(THEME_COOKIE, samesite="Lax")
        return
    response.set_cookie(
        THEME_COOKIE,
        chosen,
        max_age=YEAR_SECONDS,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def _back(request: HttpRequest) -> str:
    """Return the address in the form's `next` when it is one of ours, else the home page."""
    address = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return address
    return "/"
