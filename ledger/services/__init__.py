"""The ledger's verbs, named `<entity>_<action>`; they join the caller's transaction."""

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

__all__ = [
    "Posted",
    "credits_issue",
    "escrow_correct",
    "escrow_resolve",
    "stakes_escrow",
    "transfer_post",
    "transfer_reverse",
    "wallet_freeze",
    "wallet_open",
    "wallet_thaw",
]
