"""Writing the books: every movement of credits is one of these calls, and each is one round trip.

All functions join the caller's transaction. Call them last in it: the accounts stay locked until
commit. One posting per transaction where others may run at the same time; two could lock accounts
in the wrong order (docs/locking.md). Saying the same thing twice moves nothing twice and answers
the same.

Retrying is the caller's: roll back, then run the whole transaction again with the same key, on the
SQLSTATEs of `ledger.errors.RETRYABLE_SQLSTATES` and on a lost connection.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from django.db import transaction

from accounts.models import User
from ledger.errors import AccountUnknown, EscrowMismatch, MalformedPosting, StakesStopped
from ledger.models import Account, Transfer, Warrant, Welcome
from ledger.postings import (
    HOUSE_RAKE,
    Posting,
    PostingLine,
    account_kind,
    escrow_key,
    lines_of,
    negated,
    promo_key,
    wallet_key,
)
from ledger.selectors import stakes_stop_of
from ledger.services.database import call

Resolution = Literal["result", "void", "tie", "adjudicate"]

_POST = (
    "SELECT posted_id, replayed"
    " FROM ledger_post(%s, %s, %s, %s::text[], %s::bigint[], %s, %s, %s, %s)"
)


@dataclass(frozen=True, slots=True)
class Posted:
    """The transfer's id, and whether it had been booked before."""

    transfer_id: int
    replayed: bool


def wallet_open(*, user: User) -> Account:
    """The player's wallet, opened if there is none."""
    (account_id,) = call("SELECT ledger_wallet_open(%s)", [user.pk])
    return Account.objects.get(pk=account_id)


def stakes_escrow(
    *, reference: str, stakes: Mapping[int, int], scopes: Iterable[str] = ()
) -> Posted:
    """Move every player's stake (user id -> cents) into the escrow of `reference`, all or none.

    `scopes` are the scopes under which the house may have stopped new stakes, besides ``house``.
    Raises `InsufficientCredits`, `AccountFrozen`, `NoStakes`, `LimitReached`, `PlayPaused`,
    `StakesStopped`, `KeyConflict`.
    """
    amounts = {wallet_key(user_id): -cents for user_id, cents in stakes.items()}
    _refuse_negative(stakes.values())
    stop = stakes_stop_of(scopes)
    if stop is not None:
        raise StakesStopped(stop.scope, stop.reason)
    amounts[escrow_key(reference)] = sum(stakes.values())
    return transfer_post(
        key=f"{reference}:open", kind="stake", reference=reference, lines=lines_of(amounts)
    )


def stake_one(
    *, reference: str, number: int, user_id: int, cents: int, scopes: Iterable[str] = ()
) -> Posted:
    """Move one player's stake into the escrow of `reference`; `number` tells the stakes apart.

    Raises what `stakes_escrow` does.
    """
    _refuse_negative([cents])
    stop = stakes_stop_of(scopes)
    if stop is not None:
        raise StakesStopped(stop.scope, stop.reason)
    return transfer_post(
        key=f"{reference}:enter:{number}",
        kind="stake",
        reference=reference,
        lines=lines_of({wallet_key(user_id): -cents, escrow_key(reference): cents}),
    )


def stake_withdraw(*, reference: str, number: int, user_id: int, cents: int) -> Posted:
    """Give one stake of `stake_one` back before the escrow is decided."""
    _refuse_negative([cents])
    return transfer_post(
        key=f"{reference}:leave:{number}",
        kind="withdraw",
        reference=reference,
        lines=lines_of({wallet_key(user_id): cents, escrow_key(reference): -cents}),
    )


def escrow_add(
    *,
    reference: str,
    campaign: str,
    cents: int,
    actor: User,
    approver: User | None,
    memo: str,
) -> Posted:
    """Add credits to the escrow of `reference` at a campaign's expense, once."""
    _refuse_negative([cents])
    return transfer_post(
        key=f"{reference}:add",
        kind="add",
        reference=reference,
        lines=lines_of({promo_key(campaign): -cents, escrow_key(reference): cents}),
        actor=actor,
        approver=approver,
        memo=memo,
    )


def escrow_resolve(
    *,
    reference: str,
    payouts: Mapping[int, int],
    rake_cents: int,
    kind: Resolution,
    returns: Mapping[str, int] | None = None,
) -> Posted:
    """Empty the escrow of `reference`: payouts (user id -> cents) to wallets, rake to the house.

    With `void`, `returns` (campaign -> cents) gives back what was added. There is one resolution
    per reference, whatever its kind. Raises `KeyConflict` when it was resolved otherwise before,
    `EscrowMismatch` when the sum is not what the escrow holds.
    """
    back = returns or {}
    _refuse_negative([*payouts.values(), rake_cents, *back.values()])
    amounts = {wallet_key(user_id): cents for user_id, cents in payouts.items()}
    amounts |= {promo_key(campaign): cents for campaign, cents in back.items()}
    amounts[HOUSE_RAKE] = rake_cents
    total = sum(amounts.values())
    if total == 0:
        raise EscrowMismatch(escrow_key(reference), 0, 0)
    amounts[escrow_key(reference)] = -total
    return transfer_post(
        key=f"{reference}:resolve", kind=kind, reference=reference, lines=lines_of(amounts)
    )


def escrow_correct(
    *,
    reference: str,
    payouts: Mapping[int, int],
    rake_cents: int,
    actor: User,
    memo: str,
    approver: User | None = None,
) -> Posted:
    """Turn a resolution into another one: a match voided or adjudicated after it was settled.

    Books the differences in one transfer that names the resolution it mends; each can be mended
    once, the correction itself again. Raises `EscrowMismatch` when the new sum is not the old
    one, `InsufficientCredits` when a wallet no longer holds what it has to give back.
    """
    _refuse_negative([*payouts.values(), rake_cents])
    mended = _last_decision(reference)
    wanted = Counter({wallet_key(user_id): cents for user_id, cents in payouts.items()})
    wanted[HOUSE_RAKE] += rake_cents
    standing = _paid_out(reference)
    if wanted.total() != standing.total():
        raise EscrowMismatch(escrow_key(reference), wanted.total(), standing.total())
    wanted.subtract(standing)
    if not any(wanted.values()):
        return Posted(mended.pk, replayed=True)  # it already stands like that
    return transfer_post(
        key=f"correct:{mended.pk}",
        kind="correct",
        reference=reference,
        lines=lines_of(wanted),
        actor=actor,
        approver=approver,
        memo=memo,
        reverses_id=mended.pk,
    )


@transaction.atomic
def transfer_reverse(
    *,
    transfer_id: int,
    actor: User,
    memo: str,
    approver: User | None = None,
) -> Posted:
    """Undo a transfer by its negative, once. Stakes and payouts have decisions of their own.

    Needs the rights of the books' owner, as it writes a warrant. Raises `MalformedPosting` for
    stakes and payouts, `AlreadyReversed`, `InsufficientCredits`.
    """
    transfer = Transfer.objects.get(pk=transfer_id)
    key = f"reverse:{transfer_id}"
    Warrant.objects.get_or_create(
        key=key, defaults={"kind": "reverse", "reason": memo, "actor": actor}
    )
    return transfer_post(
        key=key,
        kind="reverse",
        reference=transfer.reference,
        lines=negated(_lines_booked(transfer)),
        actor=actor,
        approver=approver,
        memo=memo,
        reverses_id=transfer_id,
    )


@transaction.atomic
def credits_issue(
    *,
    user: User,
    amount_cents: int,
    key: str,
    memo: str,
    kind: Literal["welcome", "voucher", "grant"] = "grant",
    campaign: str = "house",
    actor: User | None = None,
) -> Posted:
    """Issue new credits to a player's wallet, at a campaign's expense.

    The row that justifies them is written here for a welcome and for a grant; the latter is a
    warrant, which only the books' owner may write. A voucher is a row already.
    """
    if kind == "welcome":
        Welcome.objects.get_or_create(user_id=user.pk, defaults={"amount_cents": amount_cents})
    elif kind == "grant":
        facts = {"kind": kind, "user_id": user.pk, "amount_cents": amount_cents}
        by = {"reason": memo, "actor": actor}
        Warrant.objects.get_or_create(key=key, defaults=facts | by)
    return transfer_post(
        key=key,
        kind=kind,
        reference=f"promo:{campaign}",
        lines=lines_of({promo_key(campaign): -amount_cents, wallet_key(user.pk): amount_cents}),
        actor=actor,
        memo=memo,
    )


def transfer_post(
    *,
    key: str,
    kind: str,
    reference: str,
    lines: Iterable[PostingLine],
    actor: User | None = None,
    approver: User | None = None,
    memo: str = "",
    reverses_id: int | None = None,
) -> Posted:
    """Book one transfer, or answer with the one booked before under this key and content."""
    posting = Posting(key, kind, reference, tuple(lines))
    posted_id, replayed = call(
        _POST,
        [
            posting.key,
            posting.kind,
            posting.reference,
            [line.account_key for line in posting.lines],
            [line.amount_cents for line in posting.lines],
            actor.pk if actor else None,
            approver.pk if approver else None,
            memo,
            reverses_id,
        ],
    )
    return Posted(posted_id, replayed)


def wallet_freeze(*, user: User) -> bool:
    """Nothing leaves the wallet until it is thawed; running matches can still pay in.

    Answers whether this changed anything.
    """
    (was_frozen,) = call("SELECT ledger_account_freeze(%s, true)", [wallet_key(user.pk)])
    return not was_frozen


def wallet_thaw(*, user: User) -> bool:
    """End a freeze. Answers whether this changed anything."""
    (was_frozen,) = call("SELECT ledger_account_freeze(%s, false)", [wallet_key(user.pk)])
    return bool(was_frozen)


def _refuse_negative(amounts: Iterable[int]) -> None:
    if any(cents < 0 for cents in amounts):
        raise MalformedPosting("stakes, payouts and rake are not below zero")


def _lines_booked(transfer: Transfer) -> tuple[PostingLine, ...]:
    rows = transfer.entries.order_by("line").values_list("account__key", "amount_cents")
    return tuple(PostingLine(key, cents) for key, cents in rows)


def _last_decision(reference: str) -> Transfer:
    """The resolution of a reference, or the last correction of it."""
    decided = Transfer.objects.filter(
        reference=reference, kind__in=["result", "void", "tie", "adjudicate", "correct"]
    )
    last = decided.order_by("-id").first()
    if last is None:
        raise AccountUnknown(escrow_key(reference))
    return last


def _paid_out(reference: str) -> Counter[str]:
    """The amounts paid from a resolved reference, with corrections: account key -> cents."""
    paid: Counter[str] = Counter()
    decided = Transfer.objects.filter(reference=reference).exclude(kind="stake")
    for key, cents in decided.values_list("entries__account__key", "entries__amount_cents"):
        if account_kind(key) != "escrow":
            paid[key] += cents
    return paid
