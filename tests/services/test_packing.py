"""Packs hold the events and rolls of closed tables; only the bytes tell the difference."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, transaction

from accounts.models import User
from backgammon.formats import registry
from games.desk.selectors import match_events, state_at
from games.models import (
    DiceLuck,
    DiceRoll,
    DiceStatistics,
    EventPack,
    Match,
    RollPack,
    StoredDiceRoll,
    StoredEvent,
    Table,
    TableEvent,
)
from games.selectors import resume_frame
from games.services import packing
from games.services.archive import match_file, match_settled, match_steps, matches_zip
from games.services.dice.records import match_record
from games.services.dice.statistics import statistics_make
from games.services.packing import table_pack, tables_pack
from games.services.seats import pause_of_seats
from games.services.tables import seat_given_up
from games.table import commands as cmd
from games.wire import encode
from harness.chains import Client
from harness.sitting import Sitting, play_on, seated
from ledger.models import Proposal
from ledger.seals import books_seal
from tests.aging import guards_off
from tests.racing import racers
from tests.services.packs import (
    NOW,
    as_the_application,
    changes_are_found,
    close,
    execute,
    findings,
    killed,
    now,
    played,
    rows,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def fair(magriel: User, hilde: User) -> Sitting:
    """The same after some turns with the dice of the house."""
    sitting = seated(magriel, hilde)
    clients = Client(magriel, 0), Client(hilde, 1)
    for client in clients:
        client.begin(sitting.table)
    play_on(sitting, clients, 4)
    close(sitting)
    return sitting


def all_that_is_read(sitting: Sitting) -> dict[str, Any]:
    """The bytes of everything that is made from the events of a table."""
    table, match = sitting.table, Match.objects.get(table=sitting.pk)
    DiceStatistics.objects.all().delete()
    DiceLuck.objects.all().delete()
    statistics_make(until=now())
    return {
        "events": list(StoredEvent.objects.filter(table=table).order_by("seq").values()),
        "rolls": list(StoredDiceRoll.objects.order_by("id").values()),
        "texts": [
            rows("SELECT * FROM ledger_seal_leaves(%s, 0, 1000000) ORDER BY 1", stream)
            for stream in ("event", "roll")
        ],
        "files": [match_file(match, registry.by_key(key)) for key in ("mat", "sgf", "json")],
        "archive": len(matches_zip([match], registry.by_key("mat"))),
        "steps": match_steps(match),
        "settled": match_settled(match),
        "dice": json.dumps(match_record(match)),
        "desk": (match_events(match), state_at(table.pk, table.seq - 1)),
        "snapshot": encode(resume_frame(table, 0, 0)),
        "gap": encode(resume_frame(table, 2, 0)),
        "statistics": DiceStatistics.objects.values("rolls", "faces", "cells", "pairs").get(),
        "luck": list(DiceLuck.objects.order_by("user").values("user", "rolls", "pips")),
        "findings": findings(),
    }


@pytest.mark.slow
def test_everything_that_is_read_is_the_same_before_and_after(fair):
    before = all_that_is_read(fair)
    assert before["findings"] == {}
    assert len(before["events"]) == fair.table.seq
    assert len(before["rolls"]) == len(before["texts"][1]) >= 4
    assert before["luck"], "the dice of the match were counted"
    assert tables_pack(older_than=NOW) == 1
    assert EventPack.objects.count() == 1
    assert not TableEvent.objects.exists()
    assert RollPack.objects.count() == 1
    assert not DiceRoll.objects.exists()
    assert all_that_is_read(fair) == before


@pytest.mark.slow
def test_a_seat_that_was_given_up_is_known_from_a_pack(sitting):
    sitting.give(0, cmd.StandUp())
    books_seal()
    before = seat_given_up(Match.objects.get()), pause_of_seats(sitting.players[0].pk)
    assert tables_pack(older_than=NOW) == 1
    assert (seat_given_up(Match.objects.get()), pause_of_seats(sitting.players[0].pk)) == before
    assert before[0] == 0


@pytest.mark.slow
def test_old_seals_verify_and_new_ones_go_on(closed, magriel, hilde):
    later = played(magriel, hilde)
    tables_pack(older_than=NOW)
    close(later)
    assert findings() == {}
    assert tables_pack(older_than=NOW) == 1
    assert not TableEvent.objects.exists()
    books_seal()
    assert findings() == {}


@pytest.mark.slow
def test_two_ways_to_pack_make_the_same_row(closed):
    with transaction.atomic():
        tables_pack(older_than=NOW)
        first = EventPack.objects.values().get()
        transaction.set_rollback(True)
    assert not EventPack.objects.exists()
    assert tables_pack(older_than=NOW) == 1
    assert EventPack.objects.values().get() == first


@pytest.mark.slow
def test_a_query_for_one_table_unpacks_no_other(closed):
    tables_pack(older_than=NOW)
    with transaction.atomic():
        execute("SET LOCAL enable_seqscan = off")
        plan = StoredEvent.objects.filter(table__in=[closed.pk, uuid4()]).order_by("seq").explain()
    assert "games_eventpack_pkey" in plan
    assert "event_seq_a_table" in plan


# --- what is packed, and what is not --------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("moment_of_match", ["running", "over"])
def test_a_table_that_is_not_closed_is_left_alone(magriel, hilde, moment_of_match, caplog):
    sitting = played(magriel, hilde)
    if moment_of_match == "over":
        sitting.give(1, cmd.Leave())
    books_seal()
    assert tables_pack(older_than=NOW) == 0
    assert not table_pack(sitting.pk, now())
    assert "it is not closed" in caplog.text
    assert TableEvent.objects.count() == sitting.table.seq


@pytest.mark.slow
def test_a_table_whose_events_are_not_sealed_is_left_alone(magriel, hilde):
    sitting = played(magriel, hilde)
    books_seal()
    sitting.give(1, cmd.Leave())
    sitting.give(0, cmd.StandUp())
    assert tables_pack(older_than=NOW) == 0
    books_seal()
    assert tables_pack(older_than=NOW) == 1


@pytest.mark.slow
def test_only_tables_that_have_been_closed_long_enough_are_packed(closed, settings):
    assert tables_pack() == 0
    settings.PACK_AFTER_DAYS = 0
    assert tables_pack() == 0
    settings.PACK_AFTER_DAYS = 30
    with guards_off():
        execute("UPDATE games_tableevent SET stored_at = stored_at - interval '31 days'")
        execute("UPDATE games_table SET changed_at = changed_at - interval '29 days'")
    assert tables_pack() == 0
    with guards_off():
        execute("UPDATE games_table SET changed_at = changed_at - interval '2 days'")
    assert tables_pack() == 1


@pytest.mark.slow
def test_the_oldest_come_first_and_the_limit_holds(closed, magriel, hilde, monkeypatch, capsys):
    monkeypatch.setattr(packing, "BATCH", 2)
    others = [played(magriel, hilde) for _ in range(3)]
    for sitting in others:
        close(sitting)
    call_command("pack_matches", older_than=0, limit=1)
    assert capsys.readouterr().out == "1 tables packed\n"
    assert EventPack.objects.get().table_id == closed.pk
    assert tables_pack(older_than=NOW) == 3
    assert tables_pack(older_than=NOW) == 0


@pytest.mark.slow
def test_a_table_about_which_a_decision_waits_is_left_alone(closed, magriel):
    proposal = Proposal.objects.create(
        kind="match.void", subject=Match.objects.get().reference, proposed_by=magriel, content={},
        before={}, permission="games.decide_match", reason="x",
    )  # fmt: skip
    assert tables_pack(older_than=NOW) == 0
    with guards_off():
        Proposal.objects.filter(pk=proposal.pk).update(state="lapsed", decided_at=now())
    assert tables_pack(older_than=NOW) == 1


@pytest.mark.slow
def test_contested_tables_are_left_alone(closed, monkeypatch):
    monkeypatch.setattr(packing, "_held_by", [set])
    assert tables_pack(older_than=NOW) == 0


# --- crashes and races ----------------------------------------------------------------------------

DYING = """
import os, sys, psycopg
with psycopg.connect(sys.argv[1]) as house:
    packed = house.execute("SELECT games_table_pack(%s, now())", [sys.argv[2]]).fetchone()
    print(packed, house.execute("SELECT count(*) FROM games_tableevent").fetchone(), flush=True)
    os.kill(os.getpid(), 9)
"""


@pytest.mark.slow
def test_a_process_that_is_killed_in_the_middle_leaves_the_rows(closed):
    before = list(StoredEvent.objects.order_by("seq").values())
    assert killed(DYING, closed.pk) == "(True,) (0,)\n"
    assert not EventPack.objects.exists()
    assert findings() == {}
    with transaction.atomic():  # until the server has noticed the death
        Table.objects.select_for_update().get(pk=closed.pk)
    assert tables_pack(older_than=NOW) == 1
    assert list(StoredEvent.objects.order_by("seq").values()) == before


@pytest.mark.slow
def test_two_that_pack_at_once_pack_every_table_once(closed, magriel, hilde):
    for _ in range(3):
        close(played(magriel, hilde))
    with racers() as race:
        packed = race([lambda: tables_pack(older_than=NOW)] * 2)
    assert sum(packed) == 4
    assert not TableEvent.objects.exists()
    assert findings() == {}


@pytest.mark.slow
def test_a_table_that_somebody_holds_is_passed_over(closed):
    with racers() as race, transaction.atomic():
        execute("SELECT FROM games_table FOR NO KEY UPDATE")
        assert race([lambda: tables_pack(older_than=NOW)]) == [0]
    assert tables_pack(older_than=NOW) == 1


# --- guards ---------------------------------------------------------------------------------------
def test_events_that_no_pack_holds_are_not_deleted(closed):
    with pytest.raises(DatabaseError, match="is in no pack"):
        execute("DELETE FROM games_tableevent")
    tables_pack(older_than=NOW)
    for statement in (
        "DELETE FROM games_eventpack",
        "UPDATE games_eventpack SET events = '[]'",
    ):
        with pytest.raises(DatabaseError, match="refused"):
            execute(statement)


def test_a_pack_that_differs_from_the_rows_is_refused(closed):
    made = "FROM games_pack_of(%s) made"
    forged = (
        f"SELECT %s, first_id, last_id, replace(events, 'left', 'resigned') {made}",
        f"SELECT %s, first_id, last_id, events::json::text || ' ' {made}",
        f"SELECT %s, first_id, last_id, (events::jsonb - 1)::text {made}",
    )
    for values in forged:
        with pytest.raises(DatabaseError, match="differs from its events"):
            execute(f"INSERT INTO games_eventpack {values}", closed.pk, closed.pk)


def test_the_ids_of_a_pack_are_those_of_its_events(closed):
    tables_pack(older_than=NOW)
    with guards_off():
        for column in ("first_id", "last_id"):
            with pytest.raises(DatabaseError, match="pack_has_its_ids"):
                execute(f"UPDATE games_eventpack SET {column} = {column} + 1")


def test_a_row_stays_if_the_pack_says_something_else(closed):
    """The second guard, if the first was switched off."""
    with guards_off():
        execute(
            "INSERT INTO games_eventpack SELECT %s, first_id, last_id,"
            " replace(events, 'left', 'resigned') FROM games_pack_of(%s)",
            closed.pk,
            closed.pk,
        )
    with pytest.raises(DatabaseError, match="is in no pack"):
        execute("DELETE FROM games_tableevent")
    assert "M1" in findings()


def test_no_event_is_in_a_row_and_in_a_pack_at_the_end_of_a_transaction(closed):
    with pytest.raises(DatabaseError, match="still in rows"):
        execute(
            "INSERT INTO games_eventpack SELECT %s, made.* FROM games_pack_of(%s) made",
            closed.pk,
            closed.pk,
        )
    assert not EventPack.objects.exists()


def test_the_application_packs_by_the_function_alone(closed):
    with as_the_application():
        for statement in (
            "DELETE FROM games_tableevent",
            "UPDATE games_tableevent SET seq = seq",
            "INSERT INTO games_eventpack SELECT table_id, 1, 2, '[]' FROM games_match",
        ):
            with pytest.raises(DatabaseError, match="permission denied"):
                execute(statement)
        assert tables_pack(older_than=NOW) == 1
    assert not TableEvent.objects.exists()


def test_events_after_a_pack_follow_it_without_a_gap(closed):
    tables_pack(older_than=NOW)
    last = closed.table.seq
    new = {"table": closed.table, "type": "x", "payload": {"type": "x"}}
    for seq in (1, last, last + 2):
        with pytest.raises(IntegrityError, match="would leave a gap"):
            TableEvent.objects.create(seq=seq, **new)
    for seq in (last + 1, last + 2):
        TableEvent.objects.create(seq=seq, **new)
    assert StoredEvent.objects.filter(table=closed.pk).count() == last + 2
    assert tables_pack(older_than=NOW) == 0


CHANGES = {
    "UPDATE games_eventpack SET events = replace(events, 'left', 'resigned')": {"A11", "M1", "M5"},
    "UPDATE games_eventpack SET events = (events::jsonb - 1)::text": {"A11", "M1", "M5"},
    "UPDATE games_eventpack SET events = jsonb_set(events::jsonb, '{3,1}', '1')::text": {"A11"},
    "DELETE FROM games_eventpack": {"A11", "M1", "M5"},
}


def test_a_changed_pack_is_found(closed):
    tables_pack(older_than=NOW)
    changes_are_found(CHANGES, ("A11", "M1", "M5"))
