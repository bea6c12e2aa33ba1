"""Reading one's own credits through the interface."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from ledger.selectors import wallet_balance
from ledger.services.books import credits_issue
from ledger.services.limits import player_freeze as freeze
from ledger.services.payouts import payout_request
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
