"""Carrying out decisions of the desk, and showing the result in the reader's language."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from fairplay.errors import FairPlayError
from games.table.errors import TableError
from kit.requests import SignedInRequest
from ledger.errors import (
    InsufficientCredits,
    LedgerError,
    PayoutWaits,
    SecondFactorStale,
    WrongState,
)
from ledger.templatetags.credits import credits_text
from pasch.desk.access import second_factor_ask
from pasch.staff.decisions import RoleError

Done = str | Promise | Callable[[Any], str]

#: the message for the reader when a service refuses, by the code of its error
REFUSALS: Mapping[str, str | Promise] = {
    "not_allowed": _(
        "You may not do this: you lack the right, it is about yourself, or it takes a second"
        " person."
    ),
    "second_person_fresh": _(
        "You are no second person here yet: within the last 24 hours one of you two got a role, or"
        " another address or second factor, through the other."
    ),
    "first_person_gone": _(
        "The one who began this may not decide it any more. Refuse it, and begin anew."
    ),
    "decision_aged": _(
        "This has waited for a second person for seven days. Refuse it, and begin anew."
    ),
    "wrong_state": _("Someone else has already decided this."),
    "insufficient_credits": _("The wallet does not hold enough credits for this."),
    "account_frozen": _("The wallet is frozen: nothing can leave it."),
    "account_unknown": _("There is no such wallet."),
    "payout_waits": _("A large payout waits a day between the request and the payment."),
    "unreadable_text": _("It contains invisible characters. Type it instead of pasting it."),
    "cancel_asked": _("The player asks to cancel it: nobody pays it any more."),
    "malformed_posting": _("Something is missing or not a whole amount."),
    "key_conflict": _("This was already decided otherwise."),
    "already_reversed": _("This was already taken back."),
    "books_guarded": _("The books refused this change."),
    "reason_missing": _("A decision needs a reason."),
    "match_over": _("This match is already decided."),
    "wrong_phase": _("This match is already decided."),
    "last_administrator": _("The house must keep one administrator."),
    "no_role": _("This account can have no role: it is closed, or a bot's."),
    "role_unchanged": _("That is this person's role already."),
    "identity_guest": _("A guest has no account to change."),
    "identity_deleted": _("The account is deleted: it is never opened again."),
    "identity_unchanged": _("Nothing to change: it already is that way."),
    "address_bad": _("This is no mail address."),
    "address_taken": _("Another account has this mail address."),
    "name_refused": _("This name is not allowed."),
    "name_taken": _("This name looks too much like one that is taken."),
    "staff_is_no_bot": _("A staff account can’t become a bot account."),
    "still_at_stakes": _("Credits of this account are at stake, or wait to be paid out."),
    "decision_waits": _("The same was asked for before, and waits."),
    "decision_over": _("Someone else has already decided this."),
    "one_administrator": _(
        "This house is set to one administrator: nobody confirms, the waiting time has to pass."
    ),
    "impossible_result": _("The match can no longer have this result. Choose again."),
    "preview_changed": _("The match has gone on: this is what would happen now. Look at it again."),
    "proposal_waits": _("A decision of this kind waits for a second person already."),
    "proposal_stale": _(
        "The match or the setting has changed since this was proposed. Refuse it and propose anew."
    ),
    "nothing_to_add": _(
        "Credits are added to entry fees, once, and before the draw. Nothing was added."
    ),
    "no_such_tournament": _("There is no such tournament."),
    "named_by_the_house": _("The house gave this name."),
    "game_over": _("The game has ended in the meantime, and its stakes are paid."),
    "no_such_chouette": _("There is no such game."),
    "club_name_taken": _("Another club has this name."),
    "club_changed": _("The club has another name or description by now. Look at it again."),
    "no_reviewer": _("You cannot judge this case: you are part of it, or have judged it already."),
    "opinion_gone": _(
        "The first opinion does not count any more: it is older than seven days, or its author may"
        " not judge now. The case ends by itself, in the player's favour."
    ),
    "case_over": _("Someone else has already decided this."),
    "text_missing": _("A text is missing, too long, or has invisible characters."),
    "nothing_to_refund": _("This case is not confirmed with matches to take back."),
    "busy": _("The table is busy at the moment. Try again."),
}


def refusal_text(error: FairPlayError | LedgerError | TableError | RoleError) -> str:
    """The refusal in the reader's language, with the figures that explain it where there are."""
    text = REFUSALS.get(error.code, _("That is not possible now."))
    if isinstance(error, InsufficientCredits):
        held = _("It holds %(held)s, needed are %(needed)s.") % {
            "held": credits_text(error.available_cents),
            "needed": credits_text(error.needed_cents),
        }
        return f"{text} {held}"
    if isinstance(error, PayoutWaits):
        return f"{text} ({error.not_before[:16].replace('T', ' ')} UTC)"
    if isinstance(error, WrongState):
        return f"{text} ({error.subject})"
    return str(text)


def decide(
    request: SignedInRequest,
    action: Callable[[], object],
    *,
    done: Done,
    back: str,
    again: str = "",
) -> HttpResponse:
    """Carry out `action`, show the result and redirect to `back` (one of our addresses).

    `done` is a text, or makes one from the result of the action. A stale second factor redirects
    to the page where it is given, and from there to `again`; any other refusal of the books or the
    table becomes a message and redirects to `again`; without `again` both redirect to `back`. Other
    errors are ours and propagate.
    """
    try:
        outcome = action()
    except SecondFactorStale:
        return second_factor_ask(request, again or back)
    except (FairPlayError, LedgerError, TableError, RoleError) as error:
        messages.error(request, refusal_text(error))
        return redirect(again or back)
    messages.success(request, done(outcome) if callable(done) else str(done))
    return redirect(back)


def decide_with(
    request: SignedInRequest,
    form: Form,
    action: Callable[[], object],
    *,
    done: Done,
    back: str,
    again: str = "",
) -> HttpResponse:
    """As `decide`, if the form is valid; otherwise show its errors and do nothing."""
    if not form.is_valid():
        for field, errors in form.errors.items():
            label = form.fields[field].label if field in form.fields else ""
            told = " ".join(map(str, errors))
            messages.error(request, f"{label}: {told}" if label else told)
        return redirect(again or back)
    return decide(request, action, done=done, back=back, again=again)
