"""S12: a payout needs a person who has just authenticated; a program cannot request one."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.tokens import bot_become, token_make
from harness.logins import logged_in
from ledger.errors import NotAllowed
from ledger.models import Payout
from ledger.services.payouts import payout_request
from tests.desk.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

WISH = {"amount_cents": 2_500, "destination": "DE02120300000000202051"}
FORM = {"amount_cents": "25", "destination": "DE02", "note": "", "client_key": "my-own-word"}
LONG_AGO_S = 16 * 60


def ask(client: Client, **headers: str) -> Any:
    return client.post(
        reverse("api_payout_request"),
        WISH,
        content_type="application/json",
        headers={"Idempotency-Key": "the-wish-of-today", **headers},
    )


def refusal(client: Client, **headers: str) -> tuple[int, str]:
    answer = ask(client, **headers)
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize("proved_ago", [None, LONG_AGO_S])
def test_a_session_that_was_left_open_asks_for_nothing(
    magriel: User, proved_ago: float | None
) -> None:
    client = logged_in(Client(), magriel, proved_ago=proved_ago)
    assert refusal(client) == (403, "proof_stale")
    assert not Payout.objects.exists()


def test_a_fresh_one_does(magriel: User) -> None:
    assert ask(logged_in(Client(), magriel)).status_code == 201


def test_a_token_asks_for_nothing_even_beside_a_fresh_session(magriel: User) -> None:
    robo = User.objects.create_user("robo")
    bot_become(robo)
    token = {"Authorization": f"Bearer {token_make(robo)}"}
    assert refusal(Client(), **token)[0] == 403
    assert refusal(logged_in(Client(), robo), **token)[0] == 403
    assert refusal(logged_in(Client(), robo)) == (403, "not_allowed")
    assert refusal(logged_in(Client(), magriel), **token)[0] in (401, 403)
    with pytest.raises(NotAllowed):
        payout_request(user=robo, client_key="word", verified_at=timezone.now(), **WISH)
    assert not Payout.objects.exists()


@pytest.mark.parametrize("unproved", ["none", "unverified"])
def test_without_a_proved_mailbox_nothing_is_paid(magriel: User, unproved: str) -> None:
    addresses = EmailAddress.objects.filter(user=magriel)
    addresses.delete() if unproved == "none" else addresses.update(verified=False)
    assert refusal(logged_in(Client(), magriel)) == (403, "address_unverified")
    assert not Payout.objects.exists()


def test_the_page_asks_for_the_password_first_and_goes_on_then(magriel: User) -> None:
    client = logged_in(Client(), magriel, proved_ago=LONG_AGO_S)
    answer = client.post(reverse("wallet_payouts"), FORM)
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_reauthenticate"))
    assert not Payout.objects.exists()
    client.post(answer.url, {"password": "not-the-password"})
    assert not Payout.objects.exists()
    answer = client.post(answer.url, {"password": PASSWORD}, follow=True)
    assert Payout.objects.get().amount_cents == 2_500
    assert "Your request has arrived" in answer.content.decode()
