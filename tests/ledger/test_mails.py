"""Mails about payouts: every step once, in the player's language, also after a crash."""

from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import User
from ledger.models import Payout, PayoutStep
from ledger.services import payout_approve, payout_cancel, payout_request, payout_settle
from ledger.tasks import payout_mails

pytestmark = pytest.mark.django_db


@pytest.fixture
def payout(magriel: User) -> Payout:
    magriel.email, magriel.language = "magriel@example.org", "de"
    magriel.save()
    return payout_request(
        user=magriel, amount_cents=4_050, destination="DE02 1203 0000", client_key="first"
    )


def test_every_step_is_mailed_once(payout: Payout, anna: User, bert: User) -> None:
    now = timezone.now()
    assert payout_mails() == 1
    payout_approve(payout_id=payout.pk, actor=anna, verified_at=now)
    payout_settle(payout_id=payout.pk, actor=bert, verified_at=now, receipt="transfer 4711")
    assert payout_mails() == 2
    assert payout_mails() == 0
    assert [message.to for message in mail.outbox] == [["magriel@example.org"]] * 3
    assert "40,50 ℂ" in mail.outbox[0].subject
    assert "transfer 4711" in mail.outbox[2].body
    assert "DE02 1203 0000" in mail.outbox[2].body


def test_a_reason_reaches_the_player(payout: Payout, magriel: User) -> None:
    magriel.language = "en"
    magriel.save()
    payout_cancel(payout_id=payout.pk, user=magriel)
    payout_mails()
    assert "40.50 ℂ" in mail.outbox[-1].subject
    assert "back in your wallet" in mail.outbox[-1].body


def test_a_mail_that_cannot_be_sent_waits(payout: Payout, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1  # nobody listens there
    with pytest.raises(ConnectionRefusedError):
        payout_mails()
    assert PayoutStep.objects.filter(mailed_at=None).count() == 1
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert payout_mails() == 1


def test_somebody_without_an_address_is_not_waited_for(hilde: User) -> None:
    payout_request(user=hilde, amount_cents=4_050, destination="DE02", client_key="first")
    assert payout_mails() == 1
    assert mail.outbox == []
