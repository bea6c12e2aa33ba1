"""The house detects its own outages and gives the time back before any clock runs out."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.models import Heartbeat, Match, Outage
from games.services.attendance import attendance_note
from games.services.outages import SWEEP, WEB, heartbeat, house_is_well, outages_credit
from games.services.tables import table_wake
from games.table import commands as cmd
from games.table.errors import TooEarly
from games.table.machine import due_ms
from games.table.state import ABSENCE_MS, GRACE_MS
from kit.database import database_now_ms
from ledger.audit import run
from tests.aging import rows_age

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_steady_heartbeat_is_no_outage():
    now_ms = database_now_ms()
    for second in range(5):
        assert heartbeat(WEB, now_ms=now_ms + 1000 * second) is None
    assert house_is_well(now_ms + 4_500)


def test_a_silence_is_kept_as_an_outage():
    now_ms = database_now_ms()
    heartbeat(WEB, now_ms=now_ms)
    outage = heartbeat(WEB, now_ms=now_ms + 30_000)
    assert (outage.ended_at - outage.began_at).total_seconds() == 30
    assert not house_is_well(now_ms + 30_000)
    outages_credit()
    assert house_is_well(now_ms + 30_000)


def test_no_outage_counts_as_given_back_before_every_table_has_its_time(sitting):
    sitting.turn()
    now_ms = database_now_ms()
    heartbeat(WEB, now_ms=now_ms)
    heartbeat(WEB, now_ms=now_ms + 30_000)
    forged = Outage.objects.all()
    with pytest.raises(IntegrityError, match="not given back"), transaction.atomic():
        forged.update(credited_at=timezone.now())
    assert outages_credit() == 1
    assert forged.get().credited_at is not None
    with pytest.raises(IntegrityError, match="not given back"), transaction.atomic():
        forged.update(credited_at=None)


def test_the_audit_finds_an_outage_that_counts_as_given_back_and_was_not(sitting):
    sitting.turn()
    now_ms = database_now_ms()
    heartbeat(WEB, now_ms=now_ms)
    heartbeat(WEB, now_ms=now_ms + 30_000)
    Match.objects.update(stake_cents=1)
    assert not run(("M6",)).finding_count
    rows_age(Outage.objects.all(), credited_at=timezone.now())
    assert run(("M6",)).finding_count == 1


@pytest.mark.parametrize("role", [WEB, SWEEP])
def test_nobody_loses_on_time_while_a_part_of_the_house_is_down(sitting, role):
    sitting.turn()
    now_ms = database_now_ms()
    heartbeat(role, now_ms=now_ms)
    due = due_ms(sitting.state)
    # the clock has run out, but the house has been silent since long before
    assert not table_wake(sitting.pk, now_ms=due + 1)
    heartbeat(role, now_ms=due + 1)
    assert outages_credit() == 1
    assert not table_wake(sitting.pk, now_ms=due + 1)
    later = due_ms(sitting.state)
    assert later >= due + (due - now_ms) + GRACE_MS - 5_000
    heartbeat(role, now_ms=later)
    Outage.objects.all().delete()
    assert table_wake(sitting.pk, now_ms=later)
    assert Match.objects.get().ending == "time_over"


def test_a_clock_that_ends_while_the_web_is_silent_waits_until_it_is_known_for_how_long(sitting):
    """Six seconds are no outage yet, although the loser could not play during them."""
    sitting.turn()
    due = due_ms(sitting.state)
    heartbeat(WEB, now_ms=due - 4_000)
    for after_ms in (1, 1_000, 6_000):
        assert not table_wake(sitting.pk, now_ms=due + after_ms)
    heartbeat(WEB, now_ms=due + 9_000)
    assert outages_credit() == 1, "it was one"
    assert due_ms(sitting.state) == due + 13_000 + GRACE_MS


def test_a_clock_that_ends_in_a_silence_that_was_none_ends_with_it(sitting):
    sitting.turn()
    due = due_ms(sitting.state)
    heartbeat(WEB, now_ms=due - 4_000)
    heartbeat(WEB, now_ms=due + 2_000)
    assert outages_credit() == 0
    assert table_wake(sitting.pk, now_ms=due + 2_500)
    assert Match.objects.get().ending == "time_over"


def test_a_command_after_an_outage_is_carried_out(sitting):
    sitting.turn()
    seat = sitting.state.decider
    heartbeat(WEB, now_ms=database_now_ms())
    sitting.give(seat, cmd.Roll(), now_ms=due_ms(sitting.state) + 60_000)
    assert sitting.state.phase != "over"


def test_an_outage_is_credited_once_however_often_it_is_tried(sitting):
    sitting.turn()
    now_ms = database_now_ms()
    Outage.objects.create(
        role=WEB,
        began_at=Heartbeat(role=WEB, beat_at=_at(now_ms)).beat_at,
        ended_at=_at(now_ms + 60_000),
    )
    assert outages_credit() == 1
    assert outages_credit() == 0
    rows_age(Outage.objects.all(), credited_at=None)  # a crash before it was marked
    assert outages_credit() == 0


def test_who_is_away_on_his_turn_can_be_claimed_against(sitting):
    sitting.turn()
    seat = sitting.state.decider
    assert attendance_note(table_id=sitting.pk, seat=seat, present=False)
    assert not attendance_note(table_id=sitting.pk, seat=seat, present=False)
    sitting.give(1 - seat, cmd.Claim(), now_ms=database_now_ms() + ABSENCE_MS)
    match = Match.objects.get()
    assert (match.winner_seat, match.ending) == (1 - seat, "absent")
    assert sorted(sitting.balances()) == [9_750, 10_200]


def test_nobody_is_claimed_against_before_an_outage_is_given_back(sitting):
    sitting.turn()
    seat = sitting.state.decider
    attendance_note(table_id=sitting.pk, seat=seat, present=False)
    now_ms = database_now_ms()
    heartbeat(WEB, now_ms=now_ms)
    back_ms = now_ms + ABSENCE_MS + 20_000
    for beats in (False, True):  # before and after a web server has determined its length
        if beats:
            heartbeat(WEB, now_ms=back_ms)
        with pytest.raises(TooEarly):
            sitting.give(1 - seat, cmd.Claim(), now_ms=back_ms)
    assert outages_credit() == 1
    with pytest.raises(TooEarly) as refused:
        sitting.give(1 - seat, cmd.Claim(), now_ms=back_ms)
    claim_ms = refused.value.fields["claim_ms"]
    assert claim_ms >= back_ms + GRACE_MS
    heartbeat(WEB, now_ms=claim_ms)
    Outage.objects.all().delete()
    sitting.give(1 - seat, cmd.Claim(), now_ms=claim_ms)
    assert Match.objects.get().ending == "absent"


def _at(ms: int):
    from kit.database import moment

    return moment(ms)
