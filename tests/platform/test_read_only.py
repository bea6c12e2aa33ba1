"""A connection whose server takes no changes any more is dropped, and its refusals are absences."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.db import InternalError, OperationalError, connection, transaction

from accounts.models import User
from games.services.fast_lane import FastRows
from harness.sitting import Sitting
from pasch.observability.away import missing
from pasch.postgresql import base
from pasch.postgresql.primary import ReadOnly, check

#: as an administrator or a manager of a cluster may set it for the whole server
DEMOTED = "SET default_transaction_read_only = on"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def backend(transactional_db: None) -> Iterator[int]:
    """The process of a connection at a server that takes no changes any more."""
    with connection.cursor() as cursor:
        cursor.execute(DEMOTED)
    yield connection.connection.info.backend_pid
    connection.close()


@contextmanager
def without_pool() -> Iterator[None]:
    """Let this thread keep its connection, as a worker does."""
    connection.close()
    options = connection.settings_dict["OPTIONS"]
    pool = options.pop("pool")
    try:
        yield
    finally:
        connection.close()
        options["pool"] = pool


def test_what_it_refuses_means_that_postgresql_is_away(backend: int) -> None:
    with pytest.raises(OperationalError, match="read-only transaction") as refused:
        User.objects.create_user("nobody")
    assert missing(refused.value) == (
        "PostgreSQL",
        "cannot execute INSERT in a read-only transaction",
    )


def test_a_transaction_of_ours_that_may_not_write_is_another_matter(transactional_db: None) -> None:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
        with pytest.raises(InternalError, match="read-only") as refused:
            User.objects.create_user("nobody")
        transaction.set_rollback(True)
    assert missing(refused.value) is None


def test_a_pool_hands_it_out_no_more(backend: int) -> None:
    pool = connection.pool
    kept = [pool.getconn() for _ in range(pool.get_stats()["pool_available"])]
    connection.close()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid(), current_setting('transaction_read_only')")
            pid, read_only = cursor.fetchone()
    finally:
        for each in kept:
            pool.putconn(each)
    assert (pid == backend, read_only) == (False, "off")
    User.objects.create_user("somebody")


def test_a_worker_drops_it_before_its_next_task(transactional_db: None) -> None:
    with without_pool():
        with connection.cursor() as cursor:
            cursor.execute(DEMOTED)
        with pytest.raises(OperationalError):
            User.objects.create_user("nobody")
        connection.close_if_unusable_or_obsolete()
        User.objects.create_user("somebody")


def test_the_thread_of_a_table_drops_the_one_that_it_keeps(transactional_db: None) -> None:
    """It is out of the pool for long, and reading from a demoted server raises no error."""
    with connection.cursor() as cursor:
        cursor.execute(DEMOTED)
    connection.close_at = None  # as kit.database does
    connection.close_if_unusable_or_obsolete()
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        assert cursor.fetchone() == ("off",)
    connection.close()


def test_no_look_falls_into_a_transaction(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would undo the first half, and the second would be stored alone."""
    connection.ensure_connection()
    connection.close_at = None
    for _ in range(2):  # the second time no look is due yet
        connection.close_if_unusable_or_obsolete()
        connection.cursor().close()
    connection.close_if_unusable_or_obsolete()
    with transaction.atomic():
        User.objects.create_user("first")
        monkeypatch.setattr(base, "PAUSE_SECONDS", 0.0)  # now it is
        User.objects.create_user("second")
    assert set(User.objects.values_list("username", flat=True)) >= {"first", "second"}


def test_a_check_leaves_an_open_transaction_as_it_is(transactional_db: None) -> None:
    with transaction.atomic():
        User.objects.create_user("somebody")
        assert connection.is_usable()
    assert User.objects.filter(username="somebody").exists()


def test_the_fast_lane_opens_another_one(sitting: Sitting) -> None:
    async def lane() -> None:
        rows = FastRows()
        await rows.read([sitting.pk])
        for statement in (rows.read([sitting.pk]), rows.write([])):
            assert rows._connection is not None
            await rows._connection.execute(DEMOTED)
            with pytest.raises((psycopg.OperationalError, psycopg.InternalError)):
                await statement
            found, _ = await rows.read([sitting.pk])
            assert sitting.pk in found
        await rows.close()

    asyncio.run(lane())


def test_a_check_leaves_nothing_open(transactional_db: None) -> None:
    connection.ensure_connection()
    db = connection.connection
    for autocommit in (True, False):
        db.autocommit = autocommit
        check(db)
        assert db.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    db.autocommit = True
    db.execute(DEMOTED)
    with pytest.raises(ReadOnly):
        check(db)
    assert db.closed
    connection.close()
