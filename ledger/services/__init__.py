"""The ledger's verbs, named `<entity>_<action>`; they join the caller's transaction."""

from ledger.services.adjustments import adjustment_approve, adjustment_propose, adjustment_refuse
from ledger.services.books import (
    Posted,
    credits_issue,
    escrow_correct,
    escrow_resolve,
    stakes_escrow,
    transfer_post,
    transfer_reverse,
    wallet_freeze,
    wallet_open,
    wallet_thaw,
)
from ledger.services.desk import journal_record
from ledger.services.limits import (
    break_start,
    exclusion_start,
    limit_set,
    player_freeze,
    player_thaw,
    stakes_resume,
    stakes_stop,
)
from ledger.services.payouts import (
    payout_approve,
    payout_cancel,
    payout_decline,
    payout_fail,
    payout_request,
    payout_settle,
)
from ledger.services.proposals import (
    proposal_decide,
    proposal_holds,
    proposal_make,
    proposal_refuse,
    proposal_withdraw,
    proposals_lapse,
)
from ledger.services.vouchers import NewVoucher, voucher_make, voucher_redeem, voucher_revoke

__all__ = [
    "NewVoucher",
    "Posted",
    "adjustment_approve",
    "adjustment_propose",
    "adjustment_refuse",
    "break_start",
    "credits_issue",
    "escrow_correct",
    "escrow_resolve",
    "exclusion_start",
    "journal_record",
    "limit_set",
    "payout_approve",
    "payout_cancel",
    "payout_decline",
    "payout_fail",
    "payout_request",
    "payout_settle",
    "player_freeze",
    "player_thaw",
    "proposal_decide",
    "proposal_holds",
    "proposal_make",
    "proposal_refuse",
    "proposal_withdraw",
    "proposals_lapse",
    "stakes_escrow",
    "stakes_resume",
    "stakes_stop",
    "transfer_post",
    "transfer_reverse",
    "voucher_make",
    "voucher_redeem",
    "voucher_revoke",
    "wallet_freeze",
    "wallet_open",
    "wallet_thaw",
]
