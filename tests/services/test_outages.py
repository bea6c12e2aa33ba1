"""Outages: nobody loses by one, and the time of each is given back once."""

import pytest
from django.db import IntegrityError, connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.kinds import clocks_sweep
from games.models import Heartbeat, Match, Outage, Table, TableEvent
from games.services import outages
from games.services.attendance import attendance_note
from games.services.outages import SILENCE, SWEEP, WEB, heartbeat, house_is_well, outages_credit
from games.services.tables import table_join, table_open, table_wake
from games.table import commands as cmd
from games.table.errors import TooEarly
from games.table.machine import due_ms
from games.table.state import ABSENCE_MS, GRACE_MS
from games.table.turn import legal_plays
from harness.sitting import Sitting
from kit.database import database_now_ms, moment
from ledger.audit import run
from pasch.observability import parts
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


# --- portions -------------------------------------------------------------------------------------
TABLES = 3
OUTAGE_MS = 60_000

#: the sweep records its heartbeat before it gives time back.
assert SILENCE.total_seconds() / 2 > outages.CREDIT_SECONDS


@pytest.fixture
def house(magriel: User, dice, monkeypatch: pytest.MonkeyPatch) -> list[Sitting]:
    """Tables on which somebody thinks; a call gives time back to one batch of two."""
    dice((3, 1), (4, 2))
    monkeypatch.setattr(outages, "CREDIT_SECONDS", 0.0, raising=False)
    monkeypatch.setattr(outages, "CREDIT_BATCH", 2, raising=False)
    sittings = []
    for number in range(TABLES):
        guest = User.objects.create_user(f"guest{number}")
        table = table_open(user=magriel, mode="normal")
        table_join(user=guest, table_id=table.pk)
        sittings.append(Sitting(table, (magriel, guest)))
        sittings[-1].turn()
    return sittings


@pytest.fixture
def outage(house: list[Sitting]) -> Outage:
    """An outage that began after the last move and has just ended."""
    now_ms = database_now_ms()
    return Outage.objects.create(
        role=WEB, began_at=moment(now_ms), ended_at=moment(now_ms + OUTAGE_MS)
    )


def credits() -> list[str]:
    """The tables that took the outage in, one for each time."""
    events = TableEvent.objects.filter(type="outage_credited").order_by("id")
    return [str(table_id) for table_id in events.values_list("table_id", flat=True)]


def is_over() -> bool:
    return not Outage.objects.filter(credited_at=None).exists()


def test_a_sweep_gives_back_a_portion_and_the_next_one_goes_on(house, outage):
    for portion, over in ((2, False), (3, True)):
        clocks_sweep()
        assert (len(credits()), is_over()) == (portion, over)
        assert over or f"{TABLES - portion} tables wait" in parts.outages()
    assert len(set(credits())) == TABLES


def test_a_portion_locks_only_tables_that_wait(house, outage):
    outages_credit()
    done = credits()
    with CaptureQueriesContext(connection) as queries:
        outages_credit()
    locking = [query["sql"] for query in queries if "SKIP LOCKED" in query["sql"]]
    assert len(locking) == 1
    assert not any(table_id in sql for table_id in done for sql in locking)


def test_a_table_that_is_being_used_gets_its_time_later(house, outage, monkeypatch):
    monkeypatch.setattr(outages, "CREDIT_SECONDS", 10.0)
    holder = connections.create_connection("default")
    try:
        holder.set_autocommit(False)
        with holder.cursor() as cursor:
            cursor.execute("SELECT 1 FROM games_table WHERE id = %s FOR UPDATE", [house[0].pk])
            assert outages_credit() == TABLES - 1
            assert not is_over()
        holder.rollback()
    finally:
        holder.close()
    assert outages_credit() == 1
    assert is_over()
    assert len(set(credits())) == len(credits()) == TABLES


def test_a_crash_in_between_changes_nothing(house, outage, monkeypatch):
    right = outages.changes_store

    def crash(changes) -> int:
        right(changes)
        raise KeyboardInterrupt

    outages_credit()
    monkeypatch.setattr(outages, "changes_store", crash)
    with pytest.raises(KeyboardInterrupt):
        outages_credit()
    monkeypatch.setattr(outages, "changes_store", right)
    assert len(credits()) == 2, "the second portion was rolled back"
    while not is_over():
        outages_credit()
    assert len(set(credits())) == len(credits()) == TABLES


def test_two_outages_are_given_back_in_one_pass(house, outage):
    later = outage.ended_at + (outage.ended_at - outage.began_at) / 2
    Outage.objects.create(role="sweep", began_at=outage.began_at, ended_at=later)
    outages_credit()
    assert (len(credits()), len(set(credits()))) == (4, 2)


def test_two_sweeps_at_once_give_back_everything_once(house, outage, race):
    while not is_over():
        race(outages_credit, outages_credit)
    assert len(set(credits())) == len(credits()) == TABLES


def test_a_clock_ends_only_where_the_time_is_back(house, outage):
    due = {sitting.pk: due_ms(sitting.state) for sitting in house}
    outages_credit()
    done = set(credits())
    assert len(done) == 2
    heartbeat(WEB, now_ms=database_now_ms())
    for sitting in house:
        has_it = str(sitting.pk) in done
        now_ms = due_ms(sitting.state)
        rows_age(Heartbeat.objects.all(), beat_at=moment(now_ms))
        assert (now_ms > due[sitting.pk] + OUTAGE_MS - 1_000) is has_it
        assert table_wake(sitting.pk, now_ms=now_ms) is has_it
    assert Match.objects.filter(ending="time_over").count() == len(done)


def test_a_player_who_moves_before_the_table_has_its_time_back_keeps_their_reserve(house, outage):
    sitting = house[0]
    seat = sitting.state.decider
    sitting.give(seat, cmd.Roll())
    before = sitting.state
    now_ms = due_ms(before) + 1
    Outage.objects.update(ended_at=moment(now_ms))
    moves = next(iter(legal_plays(before, before.game, before.game.dice)))
    play = cmd.Play(moves=tuple((m.source, m.target, m.die) for m in moves))
    sitting.give(seat, play, now_ms=now_ms)
    assert sitting.state.decider == 1 - seat
    assert sitting.state.clock.reserve_ms[seat] == before.clock.reserve_ms[seat]
    outages_credit()
    assert credits().count(str(sitting.pk)) == 1


def test_a_table_that_cannot_be_read_keeps_nobody_else_waiting(house, outage, monkeypatch, caplog):
    monkeypatch.setattr(outages, "CREDIT_SECONDS", 10.0)
    broken = house[1].table
    Table.objects.filter(pk=broken.pk).update(state={"phase": "none"})
    assert outages_credit() == TABLES - 1
    assert not is_over()
    assert f"table {broken.pk}" in caplog.text
    assert str(broken.pk) not in credits()
    Table.objects.filter(pk=broken.pk).update(state=broken.state)
    assert outages_credit() == 1
    assert is_over()
