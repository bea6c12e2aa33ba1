"""The tables of the ledger. The books themselves are written by functions in the database alone."""

from ledger.models.books import Account, Entry, Seal, Snapshot, Transfer
from ledger.models.journal import AuditRun, JournalEntry

__all__ = ["Account", "AuditRun", "Entry", "JournalEntry", "Seal", "Snapshot", "Transfer"]
