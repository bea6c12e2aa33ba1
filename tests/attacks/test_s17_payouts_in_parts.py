"""S17: all payouts that a player requests within 24 hours count as one large payout."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from harness.logins import logged_in
from harness.wallets import credits_bought, payout_asked
from ledger.models import Payout

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

DAY = timedelta(hours=24)


def waits(payout: Payout) -> bool:
    return payout.not_before - payout.requested_at == DAY


def test_two_parts_just_below_the_limit_are_large(magriel: User, settings: Any) -> None:
    """The attack: request 9,999.99 again and again."""
    credits_bought(magriel, 10_000_000)
    client = logged_in(Client(), magriel)
    for number in range(3):
        client.post(
            reverse("api_payout_request"),
            {"amount_cents": 999_999, "destination": "DE02"},
            content_type="application/json",
            headers={"Idempotency-Key": f"part-number-{number}"},
        )
    assert [waits(payout) for payout in Payout.objects.order_by("id")] == [False, True, True]


def test_the_sum_is_the_players_own_of_one_day(magriel: User, staff: Any, settings: Any) -> None:
    settings.LEDGER_PAYOUT_LARGE_CENTS = 3_000
    assert not waits(payout_asked(magriel, 2_000, "first"))
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE ledger_payout DISABLE TRIGGER USER")
        cursor.execute("UPDATE ledger_payout SET requested_at = requested_at - interval '24 hours'")
        cursor.execute("ALTER TABLE ledger_payout ENABLE TRIGGER USER")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    assert not waits(payout_asked(magriel, 2_000, "second"))
    assert waits(payout_asked(magriel, 1_000, "third"))


def test_what_came_back_does_not_count(magriel: User, settings: Any) -> None:
    settings.LEDGER_PAYOUT_LARGE_CENTS = 3_000
    first = payout_asked(magriel, 2_000, "first")
    logged_in(client := Client(), magriel)
    client.post(reverse("wallet_payout_cancel", args=[first.pk]))
    assert not waits(payout_asked(magriel, 2_000, "second"))


def test_the_database_judges_whatever_the_program_says(magriel: User, settings: Any) -> None:
    settings.LEDGER_PAYOUT_LARGE_CENTS = 3_000
    payout = payout_asked(magriel, 3_000)
    assert waits(payout)
    assert (payout.large_from_cents, payout.wait_hours) == (3_000, 24)
