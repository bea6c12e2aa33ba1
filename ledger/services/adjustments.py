"""Adjustments: an administrator gives or takes credits, with a reason; above a limit, two do."""

from datetime import datetime

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import User
from ledger.errors import KeyConflict, MalformedPosting, NotAllowed, WrongState
from ledger.models import Adjustment, AdjustmentState
from ledger.postings import ADJUSTMENT, lines_of, wallet_key
from ledger.services.alone import within_alone_limit
from ledger.services.books import transfer_post
from ledger.services.desk import (
    right_check,
    second_factor_check,
    second_person_check,
    two_people_check,
)
from ledger.services.journal import journal_record


@transaction.atomic
def adjustment_propose(
    *,
    actor: User,
    user: User,
    amount_cents: int,
    reason: str,
    client_key: str,
    verified_at: datetime | None,
) -> Adjustment:
    """Give (above zero) or take credits. Small ones are booked at once, others wait for a second
    person.

    Small: what this administrator moved alone within 24 hours, this included, stays within
    LEDGER_ALONE_CENTS (`ledger.services.alone`). `verified_at` is when the second factor was
    shown. Raises `NotAllowed`, `SecondFactorStale`, `MalformedPosting`, `InsufficientCredits`,
    `KeyConflict` when `client_key` was used for another proposal.
    """
    right_check(actor, "adjust_credits")
    if actor.pk == user.pk:
        raise NotAllowed("nobody adjusts a wallet of their own")
    second_factor_check(verified_at)
    if amount_cents == 0 or not reason.strip():
        raise MalformedPosting("an adjustment moves something, for a reason")
    alone = within_alone_limit(actor, amount_cents)
    adjustment, new = Adjustment.objects.get_or_create(
        proposed_by=actor,
        client_key=client_key,
        defaults={
            "user": user,
            "amount_cents": amount_cents,
            "reason": reason.strip(),
            "alone": alone,
            "state": AdjustmentState.BOOKED if alone else AdjustmentState.PROPOSED,
        },
    )
    if not new:
        if (adjustment.user_id, adjustment.amount_cents) != (user.pk, amount_cents):
            raise KeyConflict(client_key)
        return adjustment
    _journal(adjustment, actor, "adjustment.give" if alone else "adjustment.propose", {})
    if alone:
        _book(adjustment)
    return adjustment


@transaction.atomic
def adjustment_approve(
    *, adjustment_id: int, actor: User, verified_at: datetime | None
) -> Adjustment:
    """Second administrator: book it.

    Raises `NotAllowed`, `SecondFactorStale`, `WrongState`, `InsufficientCredits`, and what
    `two_people_check` does.
    """
    adjustment = _locked_for(adjustment_id, actor, verified_at)
    if adjustment.state == AdjustmentState.BOOKED and adjustment.decided_by_id == actor.pk:
        return adjustment
    _waiting_check(adjustment)
    two_people_check(
        first_id=adjustment.proposed_by_id,
        second=actor,
        right="ledger.adjust_credits",
        since=adjustment.proposed_at,
        reference=adjustment.reference,
    )
    _decide(adjustment, actor, AdjustmentState.BOOKED, "approved")
    _book(adjustment)
    return adjustment


@transaction.atomic
def adjustment_refuse(
    *, adjustment_id: int, actor: User, reason: str, verified_at: datetime | None
) -> Adjustment:
    """Second administrator: no. Raises `NotAllowed`, `SecondFactorStale`, `WrongState`."""
    adjustment = _locked_for(adjustment_id, actor, verified_at)
    if adjustment.state == AdjustmentState.REFUSED and adjustment.decided_by_id == actor.pk:
        return adjustment
    _decide(adjustment, actor, AdjustmentState.REFUSED, reason)
    return adjustment


def _locked_for(adjustment_id: int, actor: User, verified_at: datetime | None) -> Adjustment:
    right_check(actor, "adjust_credits")
    second_factor_check(verified_at)
    adjustment = Adjustment.objects.select_for_update(no_key=True).get(pk=adjustment_id)
    second_person_check(adjustment.proposed_by_id, actor)
    second_person_check(adjustment.user_id, actor)
    return adjustment


def _decide(adjustment: Adjustment, actor: User, state: AdjustmentState, reason: str) -> None:
    _waiting_check(adjustment)
    Adjustment.objects.filter(pk=adjustment.pk).update(
        state=state, decided_by=actor, decided_at=Now()
    )
    adjustment.refresh_from_db()
    verb = "adjustment.approve" if state == AdjustmentState.BOOKED else "adjustment.refuse"
    _journal(adjustment, actor, verb, {"state": AdjustmentState.PROPOSED}, reason)


def _waiting_check(adjustment: Adjustment) -> None:
    if adjustment.state != AdjustmentState.PROPOSED:
        raise WrongState(adjustment.reference, adjustment.state)


def _book(adjustment: Adjustment) -> None:
    transfer_post(
        key=adjustment.reference,
        kind="adjust",
        reference=adjustment.reference,
        lines=lines_of(
            {
                ADJUSTMENT: -adjustment.amount_cents,
                wallet_key(adjustment.user_id): adjustment.amount_cents,
            }
        ),
        actor=adjustment.proposed_by,
        approver=adjustment.decided_by,
        memo=adjustment.reason,
    )


def _journal(
    adjustment: Adjustment,
    actor: User,
    verb: str,
    before: dict[str, str],
    reason: str = "",
) -> None:
    journal_record(
        actor=actor,
        verb=verb,
        subject=adjustment.reference,
        before=before,
        after={
            "state": adjustment.state,
            "user": adjustment.user_id,
            "amount_cents": adjustment.amount_cents,
        },
        reason=reason or adjustment.reason,
    )
