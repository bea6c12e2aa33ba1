"""The bytes of a socket: frames in any pieces, clients that flood, clients that do not read."""

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from socket import socket
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from accounts.models import User
from accounts.signals import access_ended
from games.broadcast import publish, table_channel
from games.live import table as table_socket
from games.live.delivery import WAITING_FRAMES_MAX, WAITING_MAX
from games.live.sockets import sockets_open
from games.wire import FRAME_BYTES_MAX, encode
from harness.voice import Voice, socket_of
from harness.waiting import WAIT_SECONDS, wait_until
from harness.wire import CLOSE, FINAL, TEXT, masked
from pasch.observability.tracing import trace_now
from pasch.web.budgets import BYTES_AT_ONCE
from tests.conftest import site_served
from tests.live.conftest import Raw
from tests.racing import wait_for_a_waiter

pytestmark = pytest.mark.django_db(transaction=True)

CONTINUED, BINARY = 0x0, 0x2
UNFINISHED = 0x100


def ping(number: int) -> bytes:
    return b'{"type":"ping","sent_ms":%d}' % number


def framed(opcode: int, payload: bytes) -> bytes:
    """A frame of a client; with `UNFINISHED` the first or a middle piece of a message."""
    whole = masked(opcode & 0x0F, payload)
    return bytes((whole[0] & ~FINAL,)) + whole[1:] if opcode & UNFINISHED else whole


def send(voice: Voice, *pieces: bytes) -> None:
    for piece in pieces:
        voice.socket.socket.sendall(piece)


def pongs(voice: Voice, count: int) -> list[int]:
    return [voice.hear("pong")["sent_ms"] for _ in range(count)]


def closed_with(voice: Voice) -> int:
    with pytest.raises(ConnectionClosed) as closed:
        voice.hear("nothing of the kind")
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


# --- pieces ---------------------------------------------------------------------------------------


def test_frames_come_in_whatever_pieces(voice):
    one = voice(None)
    one.hear("welcome")
    several = b"".join(framed(TEXT, ping(number)) for number in range(3))
    send(one, several, *(several[at : at + 1] for at in range(len(several))))
    assert pongs(one, 6) == [0, 1, 2, 0, 1, 2]
    long = framed(TEXT, ping(4) + b" " * 5000)
    for cut in (1, 3, 5, 7, 9, 1000):
        send(one, long[:cut], long[cut:] + framed(TEXT, ping(5)))
        assert pongs(one, 2) == [4, 5]


def test_a_message_in_fragments_keeps_its_place(voice):
    one = voice(None)
    one.hear("welcome")
    text = ping(2)
    send(
        one,
        framed(TEXT, ping(1))
        + framed(TEXT | UNFINISHED, text[:5])
        + framed(0x9, b"are you there?")
        + framed(CONTINUED | UNFINISHED, text[5:9])
        + framed(CONTINUED, text[9:])
        + framed(TEXT, ping(3)),
    )
    assert pongs(one, 3) == [1, 2, 3]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"\x81\x02{}" + b"\0" * 8, 1002),  # no mask
        (b"\xc1" + framed(TEXT, b"{}")[1:], 1002),  # a reserved bit
        (framed(0x3, b"{}"), 1002),  # an unknown opcode
        (framed(TEXT | UNFINISHED, b"{") + framed(TEXT, b"{}"), 1002),
        (framed(CONTINUED, b"}"), 1002),
        (framed(TEXT, b'{"type":"\xff"}'), 1007),
        (framed(TEXT | UNFINISHED, b"\xff") + framed(CONTINUED, b"}"), 1007),
        (framed(BINARY, ping(1)), 1003),
        (framed(TEXT, ping(1) + b" " * FRAME_BYTES_MAX), 1009),
        (framed(TEXT | UNFINISHED, b" " * 9000) + framed(CONTINUED, b" " * 9000), 1009),
        (b"\x81\xff" + (2**40).to_bytes(8, "big") + b"\0" * 4, 1009),
    ],
)
def test_what_breaks_the_protocol_closes_the_socket_and_no_other(voice, sent, code):
    one, other = voice(None), voice(None)
    one.hear("welcome")
    other.hear("welcome")
    send(one, sent)
    assert closed_with(one) == code
    send(other, framed(TEXT, ping(1)))
    assert pongs(other, 1) == [1]


# --- floods and slow readers ----------------------------------------------------------------------


@contextmanager
def tables_locked() -> Iterator[None]:
    """Requests for a table wait until this ends."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE games_table IN ACCESS EXCLUSIVE MODE")
        yield


@pytest.mark.slow
def test_who_floods_is_read_no_further_until_he_has_been_answered(live, sitting, voice):
    other, one = voice(None), Raw(live)
    other.hear("welcome")
    assert "101" in one.open(f"/ws/table/{sitting.pk}/")
    heard = (frame for frame in one.frames() if not frame[1].startswith(b'{"type":"presence"'))
    assert b'"welcome"' in next(heard)[1]
    junk, sent = framed(TEXT, b" " * (FRAME_BYTES_MAX - 1)), 0
    with tables_locked():
        one.socket.sendall(framed(TEXT, b'{"type":"resume","since":0}'))
        wait_for_a_waiter()
        one.socket.settimeout(1)
        left = junk
        with suppress(TimeoutError):
            while sent < 10_000:
                left = left[one.socket.send(left) :]
                if not left:
                    left, sent = junk, sent + 1
        assert WAITING_MAX < sent < 10_000
        assert sent * FRAME_BYTES_MAX > BYTES_AT_ONCE
        send(other, framed(TEXT, b'{"type":"report"}'))
        assert other.hear("error")["code"] == "bad_frame", "nobody else waits for that"
    one.socket.settimeout(WAIT_SECONDS)
    flood = Flood(one.socket, left, junk)
    flood.start()
    assert b'"snapshot"' in next(heard)[1], "what came first is answered first"
    *errors, (last, reason) = heard
    flood.join()
    assert len(errors) < sent + flood.sent
    assert all(payload.startswith(b'{"type":"error"') for _, payload in errors)
    assert (last, reason[:2]) == (CLOSE, (1008).to_bytes(2, "big")), "more than anybody may send"


class Flood(Thread):
    """Sends what is left of a frame, then 10,000 whole ones, or until the server closes."""

    def __init__(self, to: socket, left: bytes, frame: bytes) -> None:
        super().__init__(daemon=True)
        self.to, self.left, self.frame, self.sent = to, left, frame, 0

    def run(self) -> None:
        with suppress(OSError):
            self.to.sendall(self.left)
            while self.sent < 10_000:
                self.to.sendall(self.frame)
                self.sent += 1


def test_who_waits_and_is_closed_is_read_to_his_end(voice, magriel):
    """Nobody goes on with what waits, so nobody would read that the client has closed, too."""
    one, other = voice(magriel), voice(None)
    one.hear("welcome")
    other.hear("welcome")
    with tables_locked():
        send(one, framed(TEXT, b'{"type":"resume","since":0}'))
        wait_for_a_waiter()
        send(one, b"".join(framed(TEXT, ping(number)) for number in range(2 * WAITING_MAX)))
        send(other, framed(TEXT, b'{"type":"report"}'))
        other.hear("error")  # what came before it has been read as well
        access_ended.send(sender=User, user_id=magriel.pk, session_key=None)
        assert closed_with(one) == 4401, "while what waits still waits"


def received(client: ClientConnection) -> Iterator[str | bytes]:
    """Every frame until the server closes."""
    with suppress(ConnectionClosed):
        while True:
            yield client.recv(timeout=WAIT_SECONDS)


@pytest.mark.slow
def test_who_does_not_read_is_closed_and_holds_up_nobody(live, magriel, hilde, sitting, voice):
    quick = voice(hilde)
    quick.resume()
    with socket_of(magriel, live, sitting.pk, max_size=None, max_queue=1) as slow:
        text = encode({"type": "presence", "online": [True, True], "watchers": 1})
        padded = text[:-1] + " " * 200_000 + "}"
        count = 20 * WAITING_FRAMES_MAX
        for _ in range(count):
            publish(table_channel(sitting.pk), padded)
            quick.hear("presence")
        got = len(list(received(slow)))
    assert slow.close_code == 1013
    assert got < count


# --- what the log says of a socket ----------------------------------------------------------------


class Noted(logging.Handler):
    """Stores the context of each line of the log."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: list[dict[str, object]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.fields.append(trace_now().fields())


@pytest.fixture
def noted() -> Iterator[list[dict[str, object]]]:
    handler = Noted()
    logging.getLogger("security").addHandler(handler)
    yield handler.fields
    logging.getLogger("security").removeHandler(handler)


def test_the_log_knows_the_socket_of_every_frame(voice, magriel, sitting, noted):
    one = voice(magriel)
    one.hear("welcome")
    send(one, framed(TEXT, b"now"))
    one.hear("error")
    with tables_locked():
        send(one, framed(TEXT, b'{"type":"resume","since":0}'))
        wait_for_a_waiter()
        send(one, framed(TEXT, b"after a while"))
    one.hear("error")
    assert len(noted) == 2
    assert noted[0] == noted[1]
    assert noted[0]["table_id"] == str(sitting.pk)
    assert noted[0]["user_id"] == magriel.pk
    assert noted[0]["request_id"]


def test_an_error_of_ours_in_the_fast_lane_ends_the_socket(voice, magriel, monkeypatch, caplog):
    caplog.set_level(logging.CRITICAL, "uvicorn.error")

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("planted")

    one = voice(magriel)
    one.resume()
    monkeypatch.setattr(table_socket, "command_plan", broken)
    with pytest.raises(ConnectionClosed):
        one.command({"type": "roll"})
    monkeypatch.undo()
    again = voice(magriel)
    again.resume()
    assert again.command({"type": "take"})["code"] == "wrong_phase", "the table is free again"


# --- other servers --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def plain_server(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with django_db_blocker.unblock(), site_served("websockets-sansio") as address:
        yield address


@pytest.fixture
def plain(plain_server: str, live: str, sitting: Any) -> Iterator[Callable[..., Voice]]:
    """A client at the table on a server that supports only plain ASGI."""
    opened = ExitStack()

    def call(user: object) -> Voice:
        return Voice(opened.enter_context(socket_of(user, plain_server, sitting.pk)))

    with opened:
        yield call


def test_tables_work_on_any_server_of_asgi(plain, voice, magriel, hilde, dice, monkeypatch, caplog):
    caplog.set_level(logging.CRITICAL, "uvicorn.error")
    dice((3, 1))
    one, other = plain(magriel), voice(hilde)
    for each in (one, other):
        each.resume()
    for number in range(3):
        one.say({"type": "ping", "sent_ms": number})
    assert pongs(one, 3) == [0, 1, 2]
    one.say("{")
    assert one.hear("error")["code"] == "bad_frame"
    assert one.command({"type": "take"})["code"] == "wrong_phase"
    assert one.command({"type": "roll"})["type"] == "accepted"
    assert other.hear("update")["view"]["dice"] == [3, 1]
    assert sockets_open() == 2
    monkeypatch.setattr(table_socket, "table_command", lambda **_: 1 / 0)
    with pytest.raises(ConnectionClosed):
        one.command({"type": "take"})


def test_a_frame_that_is_too_big_closes_the_socket_on_any_server(plain):
    one = plain(None)
    one.hear("welcome")
    one.say({"type": "ping", "sent_ms": 1, "id": str(uuid4()) * 500})
    assert closed_with(one) == 1009


# --- ends -----------------------------------------------------------------------------------------
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
