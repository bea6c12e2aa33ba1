"""Telling a player by mail how a payout goes on, in the player's own language."""

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.mails import mail_enqueue
from accounts.models import OutgoingMail
from ledger.models import Payout, PayoutState


def step_mail(payout: Payout, state: PayoutState, reason: str) -> OutgoingMail | None:
    """Put a step of a payout into the outbox; None where the player has no address."""
    player: AbstractUser = payout.user
    if not player.email:
        return None
    with translation.override(getattr(player, "language", "") or settings.LANGUAGE_CODE):
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
    return f"{cents // 100}{mark}{cents % 100:02d} ℂ"


def _body(payout: Payout, state: PayoutState, reason: str) -> str:
    news = {
        PayoutState.REQUESTED: _(
            "we have put the credits aside. An administrator looks at your request, and a second"
            " one settles it."
        ),
        PayoutState.APPROVED: _("your request is approved. A second administrator settles it."),
        PayoutState.PAID: _("it has been paid. Receipt: %(receipt)s"),
        PayoutState.DECLINED: _(
            "we did not approve it; the credits are back in your wallet. Reason: %(reason)s"
        ),
        PayoutState.CANCELLED: _("you took it back; the credits are back in your wallet."),
        PayoutState.FAILED: _(
            "the payment did not arrive; the credits are back in your wallet. Reason: %(reason)s"
        ),
    }[state] % {"receipt": payout.receipt, "reason": reason}
    greeting = _("Hello %(name)s,") % {"name": payout.user.get_username()}
    about = _("about your payout of %(amount)s to %(destination)s:") % {
        "amount": amount_text(payout.amount_cents),
        "destination": payout.destination,
    }
    return f"{greeting}\n\n{about}\n{news}\n"
