"""Errors of the ledger, by cause. After an error nothing has changed."""

from collections.abc import Mapping, Sequence
from typing import Final

from backgammon.rules.naming import gettext_noop as _
from kit.errors import Refusal


class LedgerError(Refusal):
    """The books refuse.

    An error that comes from the database (all but `MalformedPosting` and `Unbalanced` usually do)
    has already ended the caller's transaction: leave the atomic block, then answer.
    """

    code = "ledger_error"
    sentence = _("That is not possible now; nothing was changed.")
    staff_sentence = _("That is not possible now.")


class MalformedPosting(LedgerError):
    """The posting is no posting: bad key, unknown kind, wrong accounts, no whole cents."""

    code = "malformed_posting"
    staff_sentence = _("Something is missing or not a whole amount.")


class Unbalanced(LedgerError):
    """The lines do not sum to zero."""

    code = "unbalanced"


class InsufficientCredits(LedgerError):
    """A wallet holds less than the transfer takes."""

    code = "insufficient_credits"
    sentence = _("Your wallet holds {available}, which is less than {needed}.")
    staff_sentence = _(
        "The wallet does not hold enough credits for this. It holds {available}, needed are"
        " {needed}."
    )

    def __init__(self, user_id: int, needed_cents: int, available_cents: int) -> None:
        self.user_id = user_id
        self.needed_cents = needed_cents
        self.available_cents = available_cents
        super().__init__(
            f"user {user_id} has {available_cents} cents where {needed_cents} are needed"
        )


class KeyConflict(LedgerError):
    """The idempotency key was used before, with other content."""

    code = "key_conflict"
    sentence = _("This form was sent before with other contents. Please fill it in again.")
    staff_sentence = _("This was already decided otherwise.")

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"{key} was already decided otherwise")


class AccountFrozen(LedgerError):
    """The account is frozen: nothing leaves it. Running matches may still pay in."""

    code = "account_frozen"
    sentence = _("Your wallet is frozen: nothing can leave it until an administrator releases it.")
    staff_sentence = _("The wallet is frozen: nothing can leave it.")

    def __init__(self, account_key: str) -> None:
        super().__init__(f"{account_key} is frozen")


class AccountUnknown(LedgerError):
    """A wallet that was never opened, or a reference that never had an escrow."""

    code = "account_unknown"
    staff_sentence = _("There is no such wallet.")

    def __init__(self, account_key: str) -> None:
        super().__init__(f"there is no account {account_key}")


class EscrowMismatch(LedgerError):
    """The amount taken from an escrow or a payout hold is not exactly its balance."""

    code = "escrow_mismatch"

    def __init__(self, account_key: str, taken_cents: int, held_cents: int) -> None:
        super().__init__(f"{account_key} holds {held_cents} cents, not {taken_cents}")


class LimitReached(LedgerError):
    """The stake would go beyond a limit the player set; nothing was staked."""

    code = "limit_reached"
    sentence = _("This stake would go beyond a limit that a player has set.")

    def __init__(
        self, user_id: int, measure: str, period: str, limit_cents: int, used_cents: int
    ) -> None:
        self.user_id = user_id
        self.measure = measure
        self.period = period
        self.limit_cents = limit_cents
        self.used_cents = used_cents
        super().__init__(
            f"user {user_id} set a {measure} limit of {limit_cents} cents per {period}"
            f" and has used {used_cents}"
        )


class NoStakes(LedgerError):
    """The account takes no part in stakes; `reason` is bot, guest or closed."""

    code = "no_stakes"
    sentence = _("One of the two accounts does not play for credits.")

    def __init__(self, user_id: int, reason: str) -> None:
        self.user_id = user_id
        self.reason = reason
        super().__init__(f"user {user_id} takes no part in stakes ({reason})")


class PlayPaused(LedgerError):
    """The player takes a break or excluded himself; `until` is ISO 8601, None for ever."""

    code = "play_paused"
    sentence = _("One of the players is on a break from playing for credits.")

    def __init__(self, user_id: int, kind: str, until: str | None) -> None:
        self.user_id = user_id
        self.kind = kind
        self.until = until
        super().__init__(f"user {user_id} has a {kind} until {until or 'for ever'}")


class StakesStopped(LedgerError):
    """The house takes no new stakes in this scope; running games go on."""

    code = "stakes_stopped"
    sentence = _("Games for credits are paused at the moment.")

    def __init__(self, scope: str, reason: str) -> None:
        self.scope = scope
        self.reason = reason
        super().__init__(f"no new stakes for {scope}: {reason}")


class NotAllowed(LedgerError):
    """This person may not do this, or not to himself, or not alone."""

    code = "not_allowed"
    sentence = _("You may not do this.")
    staff_sentence = _(
        "You may not do this: you lack the right, it is about yourself, or it takes a"
        " second person."
    )


class SecondPersonFresh(NotAllowed):
    """One of the two people came by a role or a way in through the other within a day."""

    code = "second_person_fresh"
    staff_sentence = _(
        "You are no second person here yet: within the last 24 hours one of you two got a"
        " role, or another address or second factor, through the other."
    )


class FirstPersonGone(NotAllowed):
    """The one who began the decision has no right to it any more."""

    code = "first_person_gone"
    staff_sentence = _(
        "The one who began this may not decide it any more. Refuse it, and begin anew."
    )


class SecondFactorStale(LedgerError):
    """The administrator has not shown the second factor within the last minutes."""

    code = "second_factor_stale"


class UndoOver(LedgerError):
    """There is nothing to take back: not done by the owner, too long ago, or taken back before."""

    code = "undo_over"
    sentence = _("This can no longer be undone.")


class ProofStale(LedgerError):
    """The player has not given a password, a passkey or a second factor within the last minutes."""

    code = "proof_stale"
    sentence = _(
        "Please give your password, a passkey or a code again before you ask for a payout."
    )


class AddressUnverified(LedgerError):
    """The player has proved no mail address to be their own."""

    code = "address_unverified"
    sentence = _("A payout needs a mail address that you have confirmed.")


class UnreadableText(LedgerError):
    """Text for a decision has characters that hide or reverse it; `fault` is a key of `_FAULTS`."""

    code = "unreadable_text"
    staff_sentence = _("It contains invisible characters. Type it instead of pasting it.")

    def __init__(self, what: str, fault: str) -> None:
        self.what = what
        self.fault = fault
        super().__init__(f"the {what} cannot be read with certainty: {_FAULTS[fault]}")


_FAULTS = {
    "hidden": "it has signs that cannot be seen",
    "directions": "it mixes letters written from the left and from the right",
    "digits": "digits are written 0 to 9",
}


class CreditsLocked(LedgerError):
    """Promotional credits leave the house after they were played for; nothing was moved."""

    code = "credits_locked"
    sentence = _(
        "{payable} can be paid out now. The rest are promotional credits that have to be"
        " played for first."
    )

    def __init__(self, user_id: int, needed_cents: int, payable_cents: int) -> None:
        self.user_id = user_id
        self.needed_cents = needed_cents
        self.payable_cents = payable_cents
        super().__init__(
            f"user {user_id} may be paid {payable_cents} cents where {needed_cents} are asked for"
        )


class CreditsHeld(LedgerError):
    """Credits of the wallet are held until a check is decided; nothing was moved."""

    code = "credits_held"
    sentence = _(
        "{held} of your wallet are held until a check of your matches is decided; {free}"
        " are free. The page Fair play says why and until when."
    )

    def __init__(self, user_id: int, needed_cents: int, held_cents: int, free_cents: int) -> None:
        self.user_id = user_id
        self.needed_cents = needed_cents
        self.held_cents = held_cents
        self.free_cents = free_cents
        super().__init__(
            f"{held_cents} cents of user {user_id} are held; {free_cents} are free where"
            f" {needed_cents} are needed"
        )


class ResultsUnchecked(LedgerError):
    """Winnings that were not checked yet cannot be paid out; nothing was moved."""

    code = "results_unchecked"
    sentence = _(
        "{payable} can be paid out now. What you have won in your last matches waits for a"
        " check, which takes some seconds, at most seven days."
    )

    def __init__(self, user_id: int, needed_cents: int, payable_cents: int) -> None:
        self.user_id = user_id
        self.needed_cents = needed_cents
        self.payable_cents = payable_cents
        super().__init__(
            f"user {user_id} may be paid {payable_cents} cents where {needed_cents} are asked for:"
            " other winnings wait for their check"
        )


class WrongState(LedgerError):
    """The payout, voucher or adjustment is no longer where this step begins."""

    code = "wrong_state"
    sentence = _("This payout has gone on in the meantime; nothing was changed.")
    staff_sentence = _("Someone else has already decided this. ({subject})")

    def __init__(self, subject: str, state: str) -> None:
        self.subject = subject
        self.state = state
        super().__init__(f"{subject} is {state}")


class DecisionAged(WrongState):
    """It waited for a second person for seven days, and can only be refused now."""

    code = "decision_aged"
    staff_sentence = _(
        "This has waited for a second person for seven days. Refuse it, and begin anew. ({subject})"
    )

    def __init__(self, subject: str) -> None:
        super().__init__(subject, "lapsed")


class ProposalWaits(LedgerError):
    """A decision of this kind about this subject waits for a second person already."""

    code = "proposal_waits"
    staff_sentence = _("A decision of this kind waits for a second person already.")

    def __init__(self, subject: str) -> None:
        self.subject = subject
        super().__init__(f"{subject} waits for a second person")


class ProposalStale(LedgerError):
    """The facts behind the proposal have changed; `changed` names the parts."""

    code = "proposal_stale"
    staff_sentence = _(
        "The match or the setting has changed since this was proposed. Refuse it and propose anew."
    )

    def __init__(self, subject: str, changed: Sequence[str]) -> None:
        self.subject = subject
        self.changed = tuple(changed)
        super().__init__(f"{subject} was decided on something else: {', '.join(changed)} changed")


class CancelAsked(LedgerError):
    """The player has asked for cancellation, so the payout cannot be taken."""

    code = "cancel_asked"
    staff_sentence = _("The player asks to cancel it: nobody pays it any more.")


class PayoutWaits(LedgerError):
    """A large payout cannot be paid until a day after the request."""

    code = "payout_waits"
    staff_sentence = _(
        "A large payout waits a day between the request and the payment. ({not_before})"
    )

    def __init__(self, subject: str, not_before: str) -> None:
        self.not_before = f"{not_before[:16].replace('T', ' ')} UTC"
        super().__init__(f"{subject} may not be paid before {not_before}")


_VOUCHERS: Final[Mapping[str, str]] = {
    "unknown": _("Invalid voucher code."),
    "used": _("This voucher has already been redeemed."),
    "revoked": _("This voucher was withdrawn."),
    "expired": _("This voucher has expired."),
    "own": _("You made or confirmed this voucher yourself, so somebody else has to redeem it."),
    "unconfirmed": _(
        "This voucher cannot be redeemed yet: a second person of the house has to confirm it first."
    ),
}


class VoucherRefused(LedgerError):
    """The code buys nothing: `reason` is unknown, used, revoked, expired, own or unconfirmed."""

    code = "voucher_refused"
    sentence = _("This voucher cannot be redeemed.")

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the voucher is {reason}")

    def said(self, *, staff: bool = False) -> str:
        """The sentence for this reason."""
        return _VOUCHERS.get(self.reason) or super().said(staff=staff)


class AlreadyReversed(LedgerError):
    """A transfer can be reversed or corrected once."""

    code = "already_reversed"
    staff_sentence = _("This was already taken back.")


class BooksGuarded(LedgerError):
    """The database refused a change that would have broken the books."""

    code = "books_guarded"
    staff_sentence = _("The books refused this change.")


RETRYABLE_SQLSTATES = frozenset({"40001", "40P01", "55P03", "57P01", "57P02", "57P03"})
"""Serialization failure, deadlock, lock timeout, server shutting down or starting."""
