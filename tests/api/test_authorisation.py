"""Nobody sees or changes the credits of others, and every refusal has one shape."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework.throttling import SimpleRateThrottle

from harness.logins import logged_in
from ledger import urls as page_urls
from ledger.api import urls
from ledger.api import urls as api_urls
from ledger.models import Entry, Payout, PayoutStep, PlayLimit, PlayPause, Voucher
from ledger.services.limits import limit_set
from ledger.services.payouts import payout_request
from pasch.api.schema import SchemaApi

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


# --- refusals -------------------------------------------------------------------------------------
def refused(response, status, code):
    answer = response.json()
    assert (response.status_code, answer["code"]) == (status, code)
    assert answer["message"]
    assert set(answer) <= {"code", "message", "fields"}
    return answer


@pytest.mark.parametrize("address", ["", "nothing/", "wallet", "payouts/x/", "limits/loss/"])
def test_an_address_that_does_not_exist(magriel, program, address):
    refused(program(magriel).get(address), 404, "not_found")


@pytest.mark.parametrize("number", [0, 1, 2**63, 10**30])
def test_a_payout_that_does_not_exist(magriel, program, number):
    refused(program(magriel).get(f"payouts/{number}/"), 404, "not_found")
    refused(program(magriel).post(f"payouts/{number}/cancel/"), 404, "not_found")


def test_a_verb_that_does_not_exist(magriel, program):
    response = program(magriel).http.delete("/api/v1/wallet/")
    refused(response, 405, "method_not_allowed")
    assert "GET" in response["allow"]


def test_what_is_no_json(magriel, program):
    response = program(magriel).http.put(
        "/api/v1/limits/loss/day/", "{limit", content_type="application/json"
    )
    refused(response, 400, "parse_error")


def test_a_form_instead_of_json(magriel, program):
    response = program(magriel).http.post("/api/v1/vouchers/redeem/", {"code": "x"})
    refused(response, 415, "unsupported_media_type")


def test_too_many_requests(magriel, program, monkeypatch):
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", {"anon": "1/min", "user": "2/min"})
    client = program(magriel)
    for _ in range(2):
        assert client.get("wallet/").status_code == 200
    response = client.get("wallet/")
    refused(response, 429, "throttled")
    assert int(response["retry-after"]) <= 60


def test_a_session_that_has_ended(magriel, program):
    client = program(magriel)
    client.http.session.flush()
    response = client.get("wallet/")
    refused(response, 401, "not_authenticated")
    assert response["www-authenticate"].startswith("Session")


def test_an_account_that_was_closed(magriel, program):
    client = program(magriel)
    magriel.is_active = False
    magriel.save()
    refused(client.get("wallet/"), 401, "not_authenticated")


def test_the_schema_is_open_to_all_and_lists_every_address():
    described = Client().get("/api/schema/").json()
    addresses = {address.removeprefix("/api/v1/") for address in described["paths"]}
    for pattern in urls.urlpatterns:
        plain = str(pattern.pattern)
        for converter in ("int:", "year:", "measure:", "period:"):
            plain = plain.replace(converter, "")
        assert plain.replace("<", "{").replace(">", "}") in addresses


class MeetingPlace(str):
    """A path at which two threads meet that import it at once, if nothing keeps them apart."""

    meeting = Barrier(2)

    def rsplit(self, *_: Any) -> list[str]:
        with suppress(BrokenBarrierError):
            self.meeting.wait(0.2)
        raise ImportError("planted: this package is not installed")


def test_first_requests_at_once_all_get_the_schema(rf):
    part = next(each for each in OpenApiSerializerExtension._registry if each.target_class is None)
    part.target_class = MeetingPlace("no.such.Target")
    view, requests = SchemaApi.as_view(), [rf.get("/api/schema/") for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        statuses = list(pool.map(lambda request: view(request).status_code, requests))
    assert statuses == [200, 200]
    assert part.target_class is None


@pytest.mark.slow
def test_the_schema_has_no_flaw(capsys):
    call_command("spectacular", "--fail-on-warn", "--validate")
    assert "openapi: 3" in capsys.readouterr().out
