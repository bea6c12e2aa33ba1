"""The forms of the account page that make an account a bot's, and take that back within a day."""

from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.access import owner_is_present, proof_check
from accounts.tokens import StaffIsNoBot, StillAtStakes
from kit.requests import SignedInRequest
from kit.sentences import sentence
from ledger.errors import UndoOver
from ledger.services.bots import BOT_NO_MORE, bot_declare, bot_undo


@login_required
@require_POST
def account_bot(request: SignedInRequest) -> HttpResponse:
    """Make one's account a bot's, once that is confirmed. It asks for a fresh proof."""
    proof_check(request)
    if request.POST.get("confirm") != "yes":
        messages.error(request, _("Tick the box first."))
    else:
        try:
            bot_declare(request.user)
        except (StaffIsNoBot, StillAtStakes) as error:
            messages.error(request, sentence(error))
    return redirect("account")


@login_required
@require_POST
def account_bot_undo(request: SignedInRequest) -> HttpResponse:
    """Make one's account a person's again: with the second factor, where there is one."""
    if is_mfa_enabled(request.user) and not owner_is_present(request):
        messages.info(request, _("Confirm with your second factor, then undo it."))
        return redirect(
            f"{reverse('mfa_reauthenticate')}?{urlencode({'next': reverse('account')})}"
        )
    proof_check(request)
    try:
        bot_undo(request.user)
    except UndoOver as error:
        messages.error(request, sentence(error))
    else:
        messages.success(request, _(BOT_NO_MORE))
    return redirect("account")
