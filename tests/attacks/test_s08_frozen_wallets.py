"""S8: no step of a payout happens while its player's wallet is frozen."""

from collections.abc import Callable

import pytest
from django.db import Error, connection, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from ledger.models import Payout
from ledger.selectors import house_totals
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


def test_an_approved_payout_is_not_paid_after_the_freeze(
    payout: Payout, anna: User, bert: User, freeze: Callable[[], None]
) -> None:
    """The attack: approved, frozen, then settled by the second administrator."""
    decide(anna, payout, "approve")
    freeze()
    decide(bert, payout, "claim")
    decide(bert, payout, "settle", receipt="SEPA 4711")
    assert state(payout) == "approved"
    assert house_totals().paid_out_cents == 0


def test_a_payout_that_was_taken_is_not_settled_after_the_freeze(
    payout: Payout, magriel: User, anna: User, bert: User, freeze: Callable[[], None]
) -> None:
    decide(anna, payout, "approve")
    decide(bert, payout, "claim")
    freeze()
    assert "The wallet is frozen" in decide(bert, payout, "settle", receipt="SEPA 4711")
    assert state(payout) == "paying"
    assert house_totals().paid_out_cents == 0
    player_thaw(user=magriel, actor=anna, reason="all is well", verified_at=timezone.now())
    decide(bert, payout, "settle", receipt="SEPA 4711")
    assert state(payout) == "paid"


def test_a_request_is_not_approved_after_the_freeze(
    payout: Payout, anna: User, freeze: Callable[[], None]
) -> None:
    freeze()
    assert "The wallet is frozen" in decide(anna, payout, "approve")
    assert state(payout) == "requested"


@pytest.mark.parametrize("steps", [(), ("approve",), ("approve", "claim")])
def test_every_page_of_the_payout_shows_the_freeze(
    payout: Payout, anna: User, bert: User, freeze: Callable[[], None], steps: tuple[str, ...]
) -> None:
    for verb, actor in zip(steps, (anna, bert), strict=False):
        decide(actor, payout, verb)
    freeze()
    client = at_desk(bert)
    page = client.get(reverse("desk:payout", args=[payout.pk])).content.decode()
    assert "This player's wallet is frozen." in page.replace("&#x27;", "'")
    for verb in ("approve", "claim", "settle"):
        assert f'action="/desk/payouts/{payout.pk}/{verb}/"' not in page
    for name in ("payouts", "overview"):
        assert "wallet frozen" in client.get(reverse(f"desk:{name}")).content.decode()


def test_declining_gives_the_credits_back_into_the_frozen_wallet(
    payout: Payout, anna: User, freeze: Callable[[], None]
) -> None:
    freeze()
    decide(anna, payout, "decline", reason="looked into")
    assert state(payout) == "declined"


@pytest.mark.parametrize(
    ("steps", "statement"),
    [
        ((), "state = 'approved', approved_by_id = {anna}, approved_at = now()"),
        (("approve",), "state = 'paying', claimed_by_id = {bert}, claimed_at = now()"),
        (("approve", "claim"), "state = 'paid', closed_by_id = {bert}, closed_at = now()"),
    ],
)
def test_the_database_refuses_it_too(
    payout: Payout,
    anna: User,
    bert: User,
    freeze: Callable[[], None],
    steps: tuple[str, ...],
    statement: str,
) -> None:
    for verb, actor in zip(steps, (anna, bert), strict=False):
        decide(actor, payout, verb)
    freeze()
    raw = f"UPDATE ledger_payout SET {statement.format(anna=anna.pk, bert=bert.pk)}"
    with pytest.raises(Error) as refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(raw)
    assert refused.value.__cause__.sqlstate == "LG003"
