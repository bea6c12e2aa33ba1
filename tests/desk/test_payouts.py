"""Payouts at the desk: two people, a fresh second factor, and every refusal in words."""

import pytest
from django.urls import reverse

from accounts.models import User
from accounts.roles import Role
from harness.wallets import payout_asked
from ledger.models import Payout, PayoutState
from ledger.selectors import wallet_balance
from tests.desk.conftest import at_desk

pytestmark = pytest.mark.django_db


def decide(user: User, payout: Payout, verb: str, *, ago: float = 0.0, **fields: str):
    client = at_desk(user, proved_ago=ago)
    return client.post(reverse(f"desk:payout_{verb}", args=[payout.pk]), fields, follow=True)


def state(payout: Payout) -> str:
    return Payout.objects.get(pk=payout.pk).state


def test_who_approved_it_is_offered_no_settling_and_gets_none(payout, anna):
    decide(anna, payout, "approve")
    shown = at_desk(anna).get(reverse("desk:payout", args=[payout.pk])).content.decode()
    assert reverse("desk:payout_claim", args=[payout.pk]) not in shown
    assert reverse("desk:payout_settle", args=[payout.pk]) not in shown
    answer = decide(anna, payout, "claim")
    assert "it takes a second person" in answer.content.decode()
    assert state(payout) == PayoutState.APPROVED


@pytest.mark.parametrize("verb", ["approve", "claim", "settle", "decline", "cancel", "fail"])
def test_stale_second_factor_is_asked_for_and_nothing_happens(payout, anna, verb, settings):
    settings.LEDGER_SECOND_FACTOR_SECONDS = 60
    answer = decide(anna, payout, verb, ago=90, reason="late", receipt="SEPA 4711")
    address, _status = answer.redirect_chain[0]
    assert address.startswith(reverse("mfa_reauthenticate"))
    assert reverse("desk:payout", args=[payout.pk]).replace("/", "%2F") in address
    assert state(payout) == PayoutState.REQUESTED


def test_password_is_no_second_factor(payout, anna):
    client = at_desk(anna)
    session = client.session
    session["account_authentication_methods"] = [
        record for record in session["account_authentication_methods"] if record["method"] != "mfa"
    ]
    session.save()
    client.post(reverse("desk:payout_approve", args=[payout.pk]))
    assert state(payout) == PayoutState.REQUESTED


def test_second_factor_of_somebody_else_is_worth_nothing(payout, anna, bert):
    client = at_desk(anna)
    session = client.session
    session["account_authentication_methods_user"] = str(bert.pk)
    session.save()
    client.post(reverse("desk:payout_approve", args=[payout.pk]))
    assert state(payout) == PayoutState.REQUESTED


def test_declining_gives_the_credits_back_and_says_why(payout, anna, magriel):
    assert wallet_balance(magriel.pk) == 7500
    decide(anna, payout, "decline", reason="the account number is wrong")
    assert state(payout) == PayoutState.DECLINED
    assert wallet_balance(magriel.pk) == 10_000
    shown = at_desk(anna).get(reverse("desk:payout", args=[payout.pk])).content.decode()
    assert "the account number is wrong" in shown


@pytest.mark.parametrize("reason", ["", "   "])
def test_declining_without_a_reason_changes_nothing(payout, anna, reason):
    answer = decide(anna, payout, "decline", reason=reason)
    assert "Reason" in answer.content.decode()
    assert state(payout) == PayoutState.REQUESTED


def test_a_failed_payment_gives_the_credits_back(payout, anna, bert, magriel):
    decide(anna, payout, "approve")
    decide(bert, payout, "claim")
    decide(bert, payout, "fail", reason="returned by the bank")
    assert state(payout) == PayoutState.FAILED
    assert wallet_balance(magriel.pk) == 10_000


def test_nobody_decides_about_a_payout_of_his_own(payout, magriel, staff):
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

    from accounts.roles import role_give

    role_give(magriel, Role.ADMINISTRATOR)
    TOTP.activate(magriel, generate_totp_secret())
    shown = at_desk(magriel).get(reverse("desk:payout", args=[payout.pk])).content.decode()
    assert "You cannot decide about a payout of your own." in shown
    decide(magriel, payout, "approve")
    assert state(payout) == PayoutState.REQUESTED


def test_deciding_what_is_decided_is_told(payout, anna, bert):
    decide(anna, payout, "decline", reason="first")
    answer = decide(bert, payout, "approve")
    assert "already decided" in answer.content.decode()
    assert state(payout) == PayoutState.DECLINED


def test_large_payout_shows_that_it_waits(anna, bert, magriel, settings):
    settings.LEDGER_PAYOUT_LARGE_CENTS = 5_000
    large = payout_asked(magriel, 5_000, "large")
    decide(anna, large, "approve")
    answer = decide(bert, large, "claim")
    assert "waits a day" in answer.content.decode()
    assert state(large) == PayoutState.APPROVED


def test_refusals_are_told_in_german_too(payout, anna):
    User.objects.filter(pk=anna.pk).update(language="de")
    decide(anna, payout, "approve")
    answer = decide(anna, payout, "claim")
    assert "zweite Person" in answer.content.decode()


def test_list_shows_who_waits_and_narrows_by_state(payout, anna):
    client = at_desk(anna)
    link = reverse("desk:payout", args=[payout.pk])
    listed = {
        state: link in client.get(reverse("desk:payouts"), {"state": state}).content.decode()
        for state in ("waiting", "requested", "paid", "all")
    }
    assert listed == {"waiting": True, "requested": True, "paid": False, "all": True}
