"""Vouchers: credits for a code, redeemed once. Codes are shown once, when created."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Sum
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from ledger.errors import (
    MalformedPosting,
    NotAllowed,
    ProposalStale,
    VoucherRefused,
    WrongState,
)
from ledger.models import Proposal, Voucher
from ledger.services.books import Posted, credits_issue
from ledger.services.decisions import (
    journal_record,
    may_decide_alone,
    right_check,
    second_factor_check,
)
from ledger.services.proposals import proposal_kind, proposal_make

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # no look-alikes
CODE_LETTERS = 16  # 78 bits
COUNT_MAX = 100
KIND: Final = "voucher.confirm"
PERMISSION: Final = "ledger.make_voucher"


@dataclass(frozen=True, slots=True)
class NewVoucher:
    """A new voucher; `code` is stored nowhere."""

    voucher: Voucher
    code: str


@transaction.atomic
def voucher_make(
    *,
    actor: User,
    amount_cents: int,
    count: int = 1,
    note: str,
    verified_at: datetime | None,
    expires_at: datetime | None = None,
) -> tuple[NewVoucher, ...]:
    """Create vouchers. A large batch can be redeemed after a second person has confirmed it.

    Large: with what this administrator moved alone within 24 hours, revoked vouchers included, it
    is more than LEDGER_ALONE_CENTS (`may_decide_alone`). All that one makes in 24 hours stays
    within LEDGER_VOUCHER_DAY_CENTS. `verified_at` is when the second factor was shown. Raises
    `NotAllowed` beyond that sum or without the right, `SecondFactorStale`, `MalformedPosting`.
    """
    right_check(actor, "make_voucher")
    second_factor_check(verified_at)
    if amount_cents <= 0 or not 1 <= count <= COUNT_MAX or not note.strip():
        raise MalformedPosting(f"1 to {COUNT_MAX} vouchers of more than nothing, with a note")
    get_user_model().objects.select_for_update(no_key=True).get(pk=actor.pk)  # one batch at a time
    _day_check(actor, amount_cents * count)
    alone = may_decide_alone(actor, amount_cents * count)
    new = Voucher(
        amount_cents=amount_cents,
        note=note.strip(),
        made_by=actor,
        expires_at=expires_at,
        alone=alone,
    )
    made = tuple(_make(new) for _ in range(count))
    journal_record(
        actor=actor,
        verb="voucher.make",
        subject=made[0].voucher.reference,
        before={},
        after={"amount_cents": amount_cents, "ids": [each.voucher.pk for each in made]},
        reason=note.strip(),
    )
    if not alone:
        _propose(made, actor, verified_at)
    return made


@transaction.atomic
def voucher_redeem(*, user: User, code: str) -> Posted:
    """Move a voucher's credits into the wallet, once; the same person may repeat it.

    Raises `VoucherRefused` with the reason: unknown, own, revoked, expired, unconfirmed or used.
    """
    digest = code_digest(code)
    voucher = Voucher.objects.select_for_update(no_key=True).filter(code_digest=digest).first()
    if voucher is None:
        raise VoucherRefused("unknown")
    if voucher.redeemed_by_id is None:
        _redeemable_check(voucher, user)
        Voucher.objects.filter(pk=voucher.pk).update(redeemed_by=user, redeemed_at=Now())
    elif voucher.redeemed_by_id != user.pk:
        raise VoucherRefused("used")
    return credits_issue(
        user=user,
        amount_cents=voucher.amount_cents,
        key=voucher.reference,
        kind="voucher",
        campaign="vouchers",
        memo=f"Voucher …{voucher.hint}",
    )


@transaction.atomic
def voucher_revoke(*, voucher_id: int, actor: User, reason: str) -> Voucher:
    """Make an unused voucher worthless. Raises `WrongState` for a used one, `NotAllowed`."""
    right_check(actor, "make_voucher")
    voucher = Voucher.objects.select_for_update(no_key=True).get(pk=voucher_id)
    if voucher.redeemed_by_id is not None:
        raise WrongState(voucher.reference, "used")
    if voucher.revoked_by_id is None:
        _revoke(voucher, actor, reason)
        voucher.refresh_from_db()
    return voucher


def code_digest(code: str) -> bytes:
    """SHA-256 of the code's letters, whatever its case, spaces and hyphens."""
    return sha256("".join(code.upper().replace("-", "").split()).encode()).digest()


def _make(new: Voucher) -> NewVoucher:
    """Store one more voucher like this one, with a code of its own."""
    letters = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LETTERS))
    code = "-".join(letters[start : start + 4] for start in range(0, CODE_LETTERS, 4))
    voucher = Voucher.objects.create(
        code_digest=code_digest(code),
        hint=letters[-4:],
        amount_cents=new.amount_cents,
        note=new.note,
        made_by=new.made_by,
        expires_at=new.expires_at,
        alone=new.alone,
    )
    return NewVoucher(voucher, code)


def _day_check(actor: User, amount_cents: int) -> None:
    """Raise `NotAllowed` where so much more is more than anybody makes in 24 hours."""
    day_cents = settings.LEDGER_VOUCHER_DAY_CENTS
    since = timezone.now() - timedelta(days=1)
    made = Voucher.objects.filter(made_by=actor, made_at__gt=since)
    made_cents = made.aggregate(sum=Sum("amount_cents"))["sum"] or 0
    if made_cents + amount_cents > day_cents:
        raise NotAllowed(f"one administrator makes vouchers of {day_cents} cents in 24 hours")


def _propose(made: tuple[NewVoucher, ...], actor: User, verified_at: datetime | None) -> None:
    first = made[0].voucher
    content: dict[str, Any] = {
        "ids": [new.voucher.pk for new in made],
        "amount_cents": first.amount_cents,
        "count": len(made),
        "expires_at": first.expires_at.isoformat() if first.expires_at else None,
    }
    proposal_make(
        actor=actor,
        kind=KIND,
        subject=first.reference,
        content=content,
        before={"confirmed": False},
        reason=first.note,
        verified_at=verified_at,
    )


def _open_of(proposal: Proposal) -> list[Voucher]:
    """Vouchers of a batch that wait and are not revoked, locked in the order of their ids."""
    batch = Voucher.objects.select_for_update(no_key=True).filter(pk__in=proposal.content["ids"])
    found = list(batch.order_by("pk"))
    return [each for each in found if each.waits and each.revoked_by_id is None]


def _revoke_batch(proposal: Proposal) -> None:
    """Revoke a batch that was refused, or that its maker took back."""
    assert proposal.decided_by is not None
    for voucher in _open_of(proposal):
        _revoke(voucher, proposal.decided_by, proposal.decision_reason or proposal.reason)


@proposal_kind(KIND, permission=PERMISSION, ended=_revoke_batch)
def _confirm(proposal: Proposal, actor: User) -> None:
    """Release the vouchers of a batch; revoked ones stay revoked."""
    waiting = _open_of(proposal)
    if not waiting:
        raise ProposalStale(proposal.reference, ["revoked"])
    ids = [voucher.pk for voucher in waiting]
    Voucher.objects.filter(pk__in=ids).update(confirmed_by=actor, confirmed_at=Now())


def _revoke(voucher: Voucher, actor: User, reason: str) -> None:
    Voucher.objects.filter(pk=voucher.pk).update(revoked_by=actor, revoked_at=Now())
    journal_record(
        actor=actor,
        verb="voucher.revoke",
        subject=voucher.reference,
        before={"revoked": False},
        after={"revoked": True},
        reason=reason,
    )


def _redeemable_check(voucher: Voucher, user: User) -> None:
    if voucher.revoked_by_id is not None:
        raise VoucherRefused("revoked")
    if voucher.expires_at is not None and voucher.expires_at <= timezone.now():
        raise VoucherRefused("expired")
    if user.pk in (voucher.made_by_id, voucher.confirmed_by_id):
        raise VoucherRefused("own")
    if voucher.waits:
        raise VoucherRefused("unconfirmed")
