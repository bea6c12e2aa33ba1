"""S2: one person makes large vouchers, and a second account of theirs redeems them."""

import re
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from harness.logins import logged_in
from ledger.audit import run
from ledger.models import Proposal, Voucher
from ledger.selectors import wallet_balance
from tests.desk.conftest import at_desk

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(autouse=True)
def _audit_agrees(_house: None) -> Any:
    yield
    assert [
        result for result in run(only=("A9", "A16", "A17", "U2")).results if result.findings
    ] == []


def make(user: User, amount: str, count: int = 1) -> list[str]:
    """Make a batch at the desk and return its codes."""
    client = at_desk(user)
    client.get(reverse("desk:vouchers"))
    fields = {"amount": amount, "count": str(count), "note": "summer"}
    key = client.session["desk_voucher_form"]
    answer = client.post(reverse("desk:vouchers"), fields | {"key": key}, follow=True)
    return re.findall(r"<code>([^<]+)</code>", answer.content.decode())


def redeem(user: User, code: str) -> str:
    client = logged_in(Client(), user)
    return client.post(reverse("wallet_voucher"), {"code": code}, follow=True).content.decode()


def confirm_batch(user: User) -> Any:
    waiting = Proposal.objects.get(kind="voucher.confirm")
    return at_desk(user).post(reverse("desk:proposal_confirm", args=[waiting.pk]), follow=True)


# --- as it was done ---


def test_both_halves_of_a_batch_by_one_person(anna: User, puppet: User) -> None:
    """Make a thousand credits with one account, and redeem them with the other."""
    for code in make(anna, "100", 10):
        page = redeem(puppet, code)
    assert wallet_balance(puppet.pk) == 10_000
    assert "a second person of the house has to confirm it first" in page


def test_revoking_a_small_batch_makes_no_room_for_another(anna: User, puppet: User) -> None:
    make(anna, "20")
    address = reverse("desk:voucher_revoke", args=[Voucher.objects.get().pk])
    at_desk(anna).post(address, {"reason": "a mistake"})
    (code,) = make(anna, "20")
    redeem(puppet, code)
    assert wallet_balance(puppet.pk) == 10_000


def test_the_confirmer_redeems_nothing(anna: User, bert: User) -> None:
    before_cents = wallet_balance(bert.pk)
    (code,) = make(anna, "900")
    confirm_batch(bert)
    assert "You made or confirmed this voucher yourself" in redeem(bert, code)
    assert wallet_balance(bert.pk) == before_cents


# --- what the database refuses ---


@pytest.mark.parametrize(
    "change",
    [
        "redeemed_by_id = {puppet}, redeemed_at = now()",
        "alone = true",
        "confirmed_by_id = {anna}, confirmed_at = now()",
        "confirmed_by_id = {bert}, confirmed_at = now(), "
        "redeemed_by_id = {bert}, redeemed_at = now()",
        "made_at = now() - interval '2 days'",
    ],
)
def test_the_database_refuses_vouchers_of_one_person(
    anna: User, bert: User, puppet: User, change: str
) -> None:
    make(anna, "900")
    ids = {"anna": anna.pk, "bert": bert.pk, "puppet": puppet.pk}
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE ledger_voucher SET {change.format(**ids)}")


@pytest.mark.parametrize(
    "change", ["confirmed_by_id = {carl}", "confirmed_by_id = NULL, confirmed_at = NULL"]
)
def test_the_database_keeps_who_confirmed(anna: User, bert: User, staff: Any, change: str) -> None:
    make(anna, "900")
    confirm_batch(bert)
    carl = staff("carl").pk
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE ledger_voucher SET {change.format(carl=carl)}")


def test_the_database_takes_the_time_from_its_own_clock(anna: User, bert: User) -> None:
    """The caller can choose neither the time of making a voucher nor that of confirming it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ledger_voucher (code_digest, hint, amount_cents, note, made_by_id,"
            " made_at, alone) VALUES ('x', 'AAAA', 5, 'x', %s, '2001-01-01', false)"
            " RETURNING made_at > '2020-01-01'",
            [anna.pk],
        )
        assert cursor.fetchone() == (True,)
        with transaction.atomic():
            cursor.execute(
                "UPDATE ledger_voucher SET confirmed_by_id = %s, confirmed_at = '2001-01-01'"
                " RETURNING confirmed_at > '2020-01-01'",
                [bert.pk],
            )
            assert cursor.fetchone() == (True,)
            transaction.set_rollback(True)
        cursor.execute("SET session_replication_role = replica; DELETE FROM ledger_voucher")
        cursor.execute("SET session_replication_role = origin")


def test_a_voucher_begins_unconfirmed(anna: User, bert: User) -> None:
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ledger_voucher (code_digest, hint, amount_cents, note, made_by_id, alone,"
            " confirmed_by_id, confirmed_at) VALUES ('x', 'AAAA', 5, 'x', %s, false, %s, now())",
            [anna.pk, bert.pk],
        )
