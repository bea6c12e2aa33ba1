"""A heartbeat fails where commands fail, and leaves nothing behind; other failures stop sweeps."""

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, connection, connections, transaction

from games.kinds import clocks_sweep
from games.live.pulse import Pulse
from games.models import Heartbeat, Match, Outage
from games.services import trials
from games.services.outages import (
    FAILING,
    SWEEP,
    WEB,
    clock_runs,
    commands_fail,
    failing_note,
    heartbeat,
    outages_waiting,
)
from games.services.trials import cut_off_tell, refusals_are_many, refusals_forget, some_are_cut_off
from games.table.machine import due_ms
from harness.waiting import WAIT_SECONDS
from kit.database import database_now_ms, in_thread, moment
from tests.live.test_pulse import in_every_thread

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def other() -> Iterator[Any]:
    """A second connection, as somebody at the server has it."""
    made = connections.create_connection("default")
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _forgetful() -> Iterator[None]:
    refusals_forget()
    yield
    refusals_forget()


def beat_at() -> Any:
    return Heartbeat.objects.filter(role=WEB).values_list("beat_at", flat=True).first()


# --- the trial ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["games_table", "games_tableevent", "games_commandrecord"])
def test_no_heart_beats_while_the_tables_of_commands_are_locked(
    other: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "LOCK_TIMEOUT", "50ms")
    heartbeat(WEB)
    before = beat_at()
    with other.cursor() as cursor:
        cursor.execute(f"BEGIN; LOCK TABLE {name} IN SHARE MODE")
    with pytest.raises(DatabaseError, match="lock timeout"):
        heartbeat(WEB)
    with other.cursor() as cursor:
        cursor.execute("ROLLBACK")
    assert beat_at() == before
    heartbeat(WEB)
    assert beat_at() > before


def test_no_heart_beats_without_the_right_to_store_events() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE ROLE too_weak; GRANT ALL ON ALL TABLES IN SCHEMA public TO too_weak;"
            " REVOKE ALL ON games_tableevent FROM too_weak; GRANT SELECT ON games_tableevent TO"
            " too_weak; SET ROLE too_weak"
        )
        try:
            with pytest.raises(DatabaseError, match="permission denied for table games_tableevent"):
                heartbeat(WEB)
            cursor.execute("RESET ROLE; GRANT INSERT ON games_tableevent TO too_weak")
            cursor.execute("SET ROLE too_weak")
            heartbeat(WEB)
        finally:
            cursor.execute("RESET ROLE; DROP OWNED BY too_weak; DROP ROLE too_weak")


def test_many_heartbeats_leave_nothing_behind() -> None:
    def bytes_of(name: str) -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_total_relation_size(%s)", [name])
            return int(cursor.fetchone()[0])

    watched = ("games_heartbeat", "games_tableevent", "pg_class", "pg_attribute")
    heartbeat(WEB)
    before = {name: bytes_of(name) for name in watched}
    for _ in range(300):
        heartbeat(WEB)
    assert Heartbeat.objects.count() == 1
    grown = {name: bytes_of(name) - size for name, size in before.items()}
    assert grown.pop("games_heartbeat") <= 2 * 8192, "old versions of the row are pruned"
    assert set(grown.values()) == {0}


# --- what a trial cannot know ---------------------------------------------------------------------


def fail() -> None:
    """Fail because of the house, and not of a player: a row stays locked."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '10ms'")
        with pytest.raises(DatabaseError, match="lock timeout"):
            cursor.execute("SELECT 1 FROM games_table FOR UPDATE")
        transaction.set_rollback(True)


def test_a_web_process_whose_commands_fail_says_so_and_does_not_beat(
    sitting: Any, other: Any
) -> None:
    """Its heartbeats would succeed all the while."""
    with other.cursor() as cursor:
        cursor.execute("BEGIN; SELECT 1 FROM games_table FOR UPDATE")
    events: asyncio.Queue[dict[str, str]] = asyncio.Queue()

    async def ignore(_: Any) -> None:
        pass

    async def story() -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            server = asyncio.create_task(Pulse()({"type": "lifespan"}, events.get, ignore))
            await events.put({"type": "lifespan.startup"})
            while await in_thread(beat_at) is None:
                await asyncio.sleep(0.05)
            assert not await in_thread(commands_fail, await in_thread(database_now_ms))
            while not await in_thread(commands_fail, await in_thread(database_now_ms)):
                await in_thread(fail)
            before = await in_thread(beat_at)
            said = await in_thread(partial(Heartbeat.objects.get, role=FAILING))
            assert said.beat_at >= before
            await in_thread(fail)
            assert await in_thread(clocks_sweep) == 0
            await events.put({"type": "lifespan.shutdown"})
            await server
            await in_every_thread(lambda: connection.close())

    asyncio.run(story())
    with other.cursor() as cursor:
        cursor.execute("ROLLBACK")
    assert not Heartbeat.objects.filter(role=SWEEP).exists(), "the sweep was silent"


def test_what_a_player_can_cause_is_no_failure_of_the_house() -> None:
    for statement in ("SELECT 1/0", "SELECT 'x'::int", "SELECT 1 FROM nowhere"):
        for _ in range(trials.REFUSALS_MANY):
            with connection.cursor() as cursor, pytest.raises(DatabaseError):
                cursor.execute(statement)
    assert not refusals_are_many()


def test_no_clock_ends_while_commands_fail_and_the_time_is_given_back(sitting: Any) -> None:
    sitting.turn()
    clocks_sweep()
    due = due_ms(sitting.state)
    failing_note()
    assert not clock_runs(sitting.table, sitting.state, database_now_ms())
    began_ms = database_now_ms() - 30_000
    Heartbeat.objects.filter(role=SWEEP).update(beat_at=moment(began_ms))
    assert clocks_sweep() == 0
    assert not outages_waiting().exists(), "it is not over"
    Heartbeat.objects.filter(role=FAILING).update(beat_at=moment(began_ms))
    clocks_sweep()
    outage = Outage.objects.get()
    assert outage.credited_at is not None
    assert due_ms(sitting.state) > due + 30_000
    assert Match.objects.get().ending == ""


def test_a_process_without_a_way_to_postgresql_stops_the_sweep_by_valkey(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "CUT_OFF_SECONDS", 1)
    clocks_sweep()
    before = Heartbeat.objects.get(role=SWEEP).beat_at
    cut_off_tell()
    assert clocks_sweep() == 0
    assert Heartbeat.objects.get(role=SWEEP).beat_at == before
    while some_are_cut_off():
        pass
    clocks_sweep()
    assert Heartbeat.objects.get(role=SWEEP).beat_at > before
