"""The page on which people delete their account, and the one on which they keep it after all."""

from typing import Final

from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import proof_check
from accounts.deletions import DELETION_WAIT, deletion_of_token, keep_token
from accounts.models import User
from games.kinds import kind_of
from games.services.chat_reports import KEPT_FOR
from kit.requests import SignedInRequest
from ledger.selectors_player import payable
from pasch.deletion import DeletionRefused, Obstacle, deletion_ask, deletion_keep, obstacles

#: what to say about an obstacle, and the page on which it can be removed.
SAID: Final[dict[str, tuple[str | Promise, str]]] = {
    Obstacle.STAFF: (
        gettext_lazy(
            "You work for the house, or did until a few days ago. An administrator has to end your"
            " role first; seven days later you can delete the account."
        ),
        "",
    ),
    Obstacle.PAYOUT: (
        gettext_lazy("A payout is not finished yet. Wait for it, or cancel it."),
        "wallet_payouts",
    ),
    Obstacle.FROZEN: (
        gettext_lazy("Your wallet is frozen while something is looked into. Write to us."),
        "contact",
    ),
    Obstacle.CASE: (
        gettext_lazy("A decision about your account or your credits waits. Write to us."),
        "contact",
    ),
    Obstacle.CREDITS: (
        gettext_lazy("You have credits that can be paid out. Ask for a payout first."),
        "wallet_payouts",
    ),
    Obstacle.OFTEN: (
        gettext_lazy("You have asked for this three times today. Ask again tomorrow."),
        "",
    ),
    Obstacle.GIVE_UP: (
        gettext_lazy("Your credits have changed meanwhile. Look at the amount again."),
        "",
    ),
    Obstacle.CHANGED: (gettext_lazy("Something has changed meanwhile. Look again."), ""),
    Obstacle.BUSY: (gettext_lazy("One of your tables is busy. Try again in a moment."), ""),
}


def _said(obstacle: str) -> tuple[str | Promise, str]:
    table = kind_of(obstacle)
    return SAID[obstacle] if table is None else (table.holds_words, table.holds_page)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def account_delete(request: SignedInRequest) -> HttpResponse:
    """Say what goes and what stays, or what stands in the way; a POST closes the account.

    Both need a password, a passkey or a second factor from the last minutes.
    """
    if request.user.is_guest:
        raise PermissionDenied
    proof_check(request)
    return _delete(request) if request.method == "POST" else _page(request)


def _delete(request: SignedInRequest) -> HttpResponse:
    wallet = payable(request.user.pk)
    if request.POST.get("confirm") != "yes":
        return _page(request, _("Tick the box first."))
    if request.POST.get("give_up", "0") != str(wallet.balance_cents):
        unticked = "give_up" not in request.POST
        refusal = _("Tick that you give the credits up.") if unticked else ""
        return _page(request, refusal or str(SAID[Obstacle.GIVE_UP][0]))
    try:
        deletion = deletion_ask(
            user_id=request.user.pk,
            given_up_cents=wallet.balance_cents,
            keep_url=lambda token: request.build_absolute_uri(
                reverse("account_keep", args=[token])
            ),
        )
    except DeletionRefused as refused:
        return _page(request, str(_said(refused.obstacle)[0]))
    logout(request)
    return redirect("account_keep", keep_token(deletion))


def _page(request: SignedInRequest, error: str = "") -> HttpResponse:
    context = {
        "error": error,
        "obstacles": [_said(each) for each in obstacles(request.user)],
        "wallet": payable(request.user.pk),
        "days": DELETION_WAIT.days,
        "chat_days": KEPT_FOR.days,
    }
    status = 409 if error else 200
    return render(request, "pasch/account_delete.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def account_keep(request: HttpRequest, token: str) -> HttpResponse:
    """Show a closed account that will be deleted; a POST opens it again. It is no login.

    The signed text comes with the mail about the request, and after the right password; an account
    with a second factor asks for a code of it too.
    """
    deletion = deletion_of_token(token)
    if deletion is None:
        raise Http404
    form = _code_form(deletion.user, request)
    allowed = form is None or form.is_valid()
    if request.method == "POST" and allowed and deletion_keep(deletion_id=deletion.pk):
        messages.success(request, _("Your account is open again. Log in as before."))
        return redirect("account_login")
    deletion.refresh_from_db()
    return render(request, "pasch/account_keep.html", {"deletion": deletion, "form": form})


def _code_form(owner: User, request: HttpRequest) -> AuthenticateForm | None:
    """The field for a code of the owner's second factor; None where there is none."""
    if not is_mfa_enabled(owner):
        return None
    return AuthenticateForm(request.POST if request.method == "POST" else None, user=owner)
