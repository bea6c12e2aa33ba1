"""Threads of a test leave the pool of the worker as large as it was."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from harness.postgresql.base import connections_give_back
from tests.racing import racers


def in_use() -> int:
    stats: dict[str, Any] = connection.pool.get_stats()  # type: ignore[attr-defined]  # not in the stubs
    return int(stats["pool_size"]) - int(stats["pool_available"])


@pytest.mark.django_db(transaction=True)
def test_a_connection_of_a_thread_that_ended_goes_back() -> None:
    connection.ensure_connection()
    before = in_use()
    with ThreadPoolExecutor(3) as threads:
        list(threads.map(lambda _: connection.ensure_connection(), range(9)))
    assert in_use() > before
    connections_give_back()
    assert in_use() == before


@pytest.mark.django_db(transaction=True)
def test_a_race_that_cannot_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_connection() -> None:
        raise ConnectionError("no connection is left")

    monkeypatch.setattr("tests.racing.connection_open", no_connection)
    with pytest.raises(ConnectionError, match="no connection is left"), racers(2) as race:
        race([list, list])
