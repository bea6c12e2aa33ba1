"""Payouts through the interface: requested once, followed, cancelled."""

import pytest
from django.utils import timezone

from harness.wallets import payout_paid
from ledger.models import Payout
from ledger.selectors import wallet_balance
from ledger.services.payouts import payout_approve, payout_decline

pytestmark = pytest.mark.django_db

KEY = "wish-number-1"
WISH = {"amount_cents": 4_000, "destination": "DE02 1203 0000", "note": "thank you"}


def test_asking_puts_the_credits_aside_and_shows_the_first_step(magriel, program):
    response = program(magriel).post("payouts/request/", WISH, KEY)
    assert response.status_code == 201
    answer = response.json()
    assert (answer["state"], answer["amount_cents"]) == ("requested", 4_000)
    assert [step["state"] for step in answer["steps"]] == ["requested"]
    assert wallet_balance(magriel.pk) == 6_000


def test_the_same_key_answers_with_the_same_payout(magriel, program):
    client = program(magriel)
    first = client.post("payouts/request/", WISH, KEY)
    again = client.post("payouts/request/", WISH, KEY)
    assert first.json() == again.json()
    assert Payout.objects.count() == 1
    assert wallet_balance(magriel.pk) == 6_000


def test_the_same_key_with_another_wish_is_refused(magriel, program):
    client = program(magriel)
    client.post("payouts/request/", WISH, KEY)
    response = client.post("payouts/request/", WISH | {"amount_cents": 100}, KEY)
    assert (response.status_code, response.json()["code"]) == (409, "key_conflict")
    assert wallet_balance(magriel.pk) == 6_000


@pytest.mark.parametrize("key", [None, "", "short", "with space", "ä" * 8, "x" * 101])
def test_without_a_proper_key_nothing_is_asked(magriel, program, key):
    response = program(magriel).post("payouts/request/", WISH, key)
    assert response.status_code == 400
    assert list(response.json()["fields"]) == ["Idempotency-Key"]
    assert not Payout.objects.exists()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"amount_cents": 99}, "amount_cents"),
        ({"amount_cents": "400"}, "amount_cents"),
        ({"amount_cents": 400.0}, "amount_cents"),
        ({"amount_cents": True}, "amount_cents"),
        ({"amount_cents": 10**16}, "amount_cents"),
        ({"amount_cents": None}, "amount_cents"),
        ({"destination": ""}, "destination"),
        ({"destination": "  "}, "destination"),
        ({"destination": "a\nb"}, "destination"),
        ({"destination": 7}, "destination"),
        ({"destination": "x" * 201}, "destination"),
        ({"note": "\x00"}, "note"),
        ({"note": "x" * 501}, "note"),
    ],
)
def test_a_wrong_wish_is_refused_and_its_field_named(magriel, program, change, field):
    response = program(magriel).post("payouts/request/", WISH | change, KEY)
    assert response.status_code == 400
    assert list(response.json()["fields"]) == [field]
    assert wallet_balance(magriel.pk) == 10_000


@pytest.mark.parametrize("body", [[], "wish", 7])
def test_what_is_no_object_is_refused(magriel, program, body):
    assert program(magriel).post("payouts/request/", body, KEY).status_code == 400


def test_the_smallest_payout_is_the_operators(magriel, program, settings):
    settings.LEDGER_PAYOUT_MINIMUM_CENTS = 5_000
    response = program(magriel).post("payouts/request/", WISH, KEY)
    assert list(response.json()["fields"]) == ["amount_cents"]


def test_more_than_the_wallet_holds_is_refused(magriel, program):
    response = program(magriel).post("payouts/request/", WISH | {"amount_cents": 10_001}, KEY)
    assert (response.status_code, response.json()["code"]) == (409, "insufficient_credits")
    assert not Payout.objects.exists()


def test_taking_it_back_twice_returns_the_credits_once(magriel, program):
    client = program(magriel)
    number = client.post("payouts/request/", WISH, KEY).json()["id"]
    for _ in range(2):
        response = client.post(f"payouts/{number}/cancel/")
        assert (response.status_code, response.json()["state"]) == (200, "cancelled")
    assert wallet_balance(magriel.pk) == 10_000


def test_a_paid_payout_is_not_taken_back(magriel, anna, bert, program):
    client, now = program(magriel), timezone.now()
    number = client.post("payouts/request/", WISH, KEY).json()["id"]
    payout_approve(payout_id=number, actor=anna, verified_at=now, reason="a regular")
    payout_paid(Payout.objects.get(pk=number), bert)
    response = client.post(f"payouts/{number}/cancel/")
    assert (response.status_code, response.json()["code"]) == (409, "wrong_state")
    answer = client.get(f"payouts/{number}/").json()
    assert (answer["state"], answer["receipt"]) == ("paid", "transfer 4711")


def test_administrators_remarks_and_names_stay_with_them(magriel, anna, program):
    client, now = program(magriel), timezone.now()
    number = client.post("payouts/request/", WISH, KEY).json()["id"]
    payout_approve(payout_id=number, actor=anna, verified_at=now, reason="looks odd")
    payout_decline(payout_id=number, actor=anna, verified_at=now, reason="name differs")
    response = client.get(f"payouts/{number}/")
    steps = [(step["state"], step["reason"]) for step in response.json()["steps"]]
    assert steps == [("requested", ""), ("approved", ""), ("declined", "name differs")]
    assert "looks odd" not in response.content.decode()
    assert "anna" not in response.content.decode()


def test_the_list_is_the_newest_first_in_pages(magriel, program):
    client = program(magriel)
    numbers = [
        client.post("payouts/request/", WISH | {"amount_cents": 100}, f"wish-{n}-wish").json()["id"]
        for n in range(3)
    ]
    page = client.get("payouts/", limit=2).json()
    assert [row["id"] for row in page["results"]] == numbers[:0:-1]
    rest = client.get("payouts/", limit=2, before=page["next_before"]).json()
    assert [row["id"] for row in rest["results"]] == numbers[:1]
    assert rest["next_before"] is None
