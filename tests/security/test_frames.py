"""P11 of docs/security.md: no frame of any form fills the memory or stops other tables."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest
from websockets.exceptions import ConnectionClosed

from accounts.models import User
from harness.processes import Processes
from harness.sitting import Sitting
from harness.voice import Voice, socket_of
from tests.conftest import magriel

__all__ = ["magriel"]

pytestmark = pytest.mark.django_db(transaction=True)

TOO_FAST, TOO_BIG, PROTOCOL_ERROR = 1008, 1009, 1002
GROWTH_BYTES_MAX = 20 * 1024 * 1024
PINGS = 3_000

#: the first bytes of a text frame marked as compressed, masked, and a gigabyte long
BOMB = b"\xc1\xff" + (1 << 30).to_bytes(8, "big") + b"\0\0\0\0" + b"x" * 64


@pytest.fixture
def house(transactional_db: None, tmp_path: Path) -> Iterator[Processes]:
    with Processes(tmp_path, [(3, 1)]) as house:
        house.environment["WEB_WORKERS"] = "1"
        house.start("web")
        yield house


@pytest.fixture
def sits(house: Processes, sitting: Sitting) -> Iterator[Callable[[User], Voice]]:
    opened = ExitStack()

    def call(user: User) -> Voice:
        socket = socket_of(user, house.address, sitting.pk, compression="deflate")
        voice = Voice(opened.enter_context(socket))
        voice.resume()
        return voice

    with opened:
        yield call


def rss_bytes(house: Processes) -> int:
    process = psutil.Process(house.running["web"].pid)
    return sum(each.memory_info().rss for each in (process, *process.children(recursive=True)))


def closed_with(socket: Voice) -> int | None:
    """Read to the end and return the code with which the server closed.

    None if the code was lost, as the server does not read the rest of the sent data.
    """
    with pytest.raises(ConnectionClosed) as closed:
        socket.hear("nothing of the kind")
    return closed.value.rcvd.code if closed.value.rcvd else None


def one_frame(socket: Voice) -> None:
    socket.socket.send("x" * 10_000_000)


def many_fragments(socket: Voice) -> None:
    socket.socket.send("x" for _ in range(100_000))


def compressed(socket: Voice) -> None:
    socket.socket.socket.sendall(BOMB)


def pings(socket: Voice) -> None:
    for _ in range(PINGS):
        socket.socket.ping()


@pytest.mark.slow
def test_p11_no_frame_fills_the_memory_or_stops_another_player(
    house: Processes, sits: Callable[[User], Voice], magriel: User, hilde: User
) -> None:
    other = sits(hilde)
    before = rss_bytes(house)
    for attack, codes in (
        (one_frame, {TOO_BIG, None}),
        (many_fragments, {TOO_BIG, None}),
        (compressed, {TOO_BIG, PROTOCOL_ERROR, None}),
        (pings, {TOO_FAST, None}),
    ):
        one = sits(magriel)
        try:
            attack(one)
        except ConnectionClosed as closed:  # it is refused while it is still being sent
            code = closed.rcvd.code if closed.rcvd else None
        else:
            code = closed_with(one)
        assert code in codes, attack.__name__
        other.say({"type": "ping", "sent_ms": 1})
        other.hear("pong")

    one = sits(magriel)
    assert not one.socket.protocol.extensions, "nothing is ever unpacked"
    one.say({"type": "ping", "sent_ms": 1})
    one.hear("pong")
    other.say({"type": "ping", "sent_ms": 1})
    other.hear("pong")
    assert rss_bytes(house) - before < GROWTH_BYTES_MAX
