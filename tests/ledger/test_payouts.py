"""Payouts: requested, approved, settled by a second administrator; other ends give back."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AbstractUser
from django.db import Error, connection, transaction
from django.utils import timezone

from accounts.models import User
from harness.wallets import credits_bought, mailbox_proved
from ledger.errors import (
    InsufficientCredits,
    KeyConflict,
    MalformedPosting,
    NotAllowed,
    PayoutWaits,
    SecondFactorStale,
    WrongState,
)
from ledger.models import JournalEntry, Payout
from ledger.payout_states import STATES, PayoutState
from ledger.selectors import house_totals, wallet_balance, wallet_entries
from ledger.services.payouts import (
    payout_approve,
    payout_cancel,
    payout_claim,
    payout_decline,
    payout_fail,
    payout_request,
    payout_settle,
)
from tests.ledger.proof import broken

pytestmark = pytest.mark.django_db


def fresh() -> datetime:
    """The time of a second factor that was given just now."""
    return timezone.now()


def request(user: User, cents: int = 4_000, key: str = "first") -> Payout:
    return payout_request(
        user=user,
        amount_cents=cents,
        destination="DE02 1203 0000",
        client_key=key,
        verified_at=timezone.now(),
    )


def approve(payout: Payout, actor: AbstractUser) -> Payout:
    return payout_approve(payout_id=payout.pk, actor=actor, verified_at=fresh())


def claim(payout: Payout, actor: AbstractUser) -> Payout:
    return payout_claim(payout_id=payout.pk, actor=actor, verified_at=fresh())


def settle(payout: Payout, actor: AbstractUser) -> Payout:
    """Take the payout if necessary, then settle it."""
    claim_first = Payout.objects.filter(pk=payout.pk, state="approved").exists()
    if claim_first:
        claim(payout, actor)
    return payout_settle(
        payout_id=payout.pk, actor=actor, verified_at=fresh(), receipt="transfer 4711"
    )


@pytest.fixture(autouse=True)
def _books_agree() -> Any:
    yield
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    assert broken() == []


def test_a_payout_goes_through_two_administrators(magriel: User, anna: User, bert: User) -> None:
    payout = request(magriel)
    assert wallet_balance(magriel.pk) == 6_000
    assert house_totals().holds_cents == 4_000
    assert approve(payout, anna).state == "approved"
    assert settle(payout, bert).state == "paid"
    totals = house_totals()
    assert (totals.holds_cents, totals.paid_out_cents) == (0, 4_000)
    assert [step.state for step in payout.steps.order_by("id")] == [
        "requested",
        "approved",
        "paying",
        "paid",
    ]
    journal = JournalEntry.objects.filter(subject=payout.reference).order_by("id")
    assert [(entry.verb, entry.actor) for entry in journal] == [
        ("payout.approved", anna),
        ("payout.paying", bert),
        ("payout.paid", bert),
    ]
    assert journal[0].before == {"state": "requested"}
    assert wallet_entries(magriel.pk)[0].transfer.reference == payout.reference


def test_asking_twice_with_the_same_word_is_asking_once(magriel: User) -> None:
    assert request(magriel).pk == request(magriel).pk
    assert wallet_balance(magriel.pk) == 6_000
    with pytest.raises(KeyConflict):
        request(magriel, 5_000)
    assert request(magriel, 5_000, key="second").amount_cents == 5_000


@pytest.mark.parametrize("cents", [0, -4_000, 99])
def test_too_little_is_no_payout(magriel: User, cents: int) -> None:
    with pytest.raises(MalformedPosting):
        request(magriel, cents)


def test_a_payout_needs_a_destination_and_the_credits(magriel: User) -> None:
    with pytest.raises(MalformedPosting):
        payout_request(
            user=magriel,
            amount_cents=4_000,
            destination="  ",
            client_key="x",
            verified_at=timezone.now(),
        )
    with pytest.raises(InsufficientCredits):
        request(magriel, 10_001)
    assert not Payout.objects.exists()


def test_nobody_decides_about_his_own_payout(anna: User, bert: User) -> None:
    mailbox_proved(anna)
    credits_bought(anna, 10_000)
    payout = request(anna)
    for decide in (approve, settle):
        with pytest.raises(NotAllowed):
            decide(payout, anna)
    with pytest.raises(NotAllowed):
        payout_decline(payout_id=payout.pk, actor=anna, verified_at=fresh(), reason="no")
    approve(payout, bert)


def test_only_those_with_the_right_decide(
    magriel: User, hilde: User, anna: User, administrator: Any
) -> None:
    payout = request(magriel)
    for actor in (hilde, administrator("mod", role="moderator")):
        with pytest.raises(NotAllowed):
            approve(payout, actor)
    anna.is_active = False
    with pytest.raises(NotAllowed):
        approve(payout, anna)
    approve(payout, administrator("tess", role="treasurer"))


@pytest.mark.parametrize("age_seconds", [None, 901, -60])
def test_deciding_needs_a_fresh_second_factor(
    magriel: User, anna: User, age_seconds: int | None
) -> None:
    payout = request(magriel)
    shown = None if age_seconds is None else timezone.now() - timedelta(seconds=age_seconds)
    with pytest.raises(SecondFactorStale):
        payout_approve(payout_id=payout.pk, actor=anna, verified_at=shown)
    with pytest.raises(SecondFactorStale):
        payout_settle(payout_id=payout.pk, actor=anna, verified_at=shown, receipt="x")


def test_a_large_payout_waits_a_day(magriel: User, anna: User, bert: User, settings: Any) -> None:
    settings.LEDGER_PAYOUT_LARGE_CENTS = 4_000
    payout = approve(request(magriel), anna)
    with pytest.raises(PayoutWaits):
        settle(payout, bert)
    settings.LEDGER_PAYOUT_LARGE_CENTS = 1  # what was asked before keeps its own terms
    with pytest.raises(PayoutWaits):
        settle(payout, bert)
    assert payout.not_before - payout.requested_at == timedelta(hours=24)


def test_a_house_with_one_administrator_may_say_so(
    magriel: User, anna: User, settings: Any
) -> None:
    settings.LEDGER_SINGLE_ADMINISTRATOR = True
    payout = request(magriel)
    settings.LEDGER_SINGLE_ADMINISTRATOR = False  # what was asked before keeps its own terms
    assert settle(approve(payout, anna), anna).state == "paid"


def test_every_other_end_gives_the_credits_back(magriel: User, anna: User, bert: User) -> None:
    declined = request(magriel, key="1")
    payout_decline(payout_id=declined.pk, actor=anna, verified_at=fresh(), reason="a wrong number")
    assert wallet_balance(magriel.pk) == 10_000
    declined_late = approve(request(magriel, key="2"), anna)
    payout_decline(payout_id=declined_late.pk, actor=anna, verified_at=fresh(), reason="after all")
    failed = claim(approve(request(magriel, key="3"), anna), bert)
    payout_fail(payout_id=failed.pk, actor=bert, verified_at=fresh(), reason="it came back")
    cancelled = request(magriel, key="4")
    payout_cancel(payout_id=cancelled.pk, user=magriel)
    assert wallet_balance(magriel.pk) == 10_000
    assert house_totals().holds_cents == 0
    states = Payout.objects.order_by("id").values_list("state", "reason")
    assert list(states) == [
        ("declined", "a wrong number"),
        ("declined", "after all"),
        ("failed", "it came back"),
        ("cancelled", "cancelled by the player"),
    ]


def test_a_refusal_says_why(magriel: User, anna: User) -> None:
    payout = request(magriel)
    with pytest.raises(MalformedPosting):
        payout_decline(payout_id=payout.pk, actor=anna, verified_at=fresh(), reason=" ")


def test_a_settlement_has_a_receipt(magriel: User, anna: User, bert: User) -> None:
    payout = claim(approve(request(magriel), anna), bert)
    with pytest.raises(MalformedPosting):
        payout_settle(payout_id=payout.pk, actor=bert, verified_at=fresh(), receipt=" ")


def test_only_the_player_cancels(magriel: User, hilde: User, anna: User) -> None:
    payout = request(magriel)
    for other in (hilde, anna):
        with pytest.raises(NotAllowed):
            payout_cancel(payout_id=payout.pk, user=other)


def test_what_is_closed_stays_closed(magriel: User, anna: User, bert: User) -> None:
    payout = settle(approve(request(magriel), anna), bert)
    assert settle(payout, bert).state == "paid"  # sent twice
    for step in (
        lambda: approve(payout, anna),
        lambda: payout_cancel(payout_id=payout.pk, user=magriel),
        lambda: payout_fail(payout_id=payout.pk, actor=anna, verified_at=fresh(), reason="x"),
        lambda: payout_decline(payout_id=payout.pk, actor=anna, verified_at=fresh(), reason="x"),
        lambda: settle(payout, anna),
    ):
        with pytest.raises((WrongState, NotAllowed)):
            step()
    assert house_totals().paid_out_cents == 4_000


def test_a_request_is_not_settled_unapproved_nor_failed(magriel: User, anna: User) -> None:
    payout = request(magriel)
    with pytest.raises(WrongState):
        settle(payout, anna)
    with pytest.raises(WrongState):
        payout_fail(payout_id=payout.pk, actor=anna, verified_at=fresh(), reason="x")


def test_steps_said_twice_happen_once(magriel: User, anna: User, bert: User) -> None:
    payout = request(magriel)
    for _ in range(2):
        approve(payout, anna)
    for _ in range(2):
        claim(payout, bert)
    for _ in range(2):
        payout_fail(payout_id=payout.pk, actor=bert, verified_at=fresh(), reason="it came back")
    assert payout.steps.count() == 4
    assert JournalEntry.objects.count() == 3
    assert wallet_balance(magriel.pk) == 10_000


RAW = [
    "UPDATE ledger_payout SET state = 'paid', approved_by_id = {anna}, approved_at = now(),"
    " closed_by_id = {bert}, closed_at = now()",
    "UPDATE ledger_payout SET amount_cents = amount_cents + 1",
    "UPDATE ledger_payout SET destination = 'elsewhere'",
    "UPDATE ledger_payout SET four_eyes = false",
    "UPDATE ledger_payout SET user_id = {anna}",
    "UPDATE ledger_payout SET state = 'approved', approved_by_id = {magriel}, approved_at = now()",
    "UPDATE ledger_payout SET state = 'approved'",
    "UPDATE ledger_payout SET state = 'declined', closed_by_id = {anna}, closed_at = now()",
    "DELETE FROM ledger_payout",
    "DELETE FROM ledger_payoutstep",
    "UPDATE ledger_payoutstep SET actor_id = {bert}",
    "INSERT INTO ledger_payout (user_id, client_key, amount_cents, destination, note, four_eyes,"
    " large_from_cents, wait_hours, state, reason, receipt) VALUES ({magriel}, 'x', 5, 'y', '',"
    " true, 100, 24, 'requested', '', '')",
]


@pytest.mark.parametrize("statement", RAW)
def test_raw_sql_cannot_bend_a_payout(
    magriel: User, anna: User, bert: User, statement: str
) -> None:
    request(magriel)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    names = {"magriel": magriel.pk, "anna": anna.pk, "bert": bert.pk}
    with pytest.raises(Error) as refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(**names))
    assert refused.value.__cause__.sqlstate in ("LG009", "23514")


def raw(statement: str, *values: object) -> str:
    """The message with which the database refuses a statement."""
    with pytest.raises(Error) as refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
    return str(refused.value.__cause__.sqlstate)


CLAIM = "UPDATE ledger_payout SET state = 'paying', claimed_by_id = %s, claimed_at = now()"
PAID = "UPDATE ledger_payout SET state = 'paid', closed_by_id = %s, closed_at = now()"
CANCELLED = "UPDATE ledger_payout SET state = 'cancelled', closed_by_id = %s, closed_at = now()"
ASKED = "UPDATE ledger_payout SET cancel_asked_at = now()"


def test_raw_sql_cannot_pay_with_the_approver(magriel: User, anna: User, bert: User) -> None:
    approve(request(magriel), anna)
    assert raw(CLAIM, anna.pk) == "LG009"  # one person is not two
    assert raw(CLAIM, magriel.pk) == "LG009"  # and has the right to it
    assert raw(PAID, bert.pk) == "LG009"  # no one has taken it


def test_raw_sql_cannot_end_what_somebody_else_took(
    magriel: User, hilde: User, anna: User, bert: User
) -> None:
    payout = claim(approve(request(magriel), anna), bert)
    assert raw(PAID, anna.pk) == "23514"
    assert raw(CANCELLED, bert.pk) == "23514"  # no one requests it
    assert raw(CANCELLED, magriel.pk) == "LG009"
    assert raw("UPDATE ledger_payout SET claimed_by_id = %s", hilde.pk) == "LG009"
    assert raw("UPDATE ledger_payout SET claimed_at = now() - interval '2 days'") == "LG009"
    settle(payout, bert)
    assert raw(ASKED) == "LG009"


def test_raw_sql_cannot_take_what_the_player_asks_to_cancel(
    magriel: User, anna: User, bert: User
) -> None:
    payout = approve(request(magriel), anna)
    payout_cancel(payout_id=payout.pk, user=magriel)
    assert raw(CLAIM, bert.pk) == "LG009"
    assert raw(ASKED) == "LG009"  # requested once
    assert raw("UPDATE ledger_payout SET cancel_asked_at = NULL") == "LG009"


def test_raw_sql_cannot_ask_to_cancel_before_the_approval(magriel: User) -> None:
    request(magriel)
    assert raw(ASKED) == "LG009"


@pytest.mark.parametrize("old", PayoutState)
@pytest.mark.parametrize("new", PayoutState)
def test_the_database_has_the_same_steps(db: None, old: PayoutState, new: PayoutState) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_payout_next(%s, %s)", [old.value, new.value])
        assert cursor.fetchone() == (new in STATES[old].next,)


def test_a_payout_is_taken_over_a_day_later_with_a_reason_and_not_by_the_approver(
    magriel: User, anna: User, bert: User, administrator: Any
) -> None:
    carl = administrator("carl")
    payout = claim(approve(request(magriel), anna), bert)
    with pytest.raises(WrongState):
        claim(payout, carl)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE ledger_payout DISABLE TRIGGER payout_guard")
        cursor.execute(
            "UPDATE ledger_payout SET claimed_at = claimed_at - interval '25 hours',"
            " requested_at = requested_at - interval '26 hours',"
            " not_before = not_before - interval '26 hours'"
        )
        cursor.execute("ALTER TABLE ledger_payout ENABLE TRIGGER payout_guard")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    with pytest.raises(NotAllowed):
        claim(payout, anna)
    with pytest.raises(MalformedPosting):
        claim(payout, carl)
    now = {"payout_id": payout.pk, "actor": carl, "verified_at": fresh()}
    assert payout_claim(**now, reason="bert is away").claimed_by == carl
    with pytest.raises(NotAllowed):
        settle(payout, bert)
    assert settle(payout, carl).state == "paid"
    taken = JournalEntry.objects.get(verb="payout.taken_over")
    assert (taken.actor, taken.before) == (carl, {"paid_by": "bert"})
