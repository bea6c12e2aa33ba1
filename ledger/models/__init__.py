"""The tables of the ledger. The books themselves are written by functions in the database alone."""

from ledger.models.books import Account, Entry, Seal, Snapshot, Transfer
from ledger.models.credits import (
    Adjustment,
    Clearance,
    Hold,
    PromoCredit,
    Voucher,
    Warrant,
    Welcome,
)
from ledger.models.journal import AuditRun, Change, JournalEntry
from ledger.models.limits import Measure, Period, PlayLimit, PlayPause, StakesStop
from ledger.models.payouts import CLAIM_TIME, Payout, PayoutStep
from ledger.models.proposals import PROPOSAL_LIFE, Proposal, ProposalState
from ledger.payout_states import OPEN_STATES, PayoutState

__all__ = [
    "CLAIM_TIME",
    "OPEN_STATES",
    "PROPOSAL_LIFE",
    "Account",
    "Adjustment",
    "AuditRun",
    "Change",
    "Clearance",
    "Entry",
    "Hold",
    "JournalEntry",
    "Measure",
    "Payout",
    "PayoutState",
    "PayoutStep",
    "Period",
    "PlayLimit",
    "PlayPause",
    "PromoCredit",
    "Proposal",
    "ProposalState",
    "Seal",
    "Snapshot",
    "StakesStop",
    "Transfer",
    "Voucher",
    "Warrant",
    "Welcome",
]
