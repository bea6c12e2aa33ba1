"""What players and administrators see: statements, limits with their use, waiting decisions."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from ledger.models import Measure, Period
from ledger.selectors_desk import (
    audit_latest,
    frozen_wallets,
    journal,
    limits_of,
    pause_of,
    payouts_of,
    payouts_waiting,
    proposals_waiting,
    statement,
    stops,
    vouchers,
)
from ledger.services.adjustments import adjustment_make
from ledger.services.books import escrow_resolve, stakes_escrow
from ledger.services.limits import (
    break_start,
    exclusion_start,
    limit_set,
    player_freeze,
    stakes_stop,
)
from ledger.services.payouts import payout_cancel, payout_request
from ledger.services.vouchers import voucher_make
from ledger.tasks import audit

pytestmark = pytest.mark.django_db


def test_a_statement_goes_from_opening_to_closing(magriel: User, hilde: User) -> None:
    begin = timezone.now()
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="result")
    year = statement(magriel.pk, since=begin, until=begin + timedelta(days=365))
    assert (year.opening_cents, year.closing_cents) == (10_000, 10_200)
    assert year.by_kind == {"result": 450, "stake": -250}
    assert year.played_cents == 200
    before = statement(magriel.pk, since=begin - timedelta(days=365), until=begin)
    assert (before.opening_cents, before.closing_cents) == (0, 10_000)
    assert before.played_cents == 0


def test_limits_are_shown_with_their_use(magriel: User, hilde: User) -> None:
    limit_set(user=magriel, measure="stake", period="day", amount_cents=500)
    limit_set(user=magriel, measure="stake", period="day", amount_cents=900)
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    views = {(view.measure, view.period): view for view in limits_of(magriel.pk)}
    assert len(views) == 6
    day = views[Measure.STAKE, Period.DAY]
    assert (day.limit_cents, day.used_cents, day.next_cents) == (500, 250, 900)
    assert day.next_from is not None
    assert views[Measure.LOSS, Period.MONTH].limit_cents is None
    assert views[Measure.LOSS, Period.MONTH].used_cents == 250


def test_the_longest_pause_is_the_one_in_force(magriel: User) -> None:
    assert pause_of(magriel.pk) is None
    break_start(user=magriel)
    exclusion_start(user=magriel, days=200)
    running = pause_of(magriel.pk)
    assert running is not None
    assert running.kind == "exclusion"
    for_ever = exclusion_start(user=magriel, days=None)
    assert pause_of(magriel.pk) == for_ever


def test_the_desk_sees_what_waits(
    magriel: User, hilde: User, anna: User, django_assert_num_queries: Any
) -> None:
    first = payout_request(
        user=magriel, amount_cents=500, destination="x", client_key="1", verified_at=timezone.now()
    )
    second = payout_request(
        user=hilde, amount_cents=500, destination="x", client_key="1", verified_at=timezone.now()
    )
    payout_cancel(payout_id=second.pk, user=hilde)
    waiting = adjustment_make(
        verified_at=timezone.now(),
        actor=anna,
        user=magriel,
        amount_cents=9_999,
        reason="a prize",
        client_key="1",
    )
    (new,) = voucher_make(verified_at=timezone.now(), actor=anna, amount_cents=5, note="x")
    player_freeze(user=hilde, actor=anna, reason="looked into")
    stakes_stop(scope="house", actor=anna, reason="maintenance")
    assert list(payouts_waiting()) == [first]
    assert [payout.state for payout in payouts_of(hilde.pk)] == ["cancelled"]
    assert list(proposals_waiting(["ledger.adjust_credits"])) == [waiting]
    assert list(vouchers()) == [new.voucher]
    assert [account.owner for account in frozen_wallets()] == [hilde]
    assert [stop.scope for stop in stops()] == ["house"]
    assert [entry.verb for entry in journal(subject=f"user:{hilde.pk}")] == ["player.freeze"]
    assert journal(actor_id=anna.pk).count() == 4
    with django_assert_num_queries(1):
        assert [payout.user.username for payout in payouts_waiting()] == ["magriel"]


def test_the_last_audit_is_at_hand(magriel: User) -> None:
    assert audit_latest() is None
    audit()
    latest = audit_latest()
    assert latest is not None
    assert latest.finding_count == 0
