"""The forms of the account page that make an account a bot's, and take that back within a day."""

from typing import Final

from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from accounts.presence import owner_is_present, proof_check
from accounts.tokens import StaffIsNoBot, StillAtStakes
from kit.requests import SignedInRequest
from ledger.errors import UndoOver
from ledger.services.bots import BOT_NO_MORE, bot_declare, bot_undo

#: what has to end before an account can become a bot's, by the reason of the refusal.
STILL_AT_STAKES: Final = {
    "table": gettext_lazy("You have an open table with a stake. Close it first."),
    "match": gettext_lazy("You have a running match with a stake. Finish it first."),
    "challenge": gettext_lazy(
        "A challenge with a stake waits for you or for its answer. It has to end first."
    ),
    "rematch": gettext_lazy("You have asked for a rematch with a stake. Leave that table first."),
    "payout": gettext_lazy("You have an open payout. It has to end first: bots have no payouts."),
    "credits": gettext_lazy(
        "You have credits that a bot could never have paid out. Ask for a payout first."
    ),
    "stake": gettext_lazy(
        "Credits of yours are still in a match or a payout. It has to end first."
    ),
}


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
        except StaffIsNoBot:
            messages.error(request, _("A staff account can’t become a bot account."))
        except StillAtStakes as error:
            messages.error(request, STILL_AT_STAKES[error.reason])
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
    except UndoOver:
        messages.error(request, _("This can no longer be undone."))
    else:
        messages.success(request, _(BOT_NO_MORE))
    return redirect("account")
