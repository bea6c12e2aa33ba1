"""Own limits and breaks: checked where credits enter escrow, narrowed at once, widened later."""

from datetime import timedelta

import pytest
from django.db import Error, connection, transaction
from django.utils import timezone

from accounts.models import User
from ledger.errors import LimitReached, MalformedPosting, PlayPaused
from ledger.models import PlayLimit, PlayPause
from ledger.selectors import wallet_balance
from ledger.services.books import escrow_resolve, stakes_escrow
from ledger.services.limits import break_start, exclusion_start, limit_set
from ledger.services.payouts import payout_request

pytestmark = pytest.mark.django_db


class Table:
    """Matches of magriel against hilde at a stake, which can be moved into the past."""

    def __init__(self, magriel: User, hilde: User) -> None:
        self.magriel, self.hilde, self.number = magriel, hilde, 0

    def stake(self, cents: int) -> str:
        self.number += 1
        reference = f"match:{self.number}"
        with transaction.atomic():
            stakes_escrow(
                reference=reference, stakes={self.magriel.pk: cents, self.hilde.pk: cents}
            )
        return reference

    def play(self, cents: int, result: str) -> None:
        reference = self.stake(cents)
        payouts = {
            "won": {self.magriel.pk: 2 * cents - cents // 5},
            "lost": {self.hilde.pk: 2 * cents - cents // 5},
            "void": {self.magriel.pk: cents, self.hilde.pk: cents},
        }[result]
        escrow_resolve(
            reference=reference,
            payouts=payouts,
            rake_cents=0 if result == "void" else cents // 5,
            kind="void" if result == "void" else "result",
        )

    def days_pass(self, days: float) -> None:
        """Move everything so far into the past by this much."""
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
            cursor.execute("SET LOCAL session_replication_role = replica")
            shift = f"- interval '{days * 86400} seconds'"
            cursor.execute(f"UPDATE ledger_transfer SET created_at = created_at {shift}")
            cursor.execute(f"UPDATE ledger_playlimit SET next_from = next_from {shift}")
            cursor.execute(
                f"UPDATE ledger_playpause"
                f" SET starts_at = starts_at {shift}, ends_at = ends_at {shift}"
            )
            cursor.execute("SET LOCAL session_replication_role = origin")


@pytest.fixture
def table(magriel: User, hilde: User) -> Table:
    return Table(magriel, hilde)


@pytest.mark.parametrize(("period", "days"), [("day", 1), ("week", 7), ("month", 28)])
def test_a_stake_limit_holds_to_the_cent_and_to_the_hour(
    table: Table, magriel: User, period: str, days: int
) -> None:
    limit_set(user=magriel, measure="stake", period=period, amount_cents=600)
    table.play(300, "won")
    table.stake(300)
    with pytest.raises(LimitReached) as refused:
        table.stake(1)
    error = refused.value
    assert (error.user_id, error.measure, error.period) == (magriel.pk, "stake", period)
    assert (error.limit_cents, error.used_cents) == (600, 600)
    table.days_pass(days - 0.01)
    with pytest.raises(LimitReached):
        table.stake(1)
    table.days_pass(4 if period == "month" else 0.02)
    table.stake(600)


def test_the_limit_of_either_player_refuses_the_stake_of_both(
    table: Table, magriel: User, hilde: User
) -> None:
    limit_set(user=hilde, measure="stake", period="day", amount_cents=100)
    with pytest.raises(LimitReached) as refused:
        table.stake(250)
    assert refused.value.user_id == hilde.pk
    assert wallet_balance(magriel.pk) == 10_000


def test_a_loss_limit_counts_what_was_lost_and_what_is_still_at_stake(
    table: Table, magriel: User
) -> None:
    limit_set(user=magriel, measure="loss", period="day", amount_cents=1_000)
    table.play(500, "lost")
    table.play(500, "won")  # 900 back for 500: the day's loss is 100
    table.stake(900)
    with pytest.raises(LimitReached) as refused:
        table.stake(1)
    assert refused.value.used_cents == 1_000


def test_winnings_of_earlier_stakes_do_not_widen_a_loss_limit(
    table: Table, magriel: User, hilde: User
) -> None:
    """Credits that come in today for a stake of yesterday count for yesterday."""
    reference = table.stake(1_000)
    table.days_pass(2)
    limit_set(user=magriel, measure="loss", period="day", amount_cents=500)
    escrow_resolve(reference=reference, payouts={magriel.pk: 1_800}, rake_cents=200, kind="result")
    with pytest.raises(LimitReached):
        table.stake(501)
    table.stake(500)


def test_a_voided_match_counts_for_nothing(table: Table, magriel: User) -> None:
    limit_set(user=magriel, measure="stake", period="day", amount_cents=500)
    limit_set(user=magriel, measure="loss", period="day", amount_cents=500)
    table.play(500, "void")
    table.stake(500)


def test_the_narrowest_limit_decides(table: Table, magriel: User) -> None:
    limit_set(user=magriel, measure="stake", period="day", amount_cents=900)
    limit_set(user=magriel, measure="loss", period="week", amount_cents=400)
    limit_set(user=magriel, measure="stake", period="month", amount_cents=5_000)
    with pytest.raises(LimitReached) as refused:
        table.stake(500)
    assert (refused.value.measure, refused.value.period) == ("loss", "week")


def test_lowering_is_at_once_and_raising_after_a_day(table: Table, magriel: User) -> None:
    limit_set(user=magriel, measure="stake", period="day", amount_cents=500)
    raised = limit_set(user=magriel, measure="stake", period="day", amount_cents=2_000)
    assert raised is not None
    assert (raised.amount_cents, raised.next_amount_cents) == (500, 2_000)
    with pytest.raises(LimitReached):
        table.stake(501)
    table.days_pass(0.99)
    with pytest.raises(LimitReached):
        table.stake(501)
    table.days_pass(0.02)
    table.stake(1_000)
    lowered = limit_set(user=magriel, measure="stake", period="day", amount_cents=1_000)
    assert lowered is not None
    assert (lowered.amount_cents, lowered.next_from) == (1_000, None)
    with pytest.raises(LimitReached):
        table.stake(1)


def test_lowering_takes_back_a_raise_that_waits(table: Table, magriel: User) -> None:
    for cents in (500, 2_000, 400):
        limit_set(user=magriel, measure="stake", period="day", amount_cents=cents)
    table.days_pass(2)
    with pytest.raises(LimitReached):
        table.stake(401)


def test_removing_a_limit_waits_a_day_too(table: Table, magriel: User) -> None:
    limit_set(user=magriel, measure="stake", period="day", amount_cents=0)
    limit_set(user=magriel, measure="stake", period="day", amount_cents=None)
    with pytest.raises(LimitReached):
        table.stake(1)
    table.days_pass(1.01)
    table.stake(5_000)
    again = limit_set(user=magriel, measure="stake", period="day", amount_cents=100)
    assert again is not None  # a removed limit can be set again at once
    assert again.amount_cents == 100
    assert limit_set(user=magriel, measure="loss", period="day", amount_cents=None) is None


@pytest.mark.parametrize(
    "limit",
    [("stake", "year", 5), ("time", "day", 5), ("stake", "day", -1)],
)
def test_no_limit_is_no_limit(magriel: User, limit: tuple[str, str, int]) -> None:
    measure, period, cents = limit
    with pytest.raises(MalformedPosting):
        limit_set(user=magriel, measure=measure, period=period, amount_cents=cents)
    assert not PlayLimit.objects.exists()


def test_a_break_is_a_day_without_stakes_and_ends_by_itself(table: Table, magriel: User) -> None:
    running = table.stake(250)
    pause = break_start(user=magriel)
    with pytest.raises(PlayPaused) as refused:
        table.stake(250)
    assert (refused.value.user_id, refused.value.kind) == (magriel.pk, "break")
    assert refused.value.until is not None
    escrow_resolve(reference=running, payouts={magriel.pk: 450}, rake_cents=50, kind="result")
    assert pause.ends_at is not None
    assert timedelta(hours=23) < pause.ends_at - timezone.now() <= timedelta(hours=24)
    table.days_pass(1.01)
    table.stake(250)


@pytest.mark.parametrize("days", [182, None])
def test_a_self_exclusion_lasts_and_lets_the_player_be_paid(
    table: Table, magriel: User, days: int | None
) -> None:
    exclusion_start(user=magriel, days=days)
    table.days_pass(181)
    with pytest.raises(PlayPaused) as refused:
        table.stake(250)
    assert refused.value.kind == "exclusion"
    payout_request(
        user=magriel,
        amount_cents=10_000,
        destination="DE02 1203 0000",
        client_key="all",
        verified_at=timezone.now(),
    )
    assert wallet_balance(magriel.pk) == 0


def test_a_shorter_break_does_not_end_a_longer_exclusion(table: Table, magriel: User) -> None:
    exclusion_start(user=magriel, days=None)
    break_start(user=magriel)
    table.days_pass(2)
    with pytest.raises(PlayPaused) as refused:
        table.stake(250)
    assert refused.value.until is None


def test_too_short_is_refused(magriel: User) -> None:
    with pytest.raises(MalformedPosting):
        break_start(user=magriel, length=timedelta(hours=1))
    with pytest.raises(MalformedPosting):
        exclusion_start(user=magriel, days=30)


@pytest.mark.parametrize(
    "statement",
    ["UPDATE ledger_playpause SET ends_at = now()", "DELETE FROM ledger_playpause"],
)
def test_nobody_ends_a_pause_early(magriel: User, statement: str) -> None:
    break_start(user=magriel)
    with pytest.raises(Error) as refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert refused.value.__cause__.sqlstate == "LG009"
    assert PlayPause.objects.get().ends_at > timezone.now()
