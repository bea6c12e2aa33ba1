"""Payouts: a player asks, one administrator approves, a second one settles.

The payout's row is locked first, the books are written last. Every step may be said twice or at
once and happens once; the credits are in a hold from the request to the end.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from ledger.errors import KeyConflict, MalformedPosting, NotAllowed, PayoutWaits, WrongState
from ledger.mails import step_mail
from ledger.models import Payout, PayoutState, PayoutStep
from ledger.postings import PAYOUT_PAID, hold_key, lines_of, wallet_key
from ledger.services.books import transfer_post
from ledger.services.database import refusals_told
from ledger.services.desk import (
    journal_record,
    right_check,
    second_factor_check,
    second_person_check,
)


@transaction.atomic
def payout_request(
    *, user: AbstractUser, amount_cents: int, destination: str, note: str = "", client_key: str
) -> Payout:
    """Put credits aside for a payout. `client_key` is the player's own word for this request.

    Raises `MalformedPosting` (amount, destination), `InsufficientCredits`, `AccountFrozen`, and
    `KeyConflict` when the word was used for another request.
    """
    if user.is_bot:
        raise NotAllowed("bots have no payouts")
    minimum_cents = settings.LEDGER_PAYOUT_MINIMUM_CENTS
    if amount_cents < minimum_cents:
        raise MalformedPosting(f"a payout is at least {minimum_cents} cents")
    if not destination.strip():
        raise MalformedPosting("a payout goes somewhere: the destination is empty")
    payout, new = Payout.objects.get_or_create(
        user=user,
        client_key=client_key,
        defaults={
            "amount_cents": amount_cents,
            "destination": destination.strip(),
            "note": note.strip(),
            "four_eyes": not settings.LEDGER_SINGLE_ADMINISTRATOR,
            "not_before": Now() + _wait(amount_cents),
        },
    )
    if not new:
        if (payout.amount_cents, payout.destination) != (amount_cents, destination.strip()):
            raise KeyConflict(client_key)
        return payout
    payout.refresh_from_db()
    _step(payout, user)
    _move(payout, "payout_request", f"{payout.reference}:request")
    return payout


@transaction.atomic
def payout_approve(
    *, payout_id: int, actor: AbstractUser, verified_at: datetime | None, reason: str = ""
) -> Payout:
    """First administrator: it is right. Raises `NotAllowed`, `SecondFactorStale`, `WrongState`."""
    payout = _locked_for(payout_id, actor, verified_at)
    if payout.state == PayoutState.APPROVED and payout.approved_by_id == actor.pk:
        return payout
    return _change(
        payout,
        PayoutState.APPROVED,
        actor,
        reason or "approved",
        approved_by=actor,
        approved_at=Now(),
    )


@transaction.atomic
def payout_settle(
    *, payout_id: int, actor: AbstractUser, verified_at: datetime | None, receipt: str
) -> Payout:
    """Second administrator: it has been paid; `receipt` says how (a transaction's number).

    Raises `NotAllowed` for the one who approved it, `PayoutWaits`, `WrongState`,
    `SecondFactorStale`.
    """
    payout = _locked_for(payout_id, actor, verified_at)
    if payout.state == PayoutState.PAID and payout.closed_by_id == actor.pk:
        return payout
    if payout.state != PayoutState.APPROVED:
        raise WrongState(payout.reference, payout.state)
    if payout.four_eyes and payout.approved_by_id is not None:
        second_person_check(payout.approved_by_id, actor)
    if timezone.now() < payout.not_before:
        raise PayoutWaits(payout.reference, payout.not_before.isoformat())
    if not receipt.strip():
        raise MalformedPosting("a settled payout has a receipt")
    return _close(
        payout, PayoutState.PAID, actor, f"paid: {receipt.strip()}", receipt=receipt.strip()
    )


@transaction.atomic
def payout_decline(
    *, payout_id: int, actor: AbstractUser, verified_at: datetime | None, reason: str
) -> Payout:
    """Give the credits back and say why. Raises `WrongState`, `NotAllowed`, `SecondFactorStale`."""
    payout = _locked_for(payout_id, actor, verified_at)
    return _give_back(payout, PayoutState.DECLINED, actor, reason)


@transaction.atomic
def payout_fail(
    *, payout_id: int, actor: AbstractUser, verified_at: datetime | None, reason: str
) -> Payout:
    """The approved payment did not arrive: the credits go back. Raises as `payout_decline`."""
    payout = _locked_for(payout_id, actor, verified_at)
    if payout.state == PayoutState.REQUESTED:
        raise WrongState(payout.reference, payout.state)
    return _give_back(payout, PayoutState.FAILED, actor, reason)


@transaction.atomic
def payout_cancel(*, payout_id: int, user: AbstractUser) -> Payout:
    """The player takes the request back while it is open. Raises `WrongState`, `NotAllowed`."""
    payout = Payout.objects.select_for_update(no_key=True).get(pk=payout_id)
    if payout.user_id != user.pk:
        raise NotAllowed("a payout is cancelled by the player who asked for it")
    return _give_back(payout, PayoutState.CANCELLED, user, "cancelled by the player")


def _locked_for(payout_id: int, actor: AbstractUser, verified_at: datetime | None) -> Payout:
    """The payout, locked, once it is certain that this administrator may decide about it."""
    right_check(actor, "decide_payout")
    second_factor_check(verified_at)
    payout = Payout.objects.select_for_update(no_key=True).get(pk=payout_id)
    second_person_check(payout.user_id, actor)
    return payout


def _give_back(payout: Payout, state: PayoutState, actor: AbstractUser, reason: str) -> Payout:
    if payout.state == state and payout.closed_by_id == actor.pk:
        return payout
    if payout.state not in (PayoutState.REQUESTED, PayoutState.APPROVED):
        raise WrongState(payout.reference, payout.state)
    if not reason.strip():
        raise MalformedPosting("giving a payout back needs a reason")
    return _close(payout, state, actor, reason.strip())


def _close(
    payout: Payout, state: PayoutState, actor: AbstractUser, reason: str, receipt: str = ""
) -> Payout:
    _change(payout, state, actor, reason, closed_by=actor, closed_at=Now(), receipt=receipt)
    kind = "payout_paid" if state == PayoutState.PAID else "payout_return"
    _move(payout, kind, f"{payout.reference}:resolve", actor=actor, memo=reason)
    return payout


def _change(
    payout: Payout, state: PayoutState, actor: AbstractUser, reason: str, **fields: object
) -> Payout:
    """Bring the payout to its next state, with a step for the player and a journal entry."""
    before = payout.state
    if state == PayoutState.APPROVED and before != PayoutState.REQUESTED:
        raise WrongState(payout.reference, before)
    with refusals_told():
        Payout.objects.filter(pk=payout.pk).update(state=state, reason=reason, **fields)
    payout.refresh_from_db()
    _step(payout, actor)
    if actor.pk != payout.user_id:
        journal_record(
            actor=actor,
            verb=f"payout.{state}",
            subject=payout.reference,
            before={"state": before},
            after={"state": state, "amount_cents": payout.amount_cents},
            reason=reason,
        )
    return payout


def _step(payout: Payout, actor: AbstractUser) -> None:
    """Keep the step, with the mail about it in the outbox."""
    mail = step_mail(payout, PayoutState(payout.state), payout.reason)
    PayoutStep.objects.create(
        payout=payout, state=payout.state, actor=actor, reason=payout.reason, mail=mail
    )


def _move(
    payout: Payout, kind: str, key: str, actor: AbstractUser | None = None, memo: str = ""
) -> None:
    """Book the request, the payment or the return: the last statement of the transaction."""
    hold, wallet = hold_key(payout.reference), wallet_key(payout.user_id)
    amount = payout.amount_cents
    amounts = {
        "payout_request": {wallet: -amount, hold: amount},
        "payout_paid": {hold: -amount, PAYOUT_PAID: amount},
        "payout_return": {hold: -amount, wallet: amount},
    }[kind]
    transfer_post(
        key=key,
        kind=kind,
        reference=payout.reference,
        lines=lines_of(amounts),
        actor=actor,
        memo=memo[:500],
    )


def _wait(amount_cents: int) -> timedelta:
    large_cents = settings.LEDGER_PAYOUT_LARGE_CENTS
    hours = settings.LEDGER_PAYOUT_WAIT_HOURS
    return timedelta(hours=hours if amount_cents >= large_cents else 0)
