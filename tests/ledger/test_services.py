"""The services: once per decision, all or nothing, with refusals that name what is missing."""

from collections.abc import Callable

import pytest
from django.db import connection, transaction

from accounts.models import User
from ledger.errors import (
    AccountFrozen,
    AccountUnknown,
    AlreadyReversed,
    EscrowMismatch,
    InsufficientCredits,
    KeyConflict,
    MalformedPosting,
)
from ledger.models import Account, Transfer
from ledger.postings import lines_of, wallet_key
from ledger.selectors import (
    account_balance,
    escrow_balance,
    house_totals,
    rake_balance,
    reference_entries,
    wallet_balance,
    wallet_entries,
    wallet_is_frozen,
)
from ledger.services.books import (
    credits_issue,
    escrow_correct,
    escrow_resolve,
    stakes_escrow,
    transfer_post,
    transfer_reverse,
    wallet_freeze,
    wallet_open,
    wallet_thaw,
)

Maker = Callable[..., User]

pytestmark = pytest.mark.django_db


def test_a_new_person_has_a_wallet_with_the_welcome_credits_once(person: Maker) -> None:
    hilde = person("hilde", 10_000, welcome=True)
    hilde.first_name = "Hilde"
    hilde.save()
    wallet_open(user=hilde)
    assert wallet_balance(hilde.pk) == 10_000
    assert Transfer.objects.get(key=f"promo:welcome:{hilde.pk}").kind == "welcome"
    assert Account.objects.filter(owner=hilde).count() == 1


def test_a_house_without_welcome_credits_opens_an_empty_wallet(person: Maker) -> None:
    hilde = person("hilde", 0, welcome=True)
    assert wallet_balance(hilde.pk) == 0
    assert Account.objects.filter(owner=hilde).exists()


def test_saying_it_twice_moves_nothing_twice_and_answers_the_same(
    magriel: User, hilde: User
) -> None:
    stakes = {magriel.pk: 250, hilde.pk: 250}
    first = stakes_escrow(reference="match:1", stakes=stakes)
    again = stakes_escrow(reference="match:1", stakes=stakes)
    assert (first.replayed, again.replayed) == (False, True)
    assert first.transfer_id == again.transfer_id
    assert escrow_balance("match:1") == 500


def test_the_same_key_for_something_else_is_an_error_that_changes_nothing(
    magriel: User, hilde: User
) -> None:
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    with pytest.raises(KeyConflict) as conflict, transaction.atomic():
        stakes_escrow(reference="match:1", stakes={magriel.pk: 500, hilde.pk: 500})
    assert conflict.value.code == "key_conflict"
    assert conflict.value.key == "match:1:open"
    assert escrow_balance("match:1") == 500


def test_void_after_result_is_a_conflict_and_so_is_another_winner(
    magriel: User, hilde: User
) -> None:
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="result")
    for payouts, rake, kind in (
        ({magriel.pk: 250, hilde.pk: 250}, 0, "void"),
        ({hilde.pk: 450}, 50, "result"),
    ):
        with pytest.raises(KeyConflict), transaction.atomic():
            escrow_resolve(reference="match:1", payouts=payouts, rake_cents=rake, kind=kind)
    assert wallet_balance(magriel.pk) == 10_200
    assert rake_balance() == 50


def test_a_stake_that_one_cannot_pay_moves_neither(person: Maker, magriel: User) -> None:
    poor = person("tilo", 100)
    with pytest.raises(InsufficientCredits) as refused, transaction.atomic():
        stakes_escrow(reference="match:1", stakes={magriel.pk: 250, poor.pk: 250})
    error = refused.value
    assert (error.user_id, error.needed_cents, error.available_cents) == (poor.pk, 250, 100)
    assert wallet_balance(magriel.pk) == 10_000
    assert not Account.objects.filter(key="escrow:match:1").exists()
    assert not Transfer.objects.filter(key="match:1:open").exists()


def test_after_a_refusal_the_same_key_may_be_tried_again(person: Maker, magriel: User) -> None:
    tilo = person("tilo", 100)
    stakes = {magriel.pk: 250, tilo.pk: 250}
    with pytest.raises(InsufficientCredits), transaction.atomic():
        stakes_escrow(reference="match:1", stakes=stakes)
    credits_issue(user=tilo, amount_cents=200, key="grant:1", memo="a gift of the house")
    assert not stakes_escrow(reference="match:1", stakes=stakes).replayed
    assert wallet_balance(tilo.pk) == 50


@pytest.mark.parametrize(("payout", "rake"), [(450, 49), (450, 51), (500, 50), (1, 0)])
def test_an_escrow_empties_to_the_last_cent_or_not_at_all(
    magriel: User, hilde: User, payout: int, rake: int
) -> None:
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    with pytest.raises(EscrowMismatch) as refused, transaction.atomic():
        escrow_resolve(
            reference="match:1", payouts={magriel.pk: payout}, rake_cents=rake, kind="result"
        )
    assert f"holds 500 cents, not {payout + rake}" in str(refused.value)
    assert escrow_balance("match:1") == 500


def test_an_escrow_that_never_was_pays_nothing(magriel: User) -> None:
    with pytest.raises(EscrowMismatch), transaction.atomic():
        escrow_resolve(reference="match:9", payouts={magriel.pk: 450}, rake_cents=50, kind="result")
    with pytest.raises(EscrowMismatch):
        escrow_resolve(reference="match:9", payouts={}, rake_cents=0, kind="void")


def test_a_void_pays_no_rake(magriel: User, hilde: User) -> None:
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    with pytest.raises(MalformedPosting):
        escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="void")


def test_negative_stakes_and_payouts_are_no_stakes_and_payouts(magriel: User, hilde: User) -> None:
    with pytest.raises(MalformedPosting):
        stakes_escrow(reference="match:1", stakes={magriel.pk: 500, hilde.pk: -250})
    with pytest.raises(MalformedPosting):
        escrow_resolve(
            reference="match:1", payouts={magriel.pk: 600}, rake_cents=-100, kind="result"
        )


def test_someone_without_a_wallet_cannot_stake(magriel: User) -> None:
    with pytest.raises(AccountUnknown), transaction.atomic():
        stakes_escrow(reference="match:1", stakes={magriel.pk: 250, 10**9: 250})


def test_nothing_leaves_a_frozen_wallet_but_a_running_match_still_pays_in(
    magriel: User, hilde: User
) -> None:
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    assert wallet_freeze(user=magriel) is True
    assert wallet_freeze(user=magriel) is False
    assert wallet_is_frozen(magriel.pk)
    with pytest.raises(AccountFrozen), transaction.atomic():
        stakes_escrow(reference="match:2", stakes={magriel.pk: 250, hilde.pk: 250})
    escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="result")
    assert wallet_balance(magriel.pk) == 10_200
    assert wallet_thaw(user=magriel) is True
    stakes_escrow(reference="match:2", stakes={magriel.pk: 250, hilde.pk: 250})


def test_a_settled_match_can_be_voided_afterwards_once(
    magriel: User, hilde: User, person: Maker
) -> None:
    boss = person("boss", 0)
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="result")
    correction = {
        "reference": "match:1",
        "payouts": {magriel.pk: 250, hilde.pk: 250},
        "rake_cents": 0,
        "actor": boss,
        "memo": "played with help",
    }
    escrow_correct(**correction)
    assert wallet_balance(magriel.pk) == wallet_balance(hilde.pk) == 10_000
    assert rake_balance() == 0
    assert escrow_correct(**correction).replayed is True
    assert wallet_balance(magriel.pk) == wallet_balance(hilde.pk) == 10_000


def test_a_correction_can_itself_be_corrected(magriel: User, hilde: User, person: Maker) -> None:
    boss = person("boss", 0)
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="result")
    for payouts, rake in (({hilde.pk: 450}, 50), ({magriel.pk: 250, hilde.pk: 250}, 0)):
        escrow_correct(
            reference="match:1", payouts=payouts, rake_cents=rake, actor=boss, memo="appeal"
        )
    assert wallet_balance(magriel.pk) == wallet_balance(hilde.pk) == 10_000
    assert house_totals().difference_cents == 0


def test_a_correction_pays_what_was_paid_or_nothing(
    magriel: User, hilde: User, person: Maker
) -> None:
    boss = person("boss", 0)
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    with pytest.raises(AccountUnknown):
        escrow_correct(
            reference="match:1", payouts={hilde.pk: 450}, rake_cents=50, actor=boss, memo="early"
        )
    escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="result")
    with pytest.raises(EscrowMismatch):
        escrow_correct(
            reference="match:1", payouts={hilde.pk: 450}, rake_cents=0, actor=boss, memo="odd"
        )


def test_a_correction_takes_back_no_more_than_is_there(
    magriel: User, hilde: User, person: Maker
) -> None:
    boss = person("boss", 0)
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="result")
    stakes_escrow(reference="match:2", stakes={magriel.pk: 10_200, hilde.pk: 250})
    with pytest.raises(InsufficientCredits), transaction.atomic():
        escrow_correct(
            reference="match:1", payouts={hilde.pk: 450}, rake_cents=50, actor=boss, memo="late"
        )


def test_a_reversal_is_the_negative_of_its_transfer_once(magriel: User, person: Maker) -> None:
    boss = person("boss", 0)
    gift = credits_issue(user=magriel, amount_cents=700, key="grant:1", memo="too generous")
    reversal = {"transfer_id": gift.transfer_id, "actor": boss, "memo": "a slip"}
    assert transfer_reverse(**reversal).replayed is False
    assert transfer_reverse(**reversal).replayed is True
    assert wallet_balance(magriel.pk) == 10_000
    with pytest.raises(AlreadyReversed), transaction.atomic():
        transfer_post(
            key="reverse:again",
            kind="reverse",
            reference="promo:house",
            lines=lines_of({"promo_issue:house": 700, wallet_key(magriel.pk): -700}),
            actor=boss,
            memo="again",
            reverses_id=gift.transfer_id,
        )


def test_stakes_are_not_reversed_but_decided(magriel: User, hilde: User, person: Maker) -> None:
    boss = person("boss", 0)
    opened = stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    with pytest.raises(MalformedPosting):
        transfer_reverse(transfer_id=opened.transfer_id, actor=boss, memo="no")


def test_a_wallet_reads_like_a_bank_statement(magriel: User, hilde: User) -> None:
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="result")
    rows = [
        (e.transfer.kind, e.transfer.reference, e.amount_cents, e.balance_after_cents)
        for e in wallet_entries(magriel.pk)
    ]
    assert rows == [
        ("result", "match:1", 450, 10_200),
        ("stake", "match:1", -250, 9_750),
        ("purchase", "purchase:test", 10_000, 10_000),
    ]
    assert [e.transfer.kind for e in wallet_entries(magriel.pk, kinds=("stake",))] == ["stake"]
    newest = wallet_entries(magriel.pk)[0].transfer.created_at
    assert wallet_entries(magriel.pk, until=newest).count() == 2
    assert wallet_entries(magriel.pk, since=newest).count() == 1
    assert sum(e.amount_cents for e in reference_entries("match:1")) == 0


def test_the_balance_of_a_summed_account_is_the_same_with_and_without_snapshots(
    magriel: User, hilde
) -> None:
    def settle(number: int) -> None:
        reference = f"match:{number}"
        stakes_escrow(reference=reference, stakes={magriel.pk: 250, hilde.pk: 250})
        escrow_resolve(reference=reference, payouts={magriel.pk: 450}, rake_cents=50, kind="result")

    settle(1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal_append('transfer', max(id)) FROM ledger_transfer")
        cursor.execute("SELECT ledger_snapshot_take()")
        assert cursor.fetchone() == (2,)  # house_rake and cash_in:test
        assert rake_balance() == 50
        settle(2)
        assert rake_balance() == 100
        assert account_balance("cash_in:test") == -20_000
        cursor.execute("SELECT ledger_snapshot_take()")
        assert cursor.fetchone() == (0,)  # nothing was sealed since
