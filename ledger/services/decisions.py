"""Requirements of an administrator's decision: right, fresh second factor, second person, the limit
of what one moves alone; and its entry in the journal."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import F, Sum
from django.db.models.functions import Abs
from django.utils import timezone

from accounts.grants import pair_is_fresh, second_fault
from accounts.models import User
from kit.plain_text import text_fault
from ledger.errors import (
    DecisionAged,
    FirstPersonGone,
    NotAllowed,
    SecondFactorStale,
    SecondPersonFresh,
    UnreadableText,
)
from ledger.models import Adjustment, JournalEntry, Voucher

ALONE_SPAN = timedelta(hours=24)
"""One administrator moves so much alone: one sum over this time, and over all ways of moving."""


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


def alone_cents_spent(actor: User) -> int:
    """The cents that this person moved alone within the last 24 hours.

    The sum of adjustments, given or taken, of vouchers, revoked ones too, and of `alone_cents` in
    the journal: the stake of one player for each match, and the highest stake of each game of a
    chouette, that the person decided alone.
    """
    since = timezone.now() - ALONE_SPAN
    adjusted = Adjustment.objects.filter(proposed_by=actor, proposal=None, booked_at__gt=since)
    made = Voucher.objects.filter(made_by=actor, alone=True, made_at__gt=since)
    decided = JournalEntry.objects.filter(
        actor=actor, created_at__gt=since, after__has_key="alone_cents"
    )
    sums = (
        adjusted.aggregate(sum=Sum(Abs(F("amount_cents"))))["sum"] or 0,
        made.aggregate(sum=Sum("amount_cents"))["sum"] or 0,
        sum(after["alone_cents"] for after in decided.values_list("after", flat=True)),
    )
    return int(sum(sums))


def within_alone_limit(actor: User, amount_cents: int, *, lock: bool = True) -> bool:
    """Whether so much more, in either direction, stays within LEDGER_ALONE_CENTS.

    The lock on the person's row holds until the transaction ends, so two movements at once cannot
    both fit. The caller stores what is moved alone in the same transaction, in the rows that
    `alone_cents_spent` sums.
    """
    if lock:
        get_user_model().objects.select_for_update(no_key=True).get(pk=actor.pk)
    return alone_cents_spent(actor) + abs(amount_cents) <= settings.LEDGER_ALONE_CENTS


def may_decide_alone(actor: User, amount_cents: int, *, lock: bool = True) -> bool:
    """Whether this person needs no second one for so much: it is within the limit, or the house
    has a single administrator."""
    within = within_alone_limit(actor, amount_cents, lock=lock)
    return within or bool(settings.LEDGER_SINGLE_ADMINISTRATOR)


def journal_record(
    *,
    actor: User,
    verb: str,
    subject: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    reason: str,
) -> JournalEntry:
    """Record an action, the state before and after it and the reason, in the caller's transaction.

    `verb` is dotted (``payout.approve``), `subject` a reference (``payout:7``, ``user:3``).
    Raises `UnreadableText` for a reason with characters that hide or reverse text.
    """
    if fault := text_fault(reason):
        raise UnreadableText("reason", fault)
    return JournalEntry.objects.create(
        actor=actor,
        verb=verb,
        subject=subject,
        before=dict(before),
        after=dict(after),
        reason=reason,
    )
