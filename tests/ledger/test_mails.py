"""Mails about payouts: one for each step, in the player's language and the step's transaction."""

import pytest
from django.core import mail
from django.db import transaction
from django.utils import timezone

from accounts.mails import mails_send, mails_waiting
from accounts.models import User
from harness.wallets import payout_paid
from ledger.models import Payout
from ledger.services.payouts import payout_approve, payout_cancel, payout_request

pytestmark = pytest.mark.django_db


@pytest.fixture
def payout(magriel: User) -> Payout:
    magriel.email, magriel.language = "magriel@example.org", "de"
    magriel.save()
    return payout_request(
        user=magriel,
        amount_cents=4_050,
        destination="DE02 1203 0000",
        client_key="first",
        verified_at=timezone.now(),
    )


def test_every_step_is_mailed_once(payout: Payout, anna: User, bert: User) -> None:
    now = timezone.now()
    assert mails_send() == 1
    payout_approve(payout_id=payout.pk, actor=anna, verified_at=now)
    payout_paid(payout, bert)
    assert mails_send() == 2
    assert mails_send() == 0
    assert [message.to for message in mail.outbox] == [["magriel@example.org"]] * 3
    assert "40,50 ℂ" in mail.outbox[0].subject
    assert "transfer 4711" in mail.outbox[2].body
    assert "DE02 1203 0000" in mail.outbox[2].body


def test_a_reason_reaches_the_player(payout: Payout, magriel: User) -> None:
    magriel.language = "en"
    magriel.save()
    payout_cancel(payout_id=payout.pk, user=magriel)
    mails_send()
    assert "40.50 ℂ" in mail.outbox[-1].subject
    assert "back in your wallet" in mail.outbox[-1].body


def test_a_step_that_is_rolled_back_sends_nothing(payout: Payout, anna: User) -> None:
    with transaction.atomic():
        payout_approve(payout_id=payout.pk, actor=anna, verified_at=timezone.now())
        assert mails_waiting().count() == 2
        transaction.set_rollback(True)
    assert mails_waiting().count() == 1


def test_each_step_names_its_mail(payout: Payout, hilde: User) -> None:
    assert payout.steps.get().mail == mails_waiting().get()
    silent = payout_request(
        user=hilde,
        amount_cents=4_050,
        destination="DE02",
        client_key="first",
        verified_at=timezone.now(),
    )
    assert silent.steps.get().mail is None
