"""The tables of the ledger. `books` are written by functions in the database alone."""

from ledger.models.books import Account, Entry, Seal, Snapshot, Transfer

__all__ = ["Account", "Entry", "Seal", "Snapshot", "Transfer"]
