"""Payouts: a player requests one, an administrator approves it, a second one takes and pays it.

The payout's row is locked first, the books are written last. Every step may be repeated or made at
once and happens once; the credits are in a hold from the request to the end. The states and the
way between them are in `ledger/payout_states.py`.
"""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from accounts.grants import first_fault
from accounts.models import User
from accounts.selectors import verified_address
from kit.plain_text import line_fault, normal, text_fault
from ledger.errors import (
    AddressUnverified,
    CancelAsked,
    DecisionAged,
    FirstPersonGone,
    KeyConflict,
    MalformedPosting,
    NotAllowed,
    PayoutWaits,
    ProofStale,
    UnreadableText,
    WrongState,
)
from ledger.mails import step_mail
from ledger.models import CLAIM_TIME, Payout, PayoutState, PayoutStep
from ledger.payout_states import STATES
from ledger.postings import PAYOUT_PAID, hold_key, lines_of, wallet_key
from ledger.selectors_player import payout_minimum_cents
from ledger.services.books import transfer_post
from ledger.services.database import refusals_told
from ledger.services.decisions import (
    journal_record,
    right_check,
    second_factor_check,
    second_person_check,
    two_people_check,
)

RIGHT: Final = "ledger.decide_payout"


@transaction.atomic
def payout_request(
    *,
    user: User,
    amount_cents: int,
    destination: str,
    note: str = "",
    client_key: str,
    verified_at: datetime | None,
) -> Payout:
    """Put credits aside for a payout. `client_key` is the player's own word for this request.

    `verified_at` is when the player last gave a password, a passkey or a second factor in this
    session. Raises `NotAllowed` (a bot), `ProofStale`, `AddressUnverified`, `MalformedPosting`
    (amount, destination), `UnreadableText` (destination, note), `InsufficientCredits`,
    `CreditsLocked`, `AccountFrozen`, and `KeyConflict` when the word was used for another request.
    """
    _player_check(user, verified_at)
    destination, note = normal(destination), note.strip()
    _wish_check(amount_cents, destination, note)
    with refusals_told():
        payout, new = Payout.objects.get_or_create(
            user=user,
            client_key=client_key,
            defaults={
                "amount_cents": amount_cents,
                "destination": destination,
                "note": note,
                "four_eyes": not settings.LEDGER_SINGLE_ADMINISTRATOR,
                "large_from_cents": settings.LEDGER_PAYOUT_LARGE_CENTS,
                "wait_hours": settings.LEDGER_PAYOUT_WAIT_HOURS,
            },
        )
    if not new:
        if (payout.amount_cents, payout.destination) != (amount_cents, destination):
            raise KeyConflict(client_key)
        return payout
    payout.refresh_from_db()
    _step(payout, user)
    _move(payout, "payout_request", f"{payout.reference}:request")
    return payout


@transaction.atomic
def payout_approve(
    *, payout_id: int, actor: User, verified_at: datetime | None, reason: str = ""
) -> Payout:
    """First administrator: it is right. Raises `NotAllowed`, `SecondFactorStale`, `WrongState`,
    `AccountFrozen`."""
    payout = _locked_for(payout_id, actor, verified_at)
    if payout.state == PayoutState.APPROVED and payout.approved_by_id == actor.pk:
        return payout
    if payout.cancel_asked_at is not None:
        raise CancelAsked(f"the player asks to cancel {payout.reference}")
    approval = {"approved_by": actor, "approved_at": Now()}
    return _change(payout, PayoutState.APPROVED, actor, reason or "approved", **approval)


@transaction.atomic
def payout_claim(
    *, payout_id: int, actor: User, verified_at: datetime | None, reason: str = ""
) -> Payout:
    """As the second administrator, take the payout for payment; no one else can end it then.

    One that another person took is taken over `CLAIM_TIME` later, with a reason. Raises
    `NotAllowed` for the one who approved it, `PayoutWaits`, `CancelAsked`, `AccountFrozen`,
    `WrongState`, `SecondFactorStale`. One whose approval no longer stands goes back to its request
    instead, here and in `payout_settle`.
    """
    payout = _locked_for(payout_id, actor, verified_at)
    if payout.state == PayoutState.PAYING and payout.claimed_by_id == actor.pk:
        return payout
    if not _approval_stands(payout, actor):
        return _approve_again(payout, actor)
    if payout.state == PayoutState.PAYING:
        return _take_over(payout, actor, reason)
    if payout.cancel_asked_at is not None:
        raise CancelAsked(f"the player asks to cancel {payout.reference}")
    if payout.state == PayoutState.APPROVED and timezone.now() < payout.not_before:
        raise PayoutWaits(payout.reference, payout.not_before.isoformat())
    claim = {"claimed_by": actor, "claimed_at": Now()}
    return _change(payout, PayoutState.PAYING, actor, reason or "taken to be paid", **claim)


@transaction.atomic
def payout_settle(
    *, payout_id: int, actor: User, verified_at: datetime | None, receipt: str
) -> Payout:
    """Settle a payout as the one who took it; `receipt` is for example a transaction's number.

    Raises `NotAllowed` for all others, `AccountFrozen`, `WrongState`, `SecondFactorStale`,
    `MalformedPosting` without a receipt.
    """
    payout = _locked_for(payout_id, actor, verified_at)
    if payout.state == PayoutState.PAID and payout.closed_by_id == actor.pk:
        return payout
    _own_claim_check(payout, actor)
    _text_check("receipt", receipt)
    if not receipt.strip():
        raise MalformedPosting("a settled payout has a receipt")
    if not _approval_stands(payout, actor):  # the account may be theirs by now
        return _approve_again(payout, actor)
    return _close(
        payout, PayoutState.PAID, actor, f"paid: {receipt.strip()}", receipt=receipt.strip()
    )


@transaction.atomic
def payout_decline(
    *, payout_id: int, actor: User, verified_at: datetime | None, reason: str
) -> Payout:
    """Return the credits with a reason, before it is taken for payment.

    Raises `WrongState`, `NotAllowed`, `SecondFactorStale`, `MalformedPosting` without a reason.
    """
    payout = _locked_for(payout_id, actor, verified_at)
    return _give_back(payout, PayoutState.DECLINED, actor, reason)


@transaction.atomic
def payout_fail(
    *, payout_id: int, actor: User, verified_at: datetime | None, reason: str
) -> Payout:
    """The payment of the one who took it did not arrive: the credits go back.

    Raises as `payout_decline`, and `NotAllowed` for all others.
    """
    payout = _locked_for(payout_id, actor, verified_at)
    if payout.state == PayoutState.PAYING:
        _own_claim_check(payout, actor)
    return _give_back(payout, PayoutState.FAILED, actor, reason)


@transaction.atomic
def payout_cancel_asked(
    *, payout_id: int, actor: User, verified_at: datetime | None, reason: str
) -> Payout:
    """Cancel as the player requested: nothing was paid, the credits go back.

    Only the person who took the payout can know whether it was paid. Raises as `payout_fail`, and
    `WrongState` without a request of the player.
    """
    payout = _locked_for(payout_id, actor, verified_at)
    if payout.state == PayoutState.PAYING:
        _own_claim_check(payout, actor)
    if payout.cancel_asked_at is None:
        raise WrongState(payout.reference, payout.state)
    return _give_back(payout, PayoutState.CANCELLED, actor, reason)


@transaction.atomic
def payout_cancel(*, payout_id: int, user: User) -> Payout:
    """Cancel a request of the player; after the approval, ask the administrators to cancel it.

    Answers the payout: cancelled, or still open with `cancel_asked_at`. Raises `WrongState` after
    its end, `NotAllowed` for all others.
    """
    payout = Payout.objects.select_for_update(no_key=True).get(pk=payout_id)
    if payout.user_id != user.pk:
        raise NotAllowed("a payout is cancelled by the player who asked for it")
    if payout.state not in (PayoutState.APPROVED, PayoutState.PAYING):
        return _give_back(payout, PayoutState.CANCELLED, user, "cancelled by the player")
    if payout.cancel_asked_at is None:
        with refusals_told():
            Payout.objects.filter(pk=payout.pk).update(cancel_asked_at=Now())
        payout.refresh_from_db()
    return payout


def _player_check(user: User, verified_at: datetime | None) -> None:
    """Raise unless a person with a proved mailbox has just shown to be there."""
    if getattr(user, "is_bot", True):
        raise NotAllowed("a bot is paid nothing")
    now, allowed = timezone.now(), timedelta(seconds=settings.LEDGER_SECOND_FACTOR_SECONDS)
    if verified_at is None or not now - allowed <= verified_at <= now:
        raise ProofStale(
            "a payout asks for your password, a passkey or a code of your second factor again;"
            " give it on the page, in this session"
        )
    if verified_address(user) is None:
        raise AddressUnverified("a payout needs a mail address that you have confirmed")


def _wish_check(amount_cents: int, destination: str, note: str) -> None:
    minimum_cents = payout_minimum_cents()
    if amount_cents < minimum_cents:
        raise MalformedPosting(f"a payout is at least {minimum_cents} cents")
    if not destination:
        raise MalformedPosting("a payout goes somewhere: the destination is empty")
    if fault := line_fault(destination):
        raise UnreadableText("destination", fault)
    _text_check("note", note)


def _text_check(what: str, text: str) -> None:
    if fault := text_fault(text):
        raise UnreadableText(what, fault)


def _locked_for(payout_id: int, actor: User, verified_at: datetime | None) -> Payout:
    """The payout, locked, once it is certain that this administrator may decide about it."""
    right_check(actor, "decide_payout")
    second_factor_check(verified_at)
    payout = Payout.objects.select_for_update(no_key=True).get(pk=payout_id)
    second_person_check(payout.user_id, actor)
    return payout


def _approval_stands(payout: Payout, actor: User) -> bool:
    """Whether a payout can be paid by this person on its approval; False if it must be approved
    again, because it is old or the one who gave it may not any more. Raises as `two_people_check`.
    """
    if payout.approved_by_id is None or payout.approved_at is None:
        return True  # it is in no state in which it could be paid
    if not payout.four_eyes:
        return first_fault(payout.approved_by_id, RIGHT, payout.approved_at) is None
    try:
        two_people_check(
            first_id=payout.approved_by_id,
            second=actor,
            right=RIGHT,
            since=payout.approved_at,
            reference=payout.reference,
        )
    except (DecisionAged, FirstPersonGone):
        return False
    return True


def _approve_again(payout: Payout, actor: User) -> Payout:
    """Send a payout back to its request; nothing is paid, and its credits stay in the hold."""
    nobody = dict.fromkeys(("approved_by", "approved_at", "claimed_by", "claimed_at"))
    return _change(payout, PayoutState.REQUESTED, actor, "", **nobody)


def _own_claim_check(payout: Payout, actor: User) -> None:
    """Raise unless this administrator took the payout to pay it."""
    if payout.state != PayoutState.PAYING:
        raise WrongState(payout.reference, payout.state)
    if payout.claimed_by_id != actor.pk:
        raise NotAllowed("a payout is ended by the administrator who took it to pay it")


def _take_over(payout: Payout, actor: User, reason: str) -> Payout:
    """Take a payout from an administrator who took it long ago and did not end it."""
    assert payout.claimed_at is not None
    assert payout.claimed_by is not None
    if timezone.now() < payout.claimed_at + CLAIM_TIME:
        raise WrongState(payout.reference, payout.state)
    if not reason.strip():
        raise MalformedPosting("taking over a payout needs a reason")
    before = payout.claimed_by.get_username()
    with refusals_told():
        Payout.objects.filter(pk=payout.pk).update(claimed_by=actor)
    payout.refresh_from_db()
    journal_record(
        actor=actor,
        verb="payout.taken_over",
        subject=payout.reference,
        before={"paid_by": before},
        after={"paid_by": actor.get_username(), "amount_cents": payout.amount_cents},
        reason=reason.strip(),
    )
    return payout


def _give_back(payout: Payout, state: PayoutState, actor: User, reason: str) -> Payout:
    if payout.state == state and payout.closed_by_id == actor.pk:
        return payout
    if not reason.strip():
        raise MalformedPosting("giving a payout back needs a reason")
    return _close(payout, state, actor, reason.strip())


def _close(
    payout: Payout, state: PayoutState, actor: User, reason: str, receipt: str = ""
) -> Payout:
    _change(payout, state, actor, reason, closed_by=actor, closed_at=Now(), receipt=receipt)
    kind = "payout_paid" if STATES[state].good else "payout_return"
    _move(payout, kind, f"{payout.reference}:resolve", actor=actor, memo=reason)
    return payout


def _change(
    payout: Payout, state: PayoutState, actor: User, reason: str, **fields: object
) -> Payout:
    """Bring the payout to its next state, with a step for the player and a journal entry."""
    before = PayoutState(payout.state)
    if state not in STATES[before].next:
        raise WrongState(payout.reference, before)
    _text_check("reason", reason)
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
            reason=reason or "its approval no longer stands",
        )
    return payout


def _step(payout: Payout, actor: User) -> None:
    """Keep the step, with the mail about it in the outbox."""
    again = payout.state == PayoutState.REQUESTED and actor.pk != payout.user_id
    mail = None if again else step_mail(payout, PayoutState(payout.state), payout.reason)
    PayoutStep.objects.create(
        payout=payout, state=payout.state, actor=actor, reason=payout.reason, mail=mail
    )


def _move(payout: Payout, kind: str, key: str, actor: User | None = None, memo: str = "") -> None:
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
