"""Real WebSockets to a real server, logged in as a user."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from harness.voice import Voice, socket_of


@pytest.fixture
def voice(live: str, sitting) -> Iterator[Callable[..., Voice]]:
    """`voice(user)` is a client at the table `sitting`; `voice(None)` watches without a login."""
    opened = ExitStack()

    def call(user, *, origin: str | None = live, table_id: object = sitting.pk) -> Voice:
        socket = socket_of(user, live, table_id, origin=origin, max_size=None, max_queue=None)
        return Voice(opened.enter_context(socket))

    with opened:
        yield call
