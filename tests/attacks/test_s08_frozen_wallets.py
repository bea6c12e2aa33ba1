"""S8: no step of a payout happens while its player's wallet is frozen."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import Error, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from harness.logins import logged_in
from harness.wallets import credits_bought, payout_asked
from ledger.models import Payout
from ledger.selectors import house_totals, wallet_balance
from ledger.services.limits import player_freeze, player_thaw
from tests.desk.conftest import at_desk

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def decide(user: User, payout: Payout, verb: str, **fields: str) -> str:
    """The text of the desk's page after a decision."""
    address = f"/desk/payouts/{payout.pk}/{verb}/"
    return at_desk(user).post(address, fields, follow=True).content.decode()


def state(payout: Payout) -> str:
    return str(Payout.objects.get(pk=payout.pk).state)


@pytest.fixture
def freeze(magriel: User, anna: User) -> Callable[[], None]:
    return lambda: player_freeze(user=magriel, actor=anna, reason="looked into")


@pytest.mark.parametrize(
    ("steps", "next_one", "statement"),
    [
        ((), "approve", "state = 'approved', approved_by_id = {anna}, approved_at = now()"),
        (("approve",), "claim", "state = 'paying', claimed_by_id = {bert}, claimed_at = now()"),
        (
            ("approve", "claim"),
            "settle",
            "state = 'paid', closed_by_id = {bert}, closed_at = now()",
        ),
    ],
)
def test_no_step_is_taken_after_the_freeze(
    payout: Payout,
    anna: User,
    bert: User,
    freeze: Callable[[], None],
    steps: tuple[str, ...],
    next_one: str,
    statement: str,
) -> None:
    """Not at the desk, whose pages say why, nor past it: the database refuses it too."""
    people = {"approve": anna, "claim": bert, "settle": bert}
    for verb in steps:
        decide(people[verb], payout, verb)
    reached = state(payout)
    freeze()
    client = at_desk(bert)
    page = client.get(reverse("desk:payout", args=[payout.pk])).content.decode()
    assert "This player's wallet is frozen." in page.replace("&#x27;", "'")
    for verb in people:
        assert f'action="/desk/payouts/{payout.pk}/{verb}/"' not in page
    for name in ("payouts", "overview"):
        assert "wallet frozen" in client.get(reverse(f"desk:{name}")).content.decode()
    refused_by_the_desk = decide(people[next_one], payout, next_one, receipt="SEPA 4711")
    assert "The wallet is frozen" in refused_by_the_desk
    raw = f"UPDATE ledger_payout SET {statement.format(anna=anna.pk, bert=bert.pk)}"
    with pytest.raises(Error) as refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(raw)
    assert refused.value.__cause__.sqlstate == "LG003"
    assert (state(payout), house_totals().paid_out_cents) == (reached, 0)


def test_a_payout_that_was_taken_is_settled_when_the_freeze_is_over(
    payout: Payout, magriel: User, anna: User, bert: User, freeze: Callable[[], None]
) -> None:
    decide(anna, payout, "approve")
    decide(bert, payout, "claim")
    freeze()
    player_thaw(user=magriel, actor=anna, reason="all is well", verified_at=timezone.now())
    decide(bert, payout, "settle", receipt="SEPA 4711")
    assert state(payout) == "paid"


def test_declining_gives_the_credits_back_into_the_frozen_wallet(
    payout: Payout, anna: User, freeze: Callable[[], None]
) -> None:
    freeze()
    decide(anna, payout, "decline", reason="looked into")
    assert state(payout) == "declined"


# --- S9: a payout that is being paid --------------------------------------------------------------
def take_back(payout: Payout) -> None:
    """Press the player's button on the page of the payouts."""
    client = logged_in(Client(), payout.user)
    client.post(reverse("wallet_payout_cancel", args=[payout.pk]))


def page(user: User, payout: Payout) -> str:
    return at_desk(user).get(reverse("desk:payout", args=[payout.pk])).content.decode()


def test_what_is_approved_is_not_taken_back_behind_the_administrators_back(
    payout: Payout, magriel: User, anna: User, bert: User
) -> None:
    """The attack: the second administrator's page is open, and the player cancels."""
    decide(anna, payout, "approve")
    assert "Pay first" not in page(bert, payout)
    take_back(payout)
    assert state(payout) == "approved"
    assert wallet_balance(magriel.pk) == 7_500


def test_nobody_takes_what_the_player_asks_to_cancel(
    payout: Payout, magriel: User, anna: User, bert: User
) -> None:
    decide(anna, payout, "approve")
    take_back(payout)
    assert "The player asks to cancel this payout." in page(bert, payout)
    assert "player asks to cancel" in at_desk(bert).get(reverse("desk:payouts")).content.decode()
    assert "The player asks to cancel it" in decide(bert, payout, "claim")
    assert state(payout) == "approved"
    decide(bert, payout, "cancel", reason="as asked, nothing was paid")
    assert state(payout) == "cancelled"
    assert wallet_balance(magriel.pk) == 10_000


def test_one_that_is_being_paid_ends_with_the_administrator_who_took_it(
    payout: Payout, magriel: User, anna: User, bert: User
) -> None:
    decide(anna, payout, "approve")
    decide(bert, payout, "claim")
    take_back(payout)
    assert "The player asks to cancel this payout." in page(bert, payout)
    for verb, fields in (
        ("decline", {"reason": "x"}),
        ("fail", {"reason": "x"}),
        ("cancel", {"reason": "x"}),
        ("settle", {"receipt": "x"}),
        ("claim", {"reason": "x"}),
    ):
        decide(anna, payout, verb, **fields)
        assert state(payout) == "paying"
    decide(bert, payout, "settle", receipt="SEPA 4711")
    assert state(payout) == "paid"
    assert wallet_balance(magriel.pk) == 7_500


def test_one_that_was_taken_and_not_paid_is_cancelled_as_asked(
    payout: Payout, magriel: User, anna: User, bert: User
) -> None:
    decide(anna, payout, "approve")
    decide(bert, payout, "claim")
    decide(bert, payout, "cancel", reason="nobody asked")
    assert state(payout) == "paying"
    take_back(payout)
    decide(bert, payout, "cancel", reason="as asked, nothing was paid")
    assert state(payout) == "cancelled"
    assert wallet_balance(magriel.pk) == 10_000


def test_before_the_approval_the_credits_come_back_at_once(
    payout: Payout, magriel: User, anna: User
) -> None:
    take_back(payout)
    assert state(payout) == "cancelled"
    decide(anna, payout, "approve")
    assert state(payout) == "cancelled"
    assert wallet_balance(magriel.pk) == 10_000


# --- S17: a payout in parts -----------------------------------------------------------------------
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
