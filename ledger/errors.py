"""What can go wrong in the books, told apart by cause. Every error changes nothing."""


class LedgerError(Exception):
    """The books refuse. `code` is for machines, the text for people in English.

    An error that comes from the database (all but `MalformedPosting` and `Unbalanced` usually do)
    has already ended the caller's transaction: leave the atomic block, then answer.
    """

    code = "ledger_error"


class MalformedPosting(LedgerError):
    """The posting is no posting: bad key, unknown kind, wrong accounts, no whole cents."""

    code = "malformed_posting"


class Unbalanced(LedgerError):
    """The lines do not sum to zero."""

    code = "unbalanced"


class InsufficientCredits(LedgerError):
    """A wallet holds less than the transfer takes."""

    code = "insufficient_credits"

    def __init__(self, user_id: int, needed_cents: int, available_cents: int) -> None:
        self.user_id = user_id
        self.needed_cents = needed_cents
        self.available_cents = available_cents
        super().__init__(
            f"user {user_id} has {available_cents} cents where {needed_cents} are needed"
        )


class KeyConflict(LedgerError):
    """The idempotency key was used before, for something else."""

    code = "key_conflict"

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"{key} was already decided otherwise")


class AccountFrozen(LedgerError):
    """The account is frozen: nothing leaves it. Credits may still come in (running matches end)."""

    code = "account_frozen"

    def __init__(self, account_key: str) -> None:
        self.account_key = account_key
        super().__init__(f"{account_key} is frozen")


class AccountUnknown(LedgerError):
    """A wallet that was never opened, or a reference that never had an escrow."""

    code = "account_unknown"

    def __init__(self, account_key: str) -> None:
        self.account_key = account_key
        super().__init__(f"there is no account {account_key}")


class EscrowMismatch(LedgerError):
    """What is taken from an escrow or a payout hold is not exactly what it holds."""

    code = "escrow_mismatch"

    def __init__(self, account_key: str, taken_cents: int, held_cents: int) -> None:
        self.account_key = account_key
        self.taken_cents = taken_cents
        self.held_cents = held_cents
        super().__init__(f"{account_key} holds {held_cents} cents, not {taken_cents}")


class AlreadyReversed(LedgerError):
    """A transfer can be reversed or corrected once."""

    code = "already_reversed"


class BooksGuarded(LedgerError):
    """The database refused a change that would have broken the books."""

    code = "books_guarded"


RETRYABLE_SQLSTATES = frozenset({"40001", "40P01", "55P03", "57P01", "57P02", "57P03"})
"""Serialization failure, deadlock, lock timeout, server shutting down or starting."""
