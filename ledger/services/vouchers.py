"""Vouchers: credits for whoever says the code, once. Codes are shown when made, never again."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import Sum
from django.db.models.functions import Now
from django.utils import timezone

from ledger.errors import MalformedPosting, NotAllowed, VoucherRefused, WrongState
from ledger.models import Voucher
from ledger.services.books import Posted, credits_issue
from ledger.services.desk import journal_record, right_check, second_factor_check

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # nothing that looks like something else
CODE_LETTERS = 16  # 78 bits
COUNT_MAX = 100


@dataclass(frozen=True, slots=True)
class NewVoucher:
    """A voucher just made; `code` is not kept anywhere else."""

    voucher: Voucher
    code: str


@transaction.atomic
def voucher_make(
    *,
    actor: AbstractUser,
    amount_cents: int,
    count: int = 1,
    note: str,
    verified_at: datetime | None,
    expires_at: datetime | None = None,
) -> tuple[NewVoucher, ...]:
    """Make vouchers. One administrator makes a limited sum of them in 24 hours, revoked ones
    included.

    `verified_at` is when the second factor was shown. Raises `NotAllowed` beyond that sum or
    without the right, `SecondFactorStale`, `MalformedPosting`.
    """
    right_check(actor, "make_voucher")
    second_factor_check(verified_at)
    if amount_cents <= 0 or not 1 <= count <= COUNT_MAX or not note.strip():
        raise MalformedPosting(f"1 to {COUNT_MAX} vouchers of more than nothing, with a note")
    get_user_model().objects.select_for_update(no_key=True).get(pk=actor.pk)  # one batch at a time
    _day_check(actor, amount_cents * count)
    made = tuple(_make(actor, amount_cents, note.strip(), expires_at) for _ in range(count))
    journal_record(
        actor=actor,
        verb="voucher.make",
        subject=made[0].voucher.reference,
        before={},
        after={"amount_cents": amount_cents, "ids": [new.voucher.pk for new in made]},
        reason=note.strip(),
    )
    return made


@transaction.atomic
def voucher_redeem(*, user: AbstractUser, code: str) -> Posted:
    """Move a voucher's credits into the wallet, once; the same person may say it again.

    Raises `VoucherRefused` with the reason: unknown, own, revoked, expired or used.
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
def voucher_revoke(*, voucher_id: int, actor: AbstractUser, reason: str) -> Voucher:
    """Make an unused voucher worthless. Raises `WrongState` for a used one, `NotAllowed`."""
    right_check(actor, "make_voucher")
    voucher = Voucher.objects.select_for_update(no_key=True).get(pk=voucher_id)
    if voucher.redeemed_by_id is not None:
        raise WrongState(voucher.reference, "used")
    if voucher.revoked_by_id is None:
        Voucher.objects.filter(pk=voucher.pk).update(revoked_by=actor, revoked_at=Now())
        journal_record(
            actor=actor,
            verb="voucher.revoke",
            subject=voucher.reference,
            before={"revoked": False},
            after={"revoked": True},
            reason=reason,
        )
        voucher.refresh_from_db()
    return voucher


def code_digest(code: str) -> bytes:
    """SHA-256 of the code's letters, whatever its case, spaces and hyphens."""
    return sha256("".join(code.upper().replace("-", "").split()).encode()).digest()


def _make(
    actor: AbstractUser, amount_cents: int, note: str, expires_at: datetime | None
) -> NewVoucher:
    letters = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LETTERS))
    code = "-".join(letters[start : start + 4] for start in range(0, CODE_LETTERS, 4))
    voucher = Voucher.objects.create(
        code_digest=code_digest(code),
        hint=letters[-4:],
        amount_cents=amount_cents,
        note=note,
        made_by=actor,
        expires_at=expires_at,
    )
    return NewVoucher(voucher, code)


def _day_check(actor: AbstractUser, amount_cents: int) -> None:
    day_cents = settings.LEDGER_VOUCHER_DAY_CENTS
    since = timezone.now() - timedelta(days=1)
    made = Voucher.objects.filter(made_by=actor, made_at__gt=since)
    made_cents = made.aggregate(sum=Sum("amount_cents"))["sum"] or 0
    if made_cents + amount_cents > day_cents:
        raise NotAllowed(f"one administrator makes vouchers of {day_cents} cents in 24 hours")


def _redeemable_check(voucher: Voucher, user: AbstractUser) -> None:
    if voucher.revoked_by_id is not None:
        raise VoucherRefused("revoked")
    if voucher.expires_at is not None and voucher.expires_at <= timezone.now():
        raise VoucherRefused("expired")
    if voucher.made_by_id == user.pk:
        raise VoucherRefused("own")
