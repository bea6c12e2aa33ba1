"""The sweeps of a full house: what they read grows with what they do, not with the tables."""

import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
import redis
from django.conf import settings
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.live.presence import ENTRY_SECONDS, RENEW_SECONDS, known_since_key, presence_key
from games.models import Heartbeat, Table
from games.selectors import tables_played, tables_played_count
from games.services.attendance import attendance_note
from games.services.lobby import absence_counts, tables_close_unpayable
from games.services.outages import (
    PRESENCE_UNKNOWN,
    SWEEP,
    WEB,
    WITHOUT_VALKEY,
    heartbeat,
    without_valkey_note,
)
from games.services.tables import table_join, table_open
from games.tasks import sweep_attendance
from harness.wallets import credits_spent
from pasch.observability.parts import READY, outages

TABLES = 6


@pytest.fixture
def valkey() -> Iterator[redis.Redis]:
    """Valkey as it is when it has had presence for a while."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.set(known_since_key(), time.time() - 2 * ENTRY_SECONDS)
        yield client


@pytest.fixture
def played(transactional_db: None) -> list[Table]:
    """Tables at which a match has begun."""
    tables = []
    for number in range(TABLES):
        one, two = (User.objects.create_user(f"{name}{number}") for name in ("ida", "otto"))
        table = table_open(user=one, mode="normal")
        tables.append(table_join(user=two, table_id=table.pk))
    return tables


def enter(valkey: redis.Redis, table: Table, *seats: int) -> None:
    later = time.time() + ENTRY_SECONDS
    valkey.zadd(presence_key(table.pk), {f"{seat}:test": later for seat in seats})


def states_read(queries: CaptureQueriesContext) -> int:
    """How many whole states of tables these queries brought here."""
    whole = '"games_table"."state",'
    found = 0
    with connection.cursor() as cursor:
        for query in queries.captured_queries:
            if whole in query["sql"] and "FOR NO KEY UPDATE" not in query["sql"]:
                cursor.execute(query["sql"])
                found += len(cursor.fetchall())
    return found


def test_where_everybody_is_present_no_table_is_read(
    played: list[Table], valkey: redis.Redis
) -> None:
    for table in played:
        enter(valkey, table, 0, 1)
    with CaptureQueriesContext(connection) as queries:
        assert sweep_attendance() == 0
    assert states_read(queries) == 0
    assert len(queries) <= 2


def test_who_is_missing_on_their_turn_is_noted_and_others_are_not_read(
    played: list[Table], valkey: redis.Redis
) -> None:
    for table in played[1:]:
        enter(valkey, table, 0, 1)
    lacking = played[0]
    decider = lacking.state["match"]["game"]["on_roll"]
    enter(valkey, lacking, 1 - decider)
    with CaptureQueriesContext(connection) as queries:
        assert sweep_attendance() == 1
    assert states_read(queries) == 2  # looked at, and once more before it is locked
    lacking.refresh_from_db()
    assert lacking.state["absences"][decider]["since_ms"] is not None
    assert sweep_attendance() == 0


def test_nobody_is_missing_while_valkey_may_have_forgotten(
    played: list[Table], valkey: redis.Redis
) -> None:
    valkey.set(known_since_key(), time.time())
    assert sweep_attendance() == 0


def test_nobody_is_missing_while_a_web_process_has_no_valkey(
    played: list[Table], valkey: redis.Redis
) -> None:
    assert PRESENCE_UNKNOWN.total_seconds() > ENTRY_SECONDS + RENEW_SECONDS
    for role in (SWEEP, WEB):
        heartbeat(role)
    assert absence_counts()
    without_valkey_note()
    assert sweep_attendance() == 0
    assert not absence_counts()
    gone = [(table.pk, table.state["match"]["game"]["on_roll"]) for table in played]
    assert not any(attendance_note(table_id=pk, seat=seat, present=False) for pk, seat in gone)

    long_ago = Now() - PRESENCE_UNKNOWN - timedelta(seconds=1)
    Heartbeat.objects.filter(role=WITHOUT_VALKEY).update(beat_at=long_ago)
    assert absence_counts(), "it is no outage of the house"
    assert outages() == READY
    assert sweep_attendance() == TABLES


def openers(count: int, stake_cents: int) -> list[User]:
    people = [User.objects.create_user(f"opener{stake_cents}-{number}") for number in range(count)]
    for person in people:
        table_open(user=person, mode="prize5", stake_cents=stake_cents)
    return people


def asked() -> int:
    with CaptureQueriesContext(connection) as queries:
        assert tables_close_unpayable() == 0
    return len(queries)


def test_open_tables_are_checked_in_as_many_queries_however_many_they_are(
    transactional_db: None,
) -> None:
    openers(2, 250)
    few = asked()
    people = openers(7, 500)
    assert asked() == few
    credits_spent(people[3], 9_900)
    assert tables_close_unpayable() == 1
    assert Table.objects.get(opener=people[3]).phase == "closed"


def test_the_matches_being_played_are_counted_and_the_newest_comes_first(
    played: list[Table],
) -> None:
    assert tables_played_count() == TABLES
    assert list(tables_played()) == played[::-1]
    Table.objects.filter(pk=played[0].pk).update(code="SECRET")
    assert tables_played_count() == TABLES - 1
