"""A worker that loses its connection in the middle of its work, as one that was killed does."""

from collections.abc import Callable
from threading import Event, Thread

from django.db import OperationalError, connection

from harness.waiting import WAIT_SECONDS

Before = Callable[[], object]


def killed_at_work(work: Callable[[Before], bool]) -> None:
    """Run `work` in a thread and end its connection when it calls what it was given.

    `work` answers whether there was something to do. While it works another call finds nothing,
    for the row is locked.
    """
    begun, killed = Event(), Event()
    backends: list[int] = []
    ended: list[OperationalError] = []

    def hold() -> None:
        if not begun.is_set():
            backends.append(connection.connection.info.backend_pid)
            begun.set()
            assert killed.wait(WAIT_SECONDS)

    def run() -> None:
        try:
            work(hold)
        except OperationalError as error:
            ended.append(error)
        finally:
            connection.close()

    worker = Thread(target=run)
    worker.start()
    assert begun.wait(WAIT_SECONDS)
    assert not work(lambda: None)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", backends)
        assert cursor.fetchone() == (True,)
    killed.set()
    worker.join(WAIT_SECONDS)
    assert ended
