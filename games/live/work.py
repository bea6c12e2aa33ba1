"""Running database work of sockets in threads of their own, so that no page can hold up a table."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

from asgiref.sync import SyncToAsync
from django.db import close_old_connections, connection

P = ParamSpec("P")
R = TypeVar("R")

THREADS: Final = 8

_threads = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="table")


async def in_thread(work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Run `work` in one of the threads; each keeps its database connection."""

    def run() -> R:
        connection.close_at = None  # not back into the pool after each command
        close_old_connections()
        return work(*args, **kwargs)

    return await SyncToAsync(run, thread_sensitive=False, executor=_threads)()
