"""However a socket ends, the handlers of its end run."""

import logging

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from games.live import table as table_socket
from games.live.sockets import sockets_open
from harness.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def broken(**_: object) -> None:
    """An unexpected error."""
    raise RuntimeError("planted")


def test_an_error_of_ours_leaves_nobody_present(voice, magriel, hilde, monkeypatch, caplog):
    caplog.set_level(logging.CRITICAL, "uvicorn.error")
    watching = voice(magriel)
    watching.hear("welcome")
    dying = voice(hilde)
    dying.hear("welcome")
    while not all(watching.hear("presence")["online"]):
        pass
    assert sockets_open() == 2
    monkeypatch.setattr(table_socket, "table_command", broken)
    with pytest.raises(ConnectionClosed):
        dying.command({"type": "roll"})
    while all(watching.hear("presence")["online"]):
        pass
    wait_until(lambda: sockets_open() == 1, "the socket that broke is still counted")


@pytest.mark.parametrize("path", ["/ws/nowhere/", "/ws/table/1/", "/ws/", "/"])
def test_an_address_that_there_is_not_is_refused_and_no_error(live, caplog, path):
    caplog.set_level(logging.WARNING)
    with pytest.raises(InvalidStatus) as refused, connect(live.replace("http", "ws") + path):
        pass
    assert refused.value.response.status_code == 403
    assert [record for record in caplog.records if record.exc_info] == []
