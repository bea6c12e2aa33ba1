"""Requirements of an administrator's action: right, fresh second factor, second person."""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.utils import timezone

from accounts.grants import pair_is_fresh, second_fault
from accounts.models import User
from ledger.errors import (
    DecisionAged,
    FirstPersonGone,
    NotAllowed,
    SecondFactorStale,
    SecondPersonFresh,
)


def right_check(actor: User, permission: str) -> None:
    """Raise `NotAllowed` unless the actor has the permission (``decide_payout``, …)."""
    if not actor.has_perm(f"ledger.{permission}"):
        raise NotAllowed(f"{actor.get_username()} has no right to {permission}")


def second_factor_check(verified_at: datetime | None) -> None:
    """Raise `SecondFactorStale` unless the second factor was shown within the last minutes."""
    seconds = settings.LEDGER_SECOND_FACTOR_SECONDS
    now = timezone.now()
    if verified_at is None or not now - timedelta(seconds=seconds) <= verified_at <= now:
        raise SecondFactorStale(f"the second factor was last shown at {verified_at}")


def second_person_check(first_id: int, second: User) -> None:
    """Raise `NotAllowed` unless this person is another one than the first, and independent.

    No one is their own second person, and a closed account cannot be one. `SecondPersonFresh`: one
    of the two got a role through the other within 24 hours, or had an address or second factor
    changed by the other; that holds both ways, whichever of them begins.
    """
    if second.pk == first_id:
        raise NotAllowed("a second person decides, not the one who began it")
    if not get_user_model().objects.filter(pk=second.pk, is_active=True).exists():
        raise NotAllowed("a closed account decides nothing")
    if pair_is_fresh(first_id, second.pk):
        raise SecondPersonFresh(f"{second.get_username()} is no second person for user {first_id}")


def two_people_check(
    *, first_id: int, second: User, right: str, since: datetime, reference: str
) -> None:
    """Raise unless these two people decide it now: what the first began at `since` with this right
    (``ledger.adjust_credits``) takes effect by the second.

    Raises `NotAllowed` (the same person, or no right), `FirstPersonGone`, `SecondPersonFresh`,
    `DecisionAged`.
    """
    fault = second_fault(first_id, second.pk, right, since)
    if fault == "aged":
        raise DecisionAged(reference)
    if fault == "first":
        raise FirstPersonGone(f"{reference}: user {first_id} has no right to it any more")
    if fault == "fresh":
        raise SecondPersonFresh(f"{second.get_username()} is no second person for user {first_id}")
    if fault is not None:
        raise NotAllowed(f"{reference}: {second.get_username()} is no second person ({fault})")
