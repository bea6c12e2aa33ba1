"""The account page."""

from typing import cast

from allauth.account.views import password_set as set_first_password
from allauth.mfa.utils import is_mfa_enabled
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import proof_check
from accounts.identity import NAME_WAIT, IdentityRefused, is_guarded, name_change, name_changes_from
from accounts.names import MAX_LENGTH
from accounts.providers.links import links_of
from accounts.scopes import USUAL, Scope
from accounts.tokens import NoBot, NoScope, TooManyTokens, token_make, token_revoke, tokens_of
from kit.requests import SignedInRequest
from kit.sentences import sentence


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
    except (NoScope, NoBot, TooManyTokens) as error:
        messages.error(request, sentence(error))
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


class NameForm(forms.Form):
    """A new name."""

    name = forms.CharField(
        label=gettext_lazy("New name"),
        max_length=MAX_LENGTH,
        help_text=gettext_lazy("Visible to everyone. Letters and digits, with - _ . in between."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def name(request: SignedInRequest) -> HttpResponse:
    """Change one's name, or show from when that is possible.

    Both need a password, a passkey or a second factor from the last minutes: people log in with
    their name, so a session that was left open must not change it.
    """
    proof_check(request)
    form = NameForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            name_change(user_id=request.user.pk, name=form.cleaned_data["name"])
        except IdentityRefused as error:
            form.add_error("name", sentence(error))
        else:
            messages.success(request, _("Your name is changed. Links with the old one lead here."))
            return redirect("account")
    context = {
        "form": form,
        "days": NAME_WAIT.days,
        "possible_from": name_changes_from(request.user),
        "is_guarded": is_guarded(request.user),
    }
    status = 400 if form.errors else 200
    return render(request, "accounts/name.html", context, status=status)
