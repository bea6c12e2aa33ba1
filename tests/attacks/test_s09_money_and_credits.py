"""S9: a player cannot cancel a payout while an administrator pays it, and keep both."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from harness.logins import logged_in
from ledger.models import Payout
from ledger.selectors import wallet_balance
from tests.desk.conftest import at_desk

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def decide(user: User, payout: Payout, verb: str, **fields: str) -> str:
    """The text of the desk's page after a decision."""
    address = f"/desk/payouts/{payout.pk}/{verb}/"
    return at_desk(user).post(address, fields, follow=True).content.decode()


def take_back(payout: Payout) -> None:
    """Press the player's button on the page of the payouts."""
    client = logged_in(Client(), payout.user)
    client.post(reverse("wallet_payout_cancel", args=[payout.pk]))


def page(user: User, payout: Payout) -> str:
    return at_desk(user).get(reverse("desk:payout", args=[payout.pk])).content.decode()


def state(payout: Payout) -> str:
    payout.refresh_from_db()
    return str(payout.state)


def test_what_is_approved_is_not_taken_back_behind_the_administrators_back(
    payout: Payout, magriel: User, anna: User, bert: User
) -> None:
    """The attack: the second administrator's page is open, and the player cancels."""
    decide(anna, payout, "approve")
    assert "Pay first" not in page(bert, payout)
    take_back(payout)
    assert state(payout) == "approved"
    assert wallet_balance(magriel.pk) == 7_500


def test_nobody_takes_what_the_player_asks_to_cancel(
    payout: Payout, magriel: User, anna: User, bert: User
) -> None:
    decide(anna, payout, "approve")
    take_back(payout)
    assert "The player asks to cancel this payout." in page(bert, payout)
    assert "player asks to cancel" in at_desk(bert).get(reverse("desk:payouts")).content.decode()
    assert "The player asks to cancel it" in decide(bert, payout, "claim")
    assert state(payout) == "approved"
    decide(bert, payout, "cancel", reason="as asked, nothing was paid")
    assert state(payout) == "cancelled"
    assert wallet_balance(magriel.pk) == 10_000


def test_one_that_is_being_paid_ends_with_the_administrator_who_took_it(
    payout: Payout, magriel: User, anna: User, bert: User
) -> None:
    decide(anna, payout, "approve")
    decide(bert, payout, "claim")
    take_back(payout)
    assert "The player asks to cancel this payout." in page(bert, payout)
    for verb, fields in (
        ("decline", {"reason": "x"}),
        ("fail", {"reason": "x"}),
        ("cancel", {"reason": "x"}),
        ("settle", {"receipt": "x"}),
        ("claim", {"reason": "x"}),
    ):
        decide(anna, payout, verb, **fields)
        assert state(payout) == "paying"
    decide(bert, payout, "settle", receipt="SEPA 4711")
    assert state(payout) == "paid"
    assert wallet_balance(magriel.pk) == 7_500


def test_one_that_was_taken_and_not_paid_is_cancelled_as_asked(
    payout: Payout, magriel: User, anna: User, bert: User
) -> None:
    decide(anna, payout, "approve")
    decide(bert, payout, "claim")
    decide(bert, payout, "cancel", reason="nobody asked")
    assert state(payout) == "paying"
    take_back(payout)
    decide(bert, payout, "cancel", reason="as asked, nothing was paid")
    assert state(payout) == "cancelled"
    assert wallet_balance(magriel.pk) == 10_000


def test_before_the_approval_the_credits_come_back_at_once(
    payout: Payout, magriel: User, anna: User
) -> None:
    take_back(payout)
    assert state(payout) == "cancelled"
    decide(anna, payout, "approve")
    assert state(payout) == "cancelled"
    assert wallet_balance(magriel.pk) == 10_000
