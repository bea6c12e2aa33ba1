"""One's own credits through the interface: the wallet, payouts, limits and vouchers."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from harness.wallets import payout_paid
from ledger.errors import LimitReached, PlayPaused
from ledger.models import Payout
from ledger.selectors import wallet_balance
from ledger.services.books import credits_issue, stakes_escrow
from ledger.services.limits import player_freeze as freeze
from ledger.services.payouts import payout_approve, payout_decline, payout_request
from ledger.services.vouchers import voucher_make
from tests.matches import match_paid

pytestmark = pytest.mark.django_db

MATCH = "match:0d4f7c7a-4f0c-4f0a-9d0e-5a0d6a3f0001"


@pytest.fixture
def played(magriel, hilde):
    """magriel staked 2.50 against hilde and won 4.50."""
    match_paid(MATCH, winner=magriel, loser=hilde, stake_cents=250, paid_cents=450, rake_cents=50)
    return magriel


def test_the_wallet_says_what_is_there_and_what_holds_it_back(magriel, anna, program):
    payout_request(
        user=magriel,
        amount_cents=4_000,
        destination="IBAN",
        client_key="first-one",
        verified_at=timezone.now(),
    )
    freeze(user=magriel, actor=anna, reason="a question")
    answer = program(magriel).get("wallet/").json()
    assert answer == {
        "balance_cents": 6_000,
        "payable_cents": 6_000,
        "locked_cents": 0,
        "locked_to_play_cents": 0,
        "locked_people_missing": 0,
        "held_cents": 0,
        "unchecked_cents": 0,
        "payouts_open_cents": 4_000,
        "frozen": True,
        "pause": None,
    }


def test_entries_carry_the_running_balance_and_what_they_belong_to(played, program):
    results = program(played).get("wallet/entries/").json()["results"]
    rows = [(r["number"], r["kind"], r["amount_cents"], r["balance_cents"]) for r in results]
    assert rows == [
        (3, "result", 450, 10_200),
        (2, "stake", -250, 9_750),
        (1, "purchase", 10_000, 10_000),
    ]
    assert results[0]["reference"] == MATCH


def test_pages_of_entries_cover_everything_once(magriel, program):
    for number in range(9):
        credits_issue(
            user=magriel,
            amount_cents=100,
            key=f"gift:{number}",
            kind="grant",
            campaign="test",
            memo="a gift",
        )
    client, before, numbers = program(magriel), None, []
    while True:
        query = {"limit": 4} | ({"before": before} if before else {})
        page = client.get("wallet/entries/", **query).json()
        numbers += [row["number"] for row in page["results"]]
        before = page["next_before"]
        if before is None:
            break
    assert numbers == list(range(10, 0, -1))


def test_entries_can_be_chosen_by_kind_and_time(played, program):
    client = program(played)
    chosen = client.get("wallet/entries/", kind=["stake", "result"]).json()["results"]
    assert [row["kind"] for row in chosen] == ["result", "stake"]
    tomorrow = (timezone.now() + timedelta(days=1)).isoformat()
    assert client.get("wallet/entries/", since=tomorrow).json()["results"] == []
    assert len(client.get("wallet/entries/", until=tomorrow).json()["results"]) == 3


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"kind": "gift"}, "kind"),
        ({"limit": "0"}, "limit"),
        ({"limit": "101"}, "limit"),
        ({"before": "x"}, "before"),
        ({"before": str(2**63)}, "before"),
        ({"since": "yesterday"}, "since"),
    ],
)
def test_a_wrong_parameter_is_named(magriel, program, query, field):
    response = program(magriel).get("wallet/entries/", **query)
    assert response.status_code == 400
    assert response.json()["code"] == "invalid"
    assert list(response.json()["fields"]) == [field]


def test_a_statement_leads_from_the_opening_to_the_closing_balance(played, program):
    year = datetime.now(UTC).year
    answer = program(played).get(f"wallet/statements/{year}/").json()
    assert answer["opening_cents"] == 0
    assert {row["kind"]: row["total_cents"] for row in answer["totals"]} == {
        "purchase": 10_000,
        "stake": -250,
        "result": 450,
    }
    assert answer["played_cents"] == 200
    assert answer["closing_cents"] == wallet_balance(played.pk) == 10_200


@pytest.mark.parametrize("year", ["1999", "2999", "9999", "0000", "20", "x"])
def test_a_year_without_a_statement_is_not_found(magriel, program, year):
    response = program(magriel).get(f"wallet/statements/{year}/")
    assert response.status_code == 404
    assert response.json()["code"] == "not_found"


# --- payouts --------------------------------------------------------------------------------------
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


# --- limits and vouchers --------------------------------------------------------------------------
OTHER_MATCH = "match:of-a-test"


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
        stakes_escrow(reference=OTHER_MATCH, stakes={magriel.pk: 250, hilde.pk: 250})


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
        stakes_escrow(reference=OTHER_MATCH, stakes={magriel.pk: 250, hilde.pk: 250})


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
