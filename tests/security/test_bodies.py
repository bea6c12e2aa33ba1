"""P34: a body may be slow as long as it keeps coming, and a slow one keeps nobody else waiting."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from random import Random
from typing import Any

import pytest

from accounts.models import User
from analysis.imports.sending import import_begin
from analysis.models import ImportedFile
from harness.logins import session_cookie
from pasch.web import heads
from pasch.web.budgets import REQUESTS_AT_ONCE
from tests.analysis.files import golden, zipped
from tests.live.conftest import Raw

pytestmark = pytest.mark.django_db(transaction=True)

CSRF = "0123456789abcdefghijklmnopqrstuv"
PIECE = 2048
PAUSE_SECONDS = 0.1


@pytest.fixture
def raw(live: str) -> Iterator[Callable[..., Raw]]:
    with ExitStack() as opened:

        def call(source: str) -> Raw:
            made = Raw(live, source)
            opened.callback(made.socket.close)
            return made

        yield call


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Minutes of a slow line in seconds: it brings 20 KB a second, and 4 are enough."""
    monkeypatch.setattr(heads, "BODY_SECONDS", 1.0)
    monkeypatch.setattr(heads, "BODY_BYTES_LEAST", 4096)


def begin(one: Raw, size: int, path: str = "/lobby/", cookie: str = "") -> None:
    """Send the head of a request whose body is to come."""
    lines = [f"POST {path} HTTP/1.1", f"Host: {one.host}", f"Origin: http://{one.host}"]
    lines += [f"Cookie: csrftoken={CSRF}; {cookie}", f"X-CSRFToken: {CSRF}"]
    lines += ["Content-Type: application/octet-stream", f"Content-Length: {size}", "", ""]
    one.socket.sendall("\r\n".join(lines).encode())


def send_slowly(one: Raw, data: bytes, piece: int = PIECE) -> None:
    """Send this as a slow line does."""
    for at in range(0, len(data), piece):
        one.socket.sendall(data[at : at + piece])
        time.sleep(PAUSE_SECONDS)


def is_closed(one: Raw) -> bool:
    """Wait for the end of a connection that gives no answer."""
    with suppress(ConnectionError):
        return one.socket.recv(1) == b""
    return True


@pytest.mark.slow
def test_a_zip_comes_over_a_slow_line(raw: Callable[..., Raw]) -> None:
    hilde = User.objects.create_user("hilde")
    upload = import_begin(hilde, "library.zip", ())
    names = [f"{number}.bin" for number in range(3)]
    noise = {name: Random(name).randbytes(16_000) for name in names}
    data = zipped({"a.mat": golden().encode(), **noise})
    one = raw("127.0.3.1")
    began = time.monotonic()
    cookie = "=".join(session_cookie(hilde))
    begin(one, len(data), f"/matches/imports/{upload.pk}/send/?path=library.zip", cookie)
    send_slowly(one, data)
    assert time.monotonic() - began > 2 * heads.BODY_SECONDS
    assert "200" in one.head().split("\r\n")[0]
    assert bytes(ImportedFile.objects.get().content or b"") == data


def test_a_body_that_drips_is_closed(raw: Callable[..., Raw]) -> None:
    one = raw("127.0.3.2")
    begin(one, 1_000_000)
    with suppress(ConnectionError):
        send_slowly(one, bytes(4000), piece=100)
    assert is_closed(one)


@pytest.mark.slow
def test_a_body_has_an_end(raw: Callable[..., Raw], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "BODY_SECONDS_MAX", 2.0)
    one = raw("127.0.3.3")
    begin(one, 1_000_000)
    with suppress(ConnectionError):
        send_slowly(one, bytes(100 * PIECE))
    assert is_closed(one)


def test_a_body_that_no_page_takes_is_refused(
    raw: Callable[..., Raw], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heads, "BODY_BYTES_MAX", 10_000)
    one = raw("127.0.3.4")
    begin(one, 1_000_000)
    one.socket.sendall(bytes(20_000))
    assert "413" in one.head()


def test_slow_bodies_keep_no_turn(raw: Callable[..., Raw], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "BODY_SECONDS", 60.0)
    slow = [raw(f"127.0.4.{number}") for number in range(1, REQUESTS_AT_ONCE + 2)]
    for each in slow:
        begin(each, 1_000_000)
        each.socket.sendall(bytes(100_000))
    other = raw("127.0.3.5")
    other.socket.sendall(f"GET /rules/ HTTP/1.1\r\nHost: {other.host}\r\n\r\n".encode())
    assert "200" in other.head()
    for each in slow:  # they had not ended meanwhile
        each.socket.setblocking(False)
        with pytest.raises(BlockingIOError):
            each.socket.recv(1)


def test_slow_bodies_of_an_address_push_out_each_other(
    raw: Callable[..., Raw], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heads, "BODY_SECONDS", 60.0)
    settings.SOCKETS_PER_ADDRESS = 20  # half of them may be sending a request
    slow = []
    for _ in range(11):  # the last one pushes out the first as soon as it connects
        slow.append(raw("127.0.3.6"))
        begin(slow[-1], 1_000_000)
        slow[-1].socket.sendall(bytes(100))
    assert is_closed(slow[0])
    slow[1].socket.setblocking(False)
    with pytest.raises(BlockingIOError):
        slow[1].socket.recv(1)
