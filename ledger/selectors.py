"""Reading the books. Nothing here locks; what is read may have changed before it is shown."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import connection
from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from kit.paging import Order, number_column
from ledger.models import Account, Entry, Hold, StakesStop, Transfer
from ledger.postings import ACCOUNT_KINDS, HOUSE_RAKE, escrow_key, wallet_key

WALLET: Final = Order((number_column("account_version"),))
"""The order of a wallet's entries: the newest first."""

_OWNS = """
    SELECT EXISTS (SELECT FROM ledger_account w WHERE w.key = %(wallet)s AND w.balance_cents > 0)
        OR EXISTS (SELECT FROM ledger_payout p WHERE p.user_id = %(owner)s AND p.closed_at IS NULL)
        OR ledger_at_stake(%(wallet)s)
"""


_UNABLE = """
    SELECT s.owner FROM unnest(%(owners)s::bigint[], %(cents)s::bigint[]) AS s(owner, cents)
    LEFT JOIN ledger_account w ON w.key = 'wallet:' || s.owner
    WHERE coalesce(w.balance_cents, 0) - ledger_held(s.owner) < s.cents
       OR EXISTS (SELECT FROM ledger_pause_of(s.owner))
"""


@dataclass(frozen=True, slots=True)
class HouseTotals:
    """Where all credits are, in cents; issued - paid out = wallets + escrows + holds + rake."""

    issued_cents: int
    paid_out_cents: int
    wallets_cents: int
    escrows_cents: int
    holds_cents: int
    rake_cents: int

    @property
    def difference_cents(self) -> int:
        """Zero, or the books are broken."""
        existing = self.wallets_cents + self.escrows_cents + self.holds_cents + self.rake_cents
        return self.issued_cents - self.paid_out_cents - existing


@dataclass(frozen=True, slots=True)
class TrialLine:
    """One kind of account in the trial balance."""

    kind: str
    accounts: int
    balance_cents: int


def account_balance(account_key: str) -> int:
    """The balance of any account in cents; 0 for one that was never opened."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_balance(%s)", [account_key])
        (balance,) = cursor.fetchone()
    return balance or 0


def wallet_balance(user_id: int) -> int:
    """A player's credits in cents; 0 without a wallet."""
    wallet = Account.objects.filter(key=wallet_key(user_id)).values_list("balance_cents", flat=True)
    return wallet.first() or 0


def owns_credits(user_id: int) -> bool:
    """Whether a player has credits in the wallet, in an escrow, or on the way out."""
    with connection.cursor() as cursor:
        cursor.execute(_OWNS, {"wallet": wallet_key(user_id), "owner": user_id})
        (owns,) = cursor.fetchone()
    return bool(owns)


def unable_to_stake(stakes: Mapping[int, int]) -> set[int]:
    """Of these players, each with a stake in cents, those who cannot stake it now; one query.

    Their credits do not suffice, or a break or an exclusion is in force.
    """
    with connection.cursor() as cursor:
        cursor.execute(_UNABLE, {"owners": list(stakes), "cents": list(stakes.values())})
        return {owner for (owner,) in cursor.fetchall()}


def wallet_is_frozen(user_id: int) -> bool:
    """Whether nothing may leave the wallet."""
    return Account.objects.filter(key=wallet_key(user_id), frozen=True).exists()


def held_cents(user_id: int) -> int:
    """The credits of a wallet that are held now, in cents."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_held(%s)", [user_id])
        (held,) = cursor.fetchone()
    return int(held)


def holds_of(user_id: int) -> list[Hold]:
    """The holds on a player's credits that are in force, the one that ends first in front."""
    standing = Hold.objects.filter(user=user_id, released_at=None, ends_at__gt=timezone.now())
    return list(standing.order_by("ends_at", "pk"))


def stakes_stop_of(scopes: Iterable[str]) -> StakesStop | None:
    """The stop of new stakes in force for the house or one of these scopes; None without one."""
    return StakesStop.objects.filter(scope__in=["house", *scopes]).first()


def escrow_balance(reference: str) -> int:
    """The balance of the escrow of a reference, in cents; 0 once resolved or never opened."""
    return account_balance(escrow_key(reference))


def rake_balance() -> int:
    """All the rake the house has kept, in cents."""
    return account_balance(HOUSE_RAKE)


def wallet_entries(
    user_id: int,
    *,
    kinds: tuple[str, ...] = (),
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[Entry]:
    """A player's entries, the newest first, to be sliced or paginated.

    Each has `amount_cents`, `balance_after_cents` (the running balance) and its `transfer` (kind,
    reference, memo, created_at), loaded along. `since` is included, `until` is not.
    """
    # Known beforehand: beside a join PostgreSQL takes every wallet for a short one, and sorts it.
    wallet = Account.objects.filter(key=wallet_key(user_id)).values_list("pk", flat=True).first()
    chosen = Q(account=wallet)
    if kinds:
        chosen &= Q(transfer__kind__in=kinds)
    if since is not None:
        chosen &= Q(transfer__created_at__gte=since)
    if until is not None:
        chosen &= Q(transfer__created_at__lt=until)
    return Entry.objects.filter(chosen).select_related("transfer").order_by("-account_version")


def reference_entries(reference: str) -> QuerySet[Entry]:
    """Every entry that belongs to a reference (a match, a payout), in the order of booking."""
    return (
        Entry.objects.filter(transfer__reference=reference)
        .select_related("transfer", "account")
        .order_by("transfer_id", "line")
    )


def returned_by(references: Iterable[str]) -> dict[str, int]:
    """By reference: the cents that corrections gave back to wallets; without a correction, none."""
    given = Entry.objects.filter(
        transfer__kind="correct",
        transfer__reference__in=list(references),
        account__kind="wallet",
        amount_cents__gt=0,
    )
    sums = given.values("transfer__reference").annotate(total=Sum("amount_cents"))
    return {row["transfer__reference"]: int(row["total"]) for row in sums}


def booked_about(references: list[str]) -> tuple[dict[str, Counter[str]], dict[str, int]]:
    """By reference: the sum of its entries on each account, and what its escrow holds; in cents."""
    booked: dict[str, Counter[str]] = {}
    rows = Entry.objects.filter(transfer__reference__in=references).values_list(
        "transfer__reference", "account__key", "amount_cents"
    )
    for reference, key, cents in rows:
        booked.setdefault(reference, Counter())[key] += cents
    keys = {escrow_key(reference): reference for reference in references}
    escrows = Account.objects.filter(key__in=list(keys)).values_list("key", "balance_cents")
    return booked, {keys[key]: cents for key, cents in escrows}


def references_since(transfer_id: int) -> set[str]:
    """The references of all transfers after this one."""
    later = Transfer.objects.filter(pk__gt=transfer_id)
    return set(later.values_list("reference", flat=True).distinct())


def trial_balance(*, stored: bool = False) -> tuple[TrialLine, ...]:
    """Every kind of account with its balance; the sum is 0.

    From the entries alone, or (`stored`) quickly from stored balances and snapshots.
    """
    sums = _sums_stored() if stored else _sums_of_entries()
    return tuple(
        TrialLine(kind, Account.objects.filter(kind=kind).count(), sums.get(kind, 0))
        for kind in ACCOUNT_KINDS
    )


def house_totals() -> HouseTotals:
    """The identity of the house, from the entries alone."""
    return totals_of(trial_balance())


def totals_of(trial: tuple[TrialLine, ...]) -> HouseTotals:
    """The identity of the house, from a trial balance."""
    sums = {line.kind: line.balance_cents for line in trial}
    return HouseTotals(
        issued_cents=-(sums["promo_issue"] + sums["cash_in"] + sums["adjustment"]),
        paid_out_cents=sums["payout_paid"],
        wallets_cents=sums["wallet"],
        escrows_cents=sums["escrow"],
        holds_cents=sums["payout_hold"],
        rake_cents=sums["house_rake"],
    )


def _sums_of_entries() -> dict[str, int]:
    summed = Entry.objects.values("account__kind").annotate(total=Sum("amount_cents"))
    return {row["account__kind"]: int(row["total"]) for row in summed}


def _sums_stored() -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT kind, sum(ledger_balance(key)) FROM ledger_account GROUP BY kind")
        return {kind: int(total) for kind, total in cursor.fetchall()}
