"""Nobody can see or change the credits of others, at any address of the credits."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from harness.logins import logged_in
from ledger import urls as page_urls
from ledger.api import urls as api_urls
from ledger.models import Entry, Payout, PayoutStep, PlayLimit, PlayPause, Voucher
from ledger.services.limits import limit_set
from ledger.services.payouts import payout_request

pytestmark = pytest.mark.django_db

SECRET = "DE02 1203 0000 4711"
JSON = {"content_type": "application/json"}


@dataclass(frozen=True, slots=True)
class Route:
    """How to call an address; `payout` stands for the id of one of magriel's payouts."""

    verb: str
    arguments: tuple[Any, ...] = ()
    body: Any = None
    foreign: int = 200  # the status that hilde gets


YEAR = timezone.now().year
PAGES = {
    "account_bot": Route("post", (), None, 302),
    "account_bot_undo": Route("post", (), None, 302),
    "wallet": Route("get"),
    "wallet_csv": Route("get"),
    "wallet_statement": Route("get", (YEAR,)),
    "wallet_voucher": Route("post", (), {"code": "ABCD"}),
    "wallet_payouts": Route("get"),
    "wallet_payout_cancel": Route("post", ("payout",), None, 404),
    "wallet_limits": Route("get"),
    "wallet_limit_keep": Route("post", (), {"limit": "loss_day"}, 302),
    "wallet_break": Route("post", (), None, 302),
    "wallet_exclusion": Route("post", (), {"length": "182", "confirmed": "yes"}, 302),
}
OPERATIONS = {
    "api_wallet": Route("get"),
    "api_entries": Route("get"),
    "api_statement": Route("get", (YEAR,)),
    "api_payouts": Route("get"),
    "api_payout_request": Route("post", (), {"amount_cents": 100, "destination": "mine"}, 201),
    "api_payout": Route("get", ("payout",), None, 404),
    "api_payout_cancel": Route("post", ("payout",), None, 404),
    "api_voucher_redeem": Route("post", (), {"code": "ABCD"}, 409),
    "api_limits": Route("get"),
    "api_limit_set": Route("put", ("loss", "day"), {"limit_cents": 5}),
    "api_break": Route("post", (), None, 201),
    "api_bot_undo": Route("post", (), None, 409),
    "api_exclusion": Route("post", (), {"days": 200}, 201),
}
ROUTES = PAGES | OPERATIONS


@pytest.fixture
def payout(magriel, hilde) -> Payout:
    """magriel has an open payout and a limit; hilde has neither."""
    limit_set(user=magriel, measure="loss", period="day", amount_cents=4_711)
    return payout_request(
        user=magriel,
        amount_cents=4_711,
        destination=SECRET,
        note=SECRET,
        client_key="key-of-hers",
        verified_at=timezone.now(),
    )


def use(client: Client, name: str, payout: Payout) -> Any:
    """Call an address as its route requires."""
    route = ROUTES[name]
    arguments = [payout.pk if part == "payout" else part for part in route.arguments]
    extra: dict[str, Any] = {} if name in PAGES or route.verb == "get" else JSON
    if name == "api_payout_request":
        extra |= {"headers": {"Idempotency-Key": "key-of-hers"}}
    return getattr(client, route.verb)(reverse(name, args=arguments), route.body, **extra)


def belongings(user: Any) -> list[Any]:
    """All that the ledger stores about one player."""
    return [
        list(Entry.objects.filter(account__owner=user).values()),
        list(Payout.objects.filter(user=user).values()),
        list(PayoutStep.objects.filter(payout__user=user).values()),
        list(PlayLimit.objects.filter(user=user).values()),
        list(PlayPause.objects.filter(user=user).values()),
        list(Voucher.objects.filter(redeemed_by=user).values()),
    ]


def test_every_address_is_in_the_table():
    names = {pattern.name for urls in (page_urls, api_urls) for pattern in urls.urlpatterns}
    assert names == set(ROUTES)


@pytest.mark.parametrize("name", PAGES)
def test_a_stranger_is_led_to_the_login(payout, magriel, name):
    before = belongings(magriel)
    response = use(Client(), name, payout)
    assert response.status_code == 302
    assert response["location"].startswith(reverse("account_login"))
    assert belongings(magriel) == before


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_program_without_a_session_is_asked_to_log_in(payout, magriel, name):
    before = belongings(magriel)
    response = use(Client(), name, payout)
    assert (response.status_code, response.json()["code"]) == (401, "not_authenticated")
    assert belongings(magriel) == before


@pytest.mark.parametrize("name", ROUTES)
def test_another_player_sees_and_changes_nothing(payout, magriel, hilde, name):
    before = belongings(magriel)
    client = Client(headers={"accept-language": "en"})
    logged_in(client, hilde)
    response = use(client, name, payout)
    assert response.status_code == ROUTES[name].foreign
    said = response.getvalue().decode()
    assert SECRET not in said
    assert "47.11" not in said
    assert "4711" not in said
    assert belongings(magriel) == before


@pytest.mark.parametrize("name", [name for name, route in ROUTES.items() if route.verb == "get"])
def test_reading_changes_nothing(payout, magriel, name):
    before = belongings(magriel)
    client = Client()
    logged_in(client, magriel)
    assert use(client, name, payout).status_code == 200
    assert belongings(magriel) == before


@pytest.mark.parametrize("name", [name for name, route in ROUTES.items() if route.verb != "get"])
def test_nothing_changes_without_the_token_of_the_form(payout, magriel, name):
    before = belongings(magriel)
    client = Client(enforce_csrf_checks=True)
    logged_in(client, magriel)
    assert use(client, name, payout).status_code == 403
    assert belongings(magriel) == before
