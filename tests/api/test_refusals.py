"""Every refusal has the same shape, whatever its cause."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework.throttling import SimpleRateThrottle

from ledger.api import urls
from pasch.api.schema import SchemaApi

pytestmark = pytest.mark.django_db


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
