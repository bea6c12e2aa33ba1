"""Holds: credits that stay in the wallet until somebody has decided, or the time is over.

They join the caller's transaction. A hold moves nothing; the books refuse stakes and payouts of
what is held (`ledger/migrations/sql/holds.sql`).
"""

from collections.abc import Iterable
from datetime import datetime

from django.utils import timezone

from ledger.errors import MalformedPosting
from ledger.models import Clearance, Hold
from ledger.services.database import refusals_told


def hold_place(
    *, user_id: int, reference: str, amount_cents: int, reason_class: str, ends_at: datetime
) -> Hold:
    """Hold credits of a player until then; once a reference, a second call changes nothing.

    Raises `MalformedPosting` for an amount below one cent or an end in the past.
    """
    if amount_cents < 1 or ends_at <= timezone.now():
        raise MalformedPosting(f"{reference}: a hold has an amount and an end to come")
    with refusals_told():
        hold, _ = Hold.objects.get_or_create(
            user_id=user_id,
            reference=reference,
            defaults={
                "amount_cents": amount_cents,
                "reason_class": reason_class,
                "ends_at": ends_at,
            },
        )
    return hold


def hold_extend(*, reference: str, ends_at: datetime) -> int:
    """Let the holds of a reference that still stand last until then; return how many did."""
    standing = Hold.objects.filter(reference=reference, released_at=None, ends_at__lt=ends_at)
    with refusals_told():
        return standing.filter(ends_at__gt=timezone.now()).update(ends_at=ends_at)


def hold_release(*, reference: str, reason: str) -> int:
    """End the holds of a reference; return how many there were."""
    standing = Hold.objects.filter(reference=reference, released_at=None)
    with refusals_told():
        return standing.update(released_at=timezone.now(), release_reason=reason[:100])


def gains_clear(reference: str, user_ids: Iterable[int]) -> int:
    """Let what these players won by a result be paid out; return how many gains were not clear."""
    rows = [Clearance(reference=reference, user_id=user_id) for user_id in user_ids]
    before = Clearance.objects.filter(
        reference=reference, user__in=[row.user_id for row in rows]
    ).count()
    Clearance.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows) - before
