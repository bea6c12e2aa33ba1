"""Limits, breaks, exclusions and vouchers through the interface."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from ledger.errors import LimitReached, PlayPaused
from ledger.selectors import wallet_balance
from ledger.services.books import stakes_escrow
from ledger.services.vouchers import voucher_make

pytestmark = pytest.mark.django_db

MATCH = "match:of-a-test"


def test_a_limit_holds_at_once(magriel, hilde, program):
    response = program(magriel).put("limits/stake/day/", {"limit_cents": 200})
    assert response.json() == {
        "measure": "stake",
        "period": "day",
        "limit_cents": 200,
        "used_cents": 0,
        "next_cents": None,
        "next_from": None,
    }
    with pytest.raises(LimitReached):
        stakes_escrow(reference=MATCH, stakes={magriel.pk: 250, hilde.pk: 250})


@pytest.mark.parametrize("wider", [500, None])
def test_a_wider_limit_waits_a_day(magriel, program, wider):
    client = program(magriel)
    client.put("limits/loss/week/", {"limit_cents": 200})
    answer = client.put("limits/loss/week/", {"limit_cents": wider}).json()
    assert (answer["limit_cents"], answer["next_cents"]) == (200, wider)
    wait = parse_datetime(answer["next_from"]) - timezone.now()
    assert timedelta(hours=23, minutes=59) < wait <= timedelta(hours=24)


def test_all_six_limits_are_listed(magriel, program):
    client = program(magriel)
    client.put("limits/loss/month/", {"limit_cents": 0})
    answer = client.get("limits/").json()
    assert len(answer["limits"]) == 6
    assert [row["limit_cents"] for row in answer["limits"]] == [None] * 5 + [0]
    assert answer["pause"] is None


@pytest.mark.parametrize("body", [{}, {"limit_cents": -1}, {"limit_cents": "5"}, {"limit": 5}, []])
def test_what_is_no_limit_changes_nothing(magriel, program, body):
    client = program(magriel)
    assert client.put("limits/stake/day/", body).status_code == 400
    assert {row["limit_cents"] for row in client.get("limits/").json()["limits"]} == {None}


@pytest.mark.parametrize("address", ["limits/luck/day/", "limits/stake/hour/"])
def test_a_limit_that_does_not_exist_is_not_found(magriel, program, address):
    response = program(magriel).put(address, {"limit_cents": 5})
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_a_break_stops_stakes_for_a_day(magriel, hilde, program):
    client = program(magriel)
    response = client.post("break/")
    assert response.status_code == 201
    assert client.get("limits/").json()["pause"] == response.json()
    assert response.json()["kind"] == "break"
    with pytest.raises(PlayPaused):
        stakes_escrow(reference=MATCH, stakes={magriel.pk: 250, hilde.pk: 250})


def test_an_exclusion_for_ever_outlives_a_break(magriel, program):
    client = program(magriel)
    assert client.post("exclusion/", {"days": None}).status_code == 201
    client.post("break/")
    pause = client.get("wallet/").json()["pause"]
    assert (pause["kind"], pause["ends_at"]) == ("exclusion", None)


@pytest.mark.parametrize(
    "body", [{}, {"days": 181}, {"days": 3651}, {"days": "200"}, {"days": 1e9}]
)
def test_an_exclusion_is_long_and_asked_for_in_so_many_words(magriel, program, body):
    client = program(magriel)
    assert client.post("exclusion/", body).status_code == 400
    assert client.get("limits/").json()["pause"] is None


def test_a_voucher_brings_its_credits_once(magriel, hilde, anna, program):
    (new,) = voucher_make(verified_at=timezone.now(), actor=anna, amount_cents=500, note="a prize")
    client = program(magriel)
    first = client.post("vouchers/redeem/", {"code": new.code.lower()})
    assert first.json() == {"amount_cents": 500, "balance_cents": 10_500, "replayed": False}
    assert client.post("vouchers/redeem/", {"code": new.code}).json()["replayed"] is True
    other = program(hilde).post("vouchers/redeem/", {"code": new.code})
    assert (other.status_code, other.json()["code"]) == (409, "voucher_refused")
    assert (wallet_balance(magriel.pk), wallet_balance(hilde.pk)) == (10_500, 10_000)


def test_an_unknown_code_brings_nothing(magriel, program):
    response = program(magriel).post("vouchers/redeem/", {"code": "ABCD-EFGH-JKMN-PQRS"})
    assert (response.status_code, response.json()["code"]) == (409, "voucher_refused")
    assert wallet_balance(magriel.pk) == 10_000


def test_a_voucher_that_waits_says_so(magriel, anna, program):
    (new,) = voucher_make(
        verified_at=timezone.now(), actor=anna, amount_cents=2_001, note="a prize"
    )
    response = program(magriel).post("vouchers/redeem/", {"code": new.code})
    assert response.status_code == 409
    assert response.json()["code"] == "voucher_refused"
    assert "a second person of the house has to confirm it" in response.json()["message"]
    assert wallet_balance(magriel.pk) == 10_000
