"""S16: an address that the mail server refuses does not delay the mail to others."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import OutgoingMail, User
from accounts.roles import Role
from accounts.tasks import send_mails
from ledger.models import Payout
from ledger.services.payouts import payout_request
from tests.desk.conftest import anna, at_desk, staff
from tests.ledger.conftest import hilde, magriel, person
from tests.mail_server import mail_server

__all__ = ["anna", "hilde", "magriel", "person", "staff"]

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

REFUSED, TAKEN = "magriel@refused.example", "hilde@example.org"


@pytest.fixture
def payouts(magriel: User, hilde: User) -> list[Payout]:
    """magriel's request came first, and the mail server refuses magriel's address."""
    asked = []
    for player, address in ((magriel, REFUSED), (hilde, TAKEN)):
        player.email = address
        player.save()
        asked.append(
            payout_request(
                user=player,
                amount_cents=4_000,
                destination="DE02",
                client_key="first",
                verified_at=timezone.now(),
            )
        )
    return asked


def test_a_refused_address_delays_no_other(payouts: list[Payout], settings: Any) -> None:
    with mail_server(settings, refused={REFUSED}) as server:
        assert send_mails() == 1
        assert [to for to, _text in server.accepted] == [TAKEN]
        assert send_mails() == 0
        assert server.tried.count(REFUSED) == 1, "it waits before it is tried again"
    waiting = OutgoingMail.objects.get(sent_at=None)
    assert (waiting.to, waiting.attempts) == (REFUSED, 1)
    assert "no such mailbox" in waiting.last_error


def test_the_desk_shows_what_waits_and_tries_again(
    payouts: list[Payout], anna: User, settings: Any
) -> None:
    client: Client = at_desk(anna)
    with mail_server(settings, refused={REFUSED}) as server:
        send_mails()
        page = client.get(reverse("desk:mails")).content.decode()
        assert REFUSED in page
        assert "no such mailbox" in page
        assert TAKEN not in page
        payout_page = client.get(reverse("desk:payout", args=[payouts[0].pk])).content.decode()
        assert "the mail was not delivered" in payout_page
        server.refused.clear()
        waiting = OutgoingMail.objects.get(sent_at=None)
        client.post(reverse("desk:mail_retry", args=[waiting.pk]))
        assert send_mails() == 1
    assert "No mails are waiting." in client.get(reverse("desk:mails")).content.decode()


def test_the_text_of_a_mail_is_not_at_the_desk(
    payouts: list[Payout], staff: Any, settings: Any
) -> None:
    settings.STAFF_SECOND_FACTOR = True
    answer = at_desk(staff("tina", Role.TREASURER)).get(reverse("desk:mails"))
    assert answer.status_code == 403
    page = at_desk(staff("anton", Role.ADMINISTRATOR)).get(reverse("desk:mails")).content.decode()
    assert "Hello" not in page


def test_no_page_breaks_while_the_mail_server_is_away(hilde: User, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    hilde.email = TAKEN
    hilde.save()
    answer = Client().post(reverse("account_reset_password"), {"email": TAKEN})
    assert (answer.status_code, answer.url) == (302, reverse("account_reset_password_done"))
    waiting = OutgoingMail.objects.get(to=TAKEN)
    assert "/accounts/password/reset/key/" in waiting.body
    assert waiting.sent_at is None
