"""The tables of the ledger. The books themselves are written by functions in the database alone."""

from ledger.models.books import Account, Entry, Seal, Snapshot, Transfer
from ledger.models.credits import Adjustment, AdjustmentState, Voucher
from ledger.models.journal import AuditRun, JournalEntry
from ledger.models.limits import Measure, Period, PlayLimit, PlayPause, StakesStop
from ledger.models.payouts import OPEN_STATES, Payout, PayoutState, PayoutStep

__all__ = [
    "OPEN_STATES",
    "Account",
    "Adjustment",
    "AdjustmentState",
    "AuditRun",
    "Entry",
    "JournalEntry",
    "Measure",
    "Payout",
    "PayoutState",
    "PayoutStep",
    "Period",
    "PlayLimit",
    "PlayPause",
    "Seal",
    "Snapshot",
    "StakesStop",
    "Transfer",
    "Voucher",
]
