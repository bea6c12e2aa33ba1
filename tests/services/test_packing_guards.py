"""The database lets no event go that a pack does not hold, and nobody write another pack."""

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from games.models import EventPack, StoredEvent, TableEvent
from games.services.packing import tables_pack
from ledger.audit import run
from tests.aging import guards_off
from tests.services.packs import NOW, as_the_application, execute, findings

pytestmark = pytest.mark.django_db(transaction=True)


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
    for statement, found_by in CHANGES.items():
        with transaction.atomic():
            execute("SET LOCAL session_replication_role = replica")
            assert execute(statement) == 1
            results = run(("A11", "M1", "M5")).results
            assert {result.code for result in results if result.findings} == found_by, statement
            transaction.set_rollback(True)
