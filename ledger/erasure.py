"""All of a person that is in the books stays (`accounts/erasure.py`)."""

from typing import Final

from accounts.erasure import DECISIONS
from ledger.exports import LEFT_OUT

BOOKS: Final = "the books are never changed; they have the number of the account and no name"
_PROTECTS: Final = "an exclusion holds for other accounts of the mailbox, and the audit checks both"

KEPT: Final = {
    **dict.fromkeys(LEFT_OUT, DECISIONS),
    **{
        f"ledger.{field}": BOOKS
        for field in (
            "Account.owner",
            "Adjustment.user",
            "Clearance.user",
            "Hold.user",
            "Payout.user",
            "Voucher.redeemed_by",
            "Warrant.user",
            "Welcome.user",
        )
    },
    "ledger.PlayLimit.user": _PROTECTS,
    "ledger.PlayPause.user": _PROTECTS,
}
