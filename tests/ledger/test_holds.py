"""Held credits stay in the wallet, and winnings are paid out once they were checked."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import Error, connection, transaction
from django.utils import timezone

from accounts.models import User
from harness.wallets import all_cleared, credits_bought, payout_asked
from ledger.errors import CreditsHeld, MalformedPosting, ResultsUnchecked
from ledger.models import Hold
from ledger.selectors import held_cents, holds_of, wallet_balance
from ledger.selectors_player import payable
from ledger.services.books import escrow_resolve, stakes_escrow
from ledger.services.holds import hold_extend, hold_place, hold_release
from tests.ledger.proof import broken

pytestmark = pytest.mark.django_db


def held(user: User, cents: int, reference: str = "case:1:7", **wish: Any) -> Hold:
    ends_at = wish.pop("ends_at", timezone.now() + timedelta(hours=72))
    return hold_place(
        user_id=user.pk,
        reference=reference,
        amount_cents=cents,
        reason_class="dump",
        ends_at=ends_at,
    )


def won(winner: User, loser: User, cents: int, number: int) -> None:
    """A match for `cents` each without rake."""
    stakes_escrow(reference=f"match:{number}", stakes={winner.pk: cents, loser.pk: cents})
    escrow_resolve(
        reference=f"match:{number}", payouts={winner.pk: 2 * cents}, rake_cents=0, kind="result"
    )


def test_held_credits_are_neither_staked_nor_paid_out(magriel: User, hilde: User) -> None:
    held(magriel, 4_000)
    with pytest.raises(CreditsHeld) as refused, transaction.atomic():
        stakes_escrow(reference="match:1", stakes={magriel.pk: 6_001, hilde.pk: 6_001})
    assert (refused.value.held_cents, refused.value.free_cents) == (4_000, 6_000)
    with pytest.raises(CreditsHeld), transaction.atomic():
        payout_asked(magriel, 6_001)
    stakes_escrow(reference="match:1", stakes={magriel.pk: 5_000, hilde.pk: 5_000})
    payout_asked(magriel, 1_000, key="second")
    assert wallet_balance(magriel.pk) == held_cents(magriel.pk) == 4_000
    assert payable(magriel.pk).payable_cents == 0


def test_a_hold_can_be_longer_than_the_wallet_is_full(magriel: User) -> None:
    held(magriel, 20_000)
    with pytest.raises(CreditsHeld), transaction.atomic():
        payout_asked(magriel, 1_000)
    credits_bought(magriel, 11_000)
    payout_asked(magriel, 1_000, key="second")


def test_a_hold_ends_by_itself_or_is_released(magriel: User) -> None:
    hold = held(magriel, 10_000)
    assert [each.pk for each in holds_of(magriel.pk)] == [hold.pk]
    Hold.objects.bulk_create(
        [
            Hold(
                user=magriel,
                reference="case:1:8",
                amount_cents=1,
                reason_class="dump",
                placed_at=timezone.now() - timedelta(hours=72),
                ends_at=timezone.now() - timedelta(seconds=1),
            )
        ]
    )
    assert held_cents(magriel.pk) == 10_000
    assert hold_release(reference="case:1:7", reason="cleared") == 1
    assert hold_release(reference="case:1:7", reason="again") == 0
    assert held_cents(magriel.pk) == 0
    payout_asked(magriel, 10_000)


def test_a_second_call_changes_nothing_and_only_a_longer_end_is_taken(magriel: User) -> None:
    first, second = held(magriel, 100), held(magriel, 900)
    assert (first.pk, second.amount_cents) == (second.pk, 100)
    later = first.ends_at + timedelta(days=1)
    assert hold_extend(reference="case:1:7", ends_at=later) == 1
    assert hold_extend(reference="case:1:7", ends_at=first.ends_at) == 0
    assert Hold.objects.get().ends_at == later


@pytest.mark.parametrize("cents", [0, -5])
def test_a_hold_has_an_amount(magriel: User, cents: int) -> None:
    with pytest.raises(MalformedPosting):
        held(magriel, cents)
    with pytest.raises(MalformedPosting):
        held(magriel, 5, ends_at=timezone.now())
    assert not Hold.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE ledger_hold SET amount_cents = 1",
        "UPDATE ledger_hold SET ends_at = ends_at - interval '1 hour'",
        "DELETE FROM ledger_hold",
        "TRUNCATE ledger_hold",
    ],
)
def test_the_database_refuses_to_weaken_a_hold(magriel: User, change: str) -> None:
    held(magriel, 5_000)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL ledger.allow_truncate = ''")
        with pytest.raises(Error), transaction.atomic():
            cursor.execute(change)


def test_winnings_wait_for_their_check(magriel: User, hilde: User) -> None:
    won(magriel, hilde, 3_000, 1)
    assert payable(magriel.pk).unchecked_cents == 3_000
    with pytest.raises(ResultsUnchecked) as refused, transaction.atomic():
        payout_asked(magriel, 10_001)
    assert refused.value.payable_cents == 10_000
    assert all_cleared("match:1") == 1
    assert all_cleared("match:1") == 0
    payout_asked(magriel, 13_000, key="second")


def test_own_credits_and_old_winnings_do_not_wait(magriel: User, hilde: User) -> None:
    won(magriel, hilde, 3_000, 1)
    payout_asked(magriel, 10_000)
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION ledger_check_time() RETURNS interval LANGUAGE sql"
            " IMMUTABLE AS $$ SELECT interval '-1 hour' $$"
        )
    assert payable(magriel.pk).unchecked_cents == 0


def test_what_was_lost_does_not_make_what_was_won_smaller(magriel: User, hilde: User) -> None:
    won(magriel, hilde, 3_000, 1)
    won(hilde, magriel, 2_000, 2)
    assert payable(magriel.pk).unchecked_cents == 3_000
    assert payable(hilde.pk).unchecked_cents == 2_000
    all_cleared("match:1", "match:2")
    assert payable(magriel.pk).unchecked_cents == 0


def test_the_audit_stands_beside_holds(magriel: User, hilde: User) -> None:
    won(magriel, hilde, 3_000, 1)
    hold = held(magriel, 3_000)
    hold_release(reference=hold.reference, reason="cleared")
    assert not broken()
