"""The messages for players when the books refuse, by the cause of the refusal."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.errors import (
    CreditsHeld,
    CreditsLocked,
    InsufficientCredits,
    LedgerError,
    ResultsUnchecked,
    VoucherRefused,
)
from ledger.templatetags.credits import credits_text

REFUSALS: Mapping[str, str | Promise] = {
    "account_frozen": gettext_lazy(
        "Your wallet is frozen: nothing can leave it until an administrator releases it."
    ),
    "key_conflict": gettext_lazy(
        "This form was sent before with other contents. Please fill it in again."
    ),
    "proof_stale": gettext_lazy(
        "Please give your password, a passkey or a code again before you ask for a payout."
    ),
    "address_unverified": gettext_lazy("A payout needs a mail address that you have confirmed."),
    "wrong_state": gettext_lazy("This payout has gone on in the meantime; nothing was changed."),
    "not_allowed": gettext_lazy("You may not do this."),
}

VOUCHER_REFUSALS: Mapping[str, str | Promise] = {
    "unknown": gettext_lazy("Invalid voucher code."),
    "used": gettext_lazy("This voucher has already been redeemed."),
    "revoked": gettext_lazy("This voucher was withdrawn."),
    "expired": gettext_lazy("This voucher has expired."),
    "own": gettext_lazy(
        "You made or confirmed this voucher yourself, so somebody else has to redeem it."
    ),
    "unconfirmed": gettext_lazy(
        "This voucher cannot be redeemed yet: a second person of the house has to confirm it first."
    ),
}


def refusal_text(error: LedgerError) -> str:
    """The refusal in the reader's language; a cause without a sentence gets a general one."""
    if isinstance(error, InsufficientCredits):
        return _("Your wallet holds %(available)s, which is less than %(needed)s.") % {
            "available": credits_text(error.available_cents),
            "needed": credits_text(error.needed_cents),
        }
    if isinstance(error, CreditsHeld):
        return _(
            "%(held)s of your wallet are held until a check of your matches is decided;"
            " %(free)s are free. The page Fair play says why and until when."
        ) % {"held": credits_text(error.held_cents), "free": credits_text(error.free_cents)}
    if isinstance(error, ResultsUnchecked):
        return _(
            "%(payable)s can be paid out now. What you have won in your last matches waits for a"
            " check, which takes some seconds, at most seven days."
        ) % {"payable": credits_text(error.payable_cents)}
    if isinstance(error, CreditsLocked):
        return _(
            "%(payable)s can be paid out now. The rest are promotional credits that have to be"
            " played for first."
        ) % {"payable": credits_text(error.payable_cents)}
    if isinstance(error, VoucherRefused):
        return str(VOUCHER_REFUSALS.get(error.reason) or _("This voucher cannot be redeemed."))
    return str(REFUSALS.get(error.code) or _("That is not possible now; nothing was changed."))
