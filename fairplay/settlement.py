"""Settlement: the only module of fair play that opens the books, the ratings and the journal.

Credits are held and released here. They are given back by `games` alone, as the correction of a
match that two people have decided (`fairplay/refunds.py`).
"""

from collections.abc import Iterable
from datetime import datetime

from django.utils import timezone

from accounts.grants import first_fault
from accounts.models import User
from ledger.errors import DecisionAged, FirstPersonGone, NotAllowed
from ledger.models import Hold, JournalEntry, Proposal
from ledger.selectors import holds_of, returned_by, wallet_balance
from ledger.services.decisions import (
    journal_record,
    second_factor_check,
    second_person_check,
    two_people_check,
)
from ledger.services.holds import gains_clear, hold_extend, hold_place, hold_release
from ledger.services.proposals import proposal_holds, proposal_kind, proposal_make
from ledger.templatetags.credits import credits_text

__all__ = [
    "Hold",
    "NotAllowed",
    "Proposal",
    "credits_hold",
    "credits_release",
    "credits_text",
    "gains_clear",
    "has_right",
    "hold_longer",
    "holds_of",
    "journal_record",
    "people_are_two",
    "people_decide",
    "proposal_holds",
    "proposal_kind",
    "proposal_make",
    "reasons_of",
    "returned_by",
    "second_factor_check",
    "wallet_balance",
]


def credits_hold(
    *, user_id: int, reference: str, cents: int, reason_class: str, until: datetime
) -> Hold | None:
    """Hold credits of a player under this reference; None where the wallet has nothing to hold."""
    return hold_place(
        user_id=user_id,
        reference=reference,
        amount_cents=cents,
        reason_class=reason_class,
        ends_at=until,
    )


def hold_longer(references: Iterable[str], until: datetime) -> None:
    """Let the holds of these references last until then."""
    for reference in references:
        hold_extend(reference=reference, ends_at=until)


def credits_release(references: Iterable[str], reason: str) -> int:
    """End the holds of these references; return how many there were."""
    return sum(hold_release(reference=reference, reason=reason) for reference in references)


def people_are_two(first_ids: Iterable[int], second: User) -> None:
    """Raise `ledger.errors.NotAllowed` unless the second person is independent of the others."""
    for first_id in first_ids:
        second_person_check(first_id, second)


def people_decide(first_id: int, second: User, *, right: str, since: datetime, of: str) -> bool:
    """Return True if these two decide it now, False if what the first one said does not count any
    more. Raises `ledger.errors.NotAllowed` where the second one is no second person."""
    try:
        two_people_check(first_id=first_id, second=second, right=right, since=since, reference=of)
    except (DecisionAged, FirstPersonGone):
        return False
    return True


def has_right(user_id: int, right: str) -> bool:
    """Return True if the person has the right now."""
    return first_fault(user_id, right, timezone.now()) is None


def reasons_of(verb: str, subject: str) -> list[str]:
    """The reasons that the journal gives for these decisions, the oldest first."""
    found = JournalEntry.objects.filter(verb=verb, subject=subject).order_by("id")
    return list(found.values_list("reason", flat=True))
