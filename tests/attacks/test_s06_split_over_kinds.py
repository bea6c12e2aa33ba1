"""S6 in parts: one person moves 20 ℂ each by adjustment, voucher and match in one day, alone."""

from collections.abc import Callable
from datetime import timedelta
from itertools import permutations

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import Match
from ledger.models import Adjustment, JournalEntry, Voucher
from ledger.services.decisions import alone_cents_spent, may_decide_alone
from tests.attacks.conftest import at_desk
from tests.attacks.test_s06_credits_by_password import adjust
from tests.attacks.test_s06_decisions_alone import SMALL, VOID, decide, play

pytestmark = pytest.mark.slow

__all__ = ["play"]

KINDS = ("adjustment", "vouchers", "match")


def move(kind: str, actor: User, match: Match) -> bool:
    """Move 15 ℂ in this way at the desk; return whether one person did it alone."""
    client = at_desk(actor)
    if kind == "adjustment":
        adjust(client, "magriel", "15")
        return Adjustment.objects.exists()
    if kind == "vouchers":
        client.get(reverse("desk:vouchers"))
        fields = {"amount": "5", "count": "3", "note": "summer"}
        key = client.session["desk_voucher_form"]
        client.post(reverse("desk:vouchers"), {**fields, "key": key})
        (alone,) = set(Voucher.objects.values_list("alone", flat=True))
        return bool(alone)
    decide(client, match, VOID)
    match.refresh_from_db()
    return match.ended_at is not None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("order", list(permutations(KINDS)))
def test_s06_the_limit_is_one_sum_over_all_kinds(
    play: Callable[..., Match],
    anna: User,
    bert: User,
    magriel: User,
    order: tuple[str, ...],
) -> None:
    match = play("mia", "friend", **SMALL)
    assert [move(kind, anna, match) for kind in order] == [True, False, False]
    assert alone_cents_spent(anna) == 1500
    assert alone_cents_spent(bert) == 0


@pytest.mark.django_db
def test_s06_a_day_later_the_sum_is_empty(anna: User, magriel: User, monkeypatch) -> None:
    adjust(at_desk(anna), "magriel", "20")
    assert not may_decide_alone(anna, 1, lock=False)
    later = timezone.now() + timedelta(hours=24)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert may_decide_alone(anna, 2000, lock=False)
    assert not may_decide_alone(anna, 2001, lock=False)


@pytest.mark.django_db
def test_s06_pages_say_what_is_left_of_the_sum(anna: User, magriel: User) -> None:
    adjust(at_desk(anna), "magriel", "12")
    assert JournalEntry.objects.get().verb == "adjustment.give"
    for name in ("adjustments", "vouchers"):
        page = at_desk(anna).get(reverse(f"desk:{name}")).content.decode()
        assert "used: 12.00 ℂ" in page.replace("\xa0", " ")
