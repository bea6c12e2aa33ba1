"""Mails to a player about the steps of a payout, in the player's language."""

from django.utils import translation
from django.utils.translation import gettext as _

from accounts.mails import mail_enqueue
from accounts.models import OutgoingMail, User
from house.reader import house_now
from ledger.models import Payout, PayoutState
from ledger.payout_states import STATES


def step_mail(payout: Payout, state: PayoutState, reason: str) -> OutgoingMail | None:
    """Put a step of a payout into the outbox; None for a player without an address, and for a
    step that is not mailed."""
    player: User = payout.user
    if not (player.email and STATES[state].mail):
        return None
    with translation.override(house_now().language(player.language)):
        subject = _("Your payout of %(amount)s: %(state)s") % {
            "amount": amount_text(payout.amount_cents),
            "state": state.label,
        }
        return mail_enqueue(
            to=player.email,
            subject=subject,
            body=_body(payout, state, reason),
            about=payout.reference,
        )


def amount_text(cents: int) -> str:
    """An amount above zero in credits, in the language in force: 2.50 ℂ or 2,50 ℂ."""
    mark = "," if (translation.get_language() or "").startswith("de") else "."
    return f"{cents // 100}{mark}{cents % 100:02d} {house_now().sign}"


def _body(payout: Payout, state: PayoutState, reason: str) -> str:
    news = str(STATES[state].mail) % {"receipt": payout.receipt, "reason": reason}
    greeting = _("Hello %(name)s,") % {"name": payout.user.get_username()}
    about = _("Your payout of %(amount)s to %(destination)s:") % {
        "amount": amount_text(payout.amount_cents),
        "destination": payout.destination,
    }
    return f"{greeting}\n\n{about}\n{news}\n"
