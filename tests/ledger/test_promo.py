"""Promotional credits stay locked until they were played for: the rule, and a model of it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import Error, connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from backgammon.tests.amounts import amount
from harness.wallets import all_cleared, credits_bought, payout_asked
from ledger.errors import CreditsLocked
from ledger.models import Payout
from ledger.selectors import wallet_balance
from ledger.selectors_player import PayableView, payable, promo_terms
from ledger.services.books import (
    Posted,
    credits_issue,
    escrow_correct,
    escrow_resolve,
    stakes_escrow,
    transfer_reverse,
)
from ledger.services.vouchers import voucher_make, voucher_redeem
from tests.ledger.proof import broken

pytestmark = pytest.mark.django_db

Maker = Callable[..., User]


@pytest.fixture
def others(person: Maker) -> list[User]:
    return [person(f"other{number}", 1_000_000) for number in range(4)]


@pytest.fixture
def newcomer(person: Maker) -> User:
    """A player who got 100 credits for signing up."""
    return person("newcomer", 10_000, welcome=True)


def given_to(user: User, cents: int, key: str = "grant:1") -> Posted:
    return credits_issue(user=user, amount_cents=cents, key=key, memo="a present")


def played(one: User, other: User, cents: int, number: int, kind: Any = "result") -> None:
    """A match for `cents` each; `other` wins and there is no rake, or the stakes go back."""
    stakes_escrow(reference=f"match:{number}", stakes={one.pk: cents, other.pk: cents})
    payouts = {one.pk: cents, other.pk: cents} if kind == "void" else {other.pk: 2 * cents}
    escrow_resolve(reference=f"match:{number}", payouts=payouts, rake_cents=0, kind=kind)
    all_cleared(f"match:{number}")


def test_the_terms_are_three_times_against_three_people(db: None) -> None:
    terms = promo_terms()
    assert (terms.factor, terms.people) == (3, 3)


def test_a_new_players_present_is_locked(newcomer: User) -> None:
    assert payable(newcomer.pk) == PayableView(10_000, 10_000, 30_000, 3, factor=3, people=3)
    with pytest.raises(CreditsLocked) as refused:
        payout_asked(newcomer, 100)
    assert (refused.value.needed_cents, refused.value.payable_cents) == (100, 0)
    assert not Payout.objects.exists()


def test_what_was_paid_in_beside_it_can_be_paid_out(newcomer: User) -> None:
    credits_bought(newcomer, 5_000)
    assert payable(newcomer.pk).payable_cents == 5_000
    with pytest.raises(CreditsLocked):
        payout_asked(newcomer, 5_001)
    payout_asked(newcomer, 5_000, key="second")
    assert payable(newcomer.pk).payable_cents == 0


def test_a_voucher_is_a_present_and_a_purchase_is_none(magriel: User, anna: User) -> None:
    assert payable(magriel.pk) == PayableView(10_000, factor=3, people=3)
    (new,) = voucher_make(actor=anna, amount_cents=500, note="a raffle", verified_at=timezone.now())
    voucher_redeem(user=magriel, code=new.code)
    assert payable(magriel.pk) == PayableView(10_500, 500, 1_500, 3, factor=3, people=3)


def test_playing_unlocks_a_third_of_what_was_played_for(magriel: User, others: list[User]) -> None:
    given_to(magriel, 1_000)
    for number, (other, left) in enumerate(zip(others, (2_400, 1_800, 1_200, 600), strict=True)):
        played(magriel, other, 600, number)
        view = payable(magriel.pk)
        assert (view.to_play_cents, view.people_missing) == (left, max(2 - number, 0))
        assert view.locked_cents == (1_000 if number < 2 else left // 3)
    played(magriel, others[0], 600, 9)
    assert payable(magriel.pk).locked_cents == 0


def test_one_opponent_is_one_person_however_often(magriel: User, others: list[User]) -> None:
    given_to(magriel, 100)
    for number in range(20):
        played(magriel, others[number % 2], 300, number)
    assert payable(magriel.pk) == PayableView(4_100, 100, 0, 1, factor=3, people=3)
    played(magriel, others[2], 300, 99)
    assert payable(magriel.pk).locked_cents == 0


def test_voided_corrected_and_running_matches_do_not_count(
    magriel: User, others: list[User], anna: User
) -> None:
    given_to(magriel, 100)
    for number, other in enumerate(others):
        played(magriel, other, 300, number, kind="void")
    stakes_escrow(reference="match:20", stakes={magriel.pk: 300, others[0].pk: 300})
    played(magriel, others[1], 300, 21)
    assert payable(magriel.pk).to_play_cents == 0
    both = {magriel.pk: 300, others[1].pk: 300}
    escrow_correct(reference="match:21", payouts=both, rake_cents=0, actor=anna, memo="void")
    view = payable(magriel.pk)
    assert (view.locked_cents, view.to_play_cents, view.people_missing) == (100, 300, 3)


def test_a_match_counts_with_what_was_lost_not_with_what_lay_in_escrow(
    magriel: User, others: list[User]
) -> None:
    """In a game by the point most of the stake comes back: 1000 in escrow, 50 lost."""
    given_to(magriel, 100)
    both = {magriel.pk: 1_000, others[0].pk: 1_000}
    stakes_escrow(reference="match:1", stakes=both)
    payouts = {magriel.pk: 950, others[0].pk: 1_045}
    escrow_resolve(reference="match:1", payouts=payouts, rake_cents=5, kind="result")
    assert payable(magriel.pk).to_play_cents == 250


def test_winners_and_losers_have_played_for_the_same(magriel: User, others: list[User]) -> None:
    given_to(magriel, 200)
    given_to(others[0], 200, key="grant:2")
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, others[0].pk: 250})
    escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="result")
    assert payable(magriel.pk).to_play_cents == payable(others[0].pk).to_play_cents == 350


def test_a_present_that_was_taken_back_locks_nothing(magriel: User, anna: User) -> None:
    posted = given_to(magriel, 700)
    transfer_reverse(transfer_id=posted.transfer_id, actor=anna, memo="a slip")
    assert payable(magriel.pk) == PayableView(10_000, factor=3, people=3)


def test_presents_of_others_are_not_read(newcomer: User, magriel: User) -> None:
    """Presents of one kind have one reference: a match is booked alike however many there are."""
    given_to(newcomer, 100, key="grant:own")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("""
            INSERT INTO ledger_transfer (key, digest, kind, reference, line_count, memo)
            SELECT 'grant:' || n, sha256(n::text::bytea), 'grant', 'promo:house', 2, ''
            FROM generate_series(1, 5000) n
        """)
        cursor.execute("SET LOCAL session_replication_role = origin")
        cursor.execute("ANALYZE ledger_transfer")
    read = transfers_read()
    played(newcomer, magriel, 100, 1)
    assert transfers_read() - read < 1000


def transfers_read() -> int:
    """How many rows of transfers this transaction has fetched by an index."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'ledger_transfer'"
        )
        (fetched,) = cursor.fetchone()
    return int(fetched)


def test_nobody_changes_the_list_of_presents(newcomer: User) -> None:
    for statement in ("UPDATE ledger_promo SET amount_cents = 1", "DELETE FROM ledger_promo"):
        with pytest.raises(Error) as refused, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
        assert refused.value.__cause__.sqlstate == "LG009"


def test_a_present_that_is_not_on_the_list_is_found_by_the_audit(newcomer: User) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE ledger_promo DISABLE TRIGGER refuse_change")
        cursor.execute("DELETE FROM ledger_promo")
        cursor.execute("ALTER TABLE ledger_promo ENABLE TRIGGER refuse_change")
    (found,) = [result for result in broken() if result.code == "A9"]
    assert "present" in found.findings[0].message


# --- a model of the rule --------------------------------------------------------------------------


def modelled(history: list[tuple[str, int, int]]) -> tuple[int, int, int]:
    """The locked cents, the cents to play and the missing opponents, by a model of the rule."""
    locked = to_play = missing = 0
    for start, (what, _cents, _who) in enumerate(history):
        if what != "given":
            continue
        since = history[start:]
        present = sum(cents for kind, cents, _who in since if kind == "given")
        stakes = sum(cents for kind, cents, _who in since if kind == "played")
        people = {who for kind, _cents, who in since if kind == "played"}
        to_play = max(to_play, 3 * present - stakes)
        if len(people) < 3:
            locked, missing = max(locked, present), max(missing, 3 - len(people))
    return max(locked, -(-to_play // 3)), to_play, missing


happenings = st.lists(
    st.tuples(
        st.sampled_from(["given", "played", "played", "void"]),
        st.integers(1, 400),
        st.integers(0, 3),
    ),
    max_size=14,
)


@settings(
    max_examples=amount(12, long=200),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(happenings)
def test_the_database_locks_what_the_model_says(
    magriel: User, others: list[User], history: list[tuple[str, int, int]]
) -> None:
    with transaction.atomic():
        for number, (what, cents, who) in enumerate(history):
            if what == "given":
                given_to(magriel, cents, key=f"grant:{number}")
            else:
                kind = "void" if what == "void" else "result"
                played(magriel, others[who], cents, number, kind=kind)
        view = payable(magriel.pk)
        told = (view.locked_cents, view.to_play_cents, view.people_missing)
        assert told == modelled(history)
        assert view.balance_cents == wallet_balance(magriel.pk)
        transaction.set_rollback(True)


# --- credits that were won from locked ones -------------------------------------------------------


def lost(loser: User, winner: User, cents: int, number: int, rake_cents: int = 0) -> None:
    """A match for `cents` each that `winner` wins."""
    stakes_escrow(reference=f"match:{number}", stakes={loser.pk: cents, winner.pk: cents})
    escrow_resolve(
        reference=f"match:{number}",
        payouts={winner.pk: 2 * cents - rake_cents},
        rake_cents=rake_cents,
        kind="result",
    )
    all_cleared(f"match:{number}")


def test_what_is_won_from_locked_credits_is_locked(newcomer: User, magriel: User) -> None:
    lost(newcomer, magriel, 9_000, 1, rake_cents=1_800)
    assert wallet_balance(magriel.pk) == 17_200
    assert payable(magriel.pk) == PayableView(17_200, 7_200, 21_600, 3, factor=3, people=3)


def test_twenty_presents_lost_to_one_are_nothing_to_be_paid(magriel: User, person: Maker) -> None:
    for number in range(20):
        lost(person(f"robot{number}", 10_000, welcome=True), magriel, 10_000, number)
    assert wallet_balance(magriel.pk) == 210_000
    assert payable(magriel.pk).payable_cents == 10_000


def test_presents_are_not_passed_on_through_a_third_account(
    newcomer: User, magriel: User, person: Maker
) -> None:
    between = person("between", 10_000, welcome=True)
    lost(newcomer, between, 10_000, 1)
    lost(between, magriel, 10_000, 2)
    lost(between, magriel, 10_000, 3)
    assert payable(magriel.pk).payable_cents == 10_000


def test_a_losers_own_credits_are_lost_first(newcomer: User, magriel: User) -> None:
    credits_bought(newcomer, 5_000)
    lost(newcomer, magriel, 6_000, 1)
    assert payable(magriel.pk) == PayableView(16_000, 1_000, 3_000, 3, factor=3, people=3)
    assert payable(newcomer.pk).payable_cents == 0


def test_what_was_played_for_is_won_freely(newcomer: User, others: list[User]) -> None:
    for number, other in enumerate(others[:3]):
        lost(other, newcomer, 10_000, number)
    assert payable(newcomer.pk).locked_cents == 0
    lost(newcomer, others[3], 20_000, 9)
    assert payable(others[3].pk).locked_cents == 0


def test_a_match_that_is_taken_back_passes_nothing_on(
    newcomer: User, magriel: User, anna: User
) -> None:
    lost(newcomer, magriel, 9_000, 1)
    both = {newcomer.pk: 9_000, magriel.pk: 9_000}
    escrow_correct(reference="match:1", payouts=both, rake_cents=0, actor=anna, memo="a mistake")
    assert payable(magriel.pk).locked_cents == 0
    assert payable(newcomer.pk).locked_cents == 10_000
