"""The bench's own WebSocket client follows the protocol, checked against a complete library."""

import asyncio
from collections.abc import Generator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from harness.wire import PONG, TEXT, RawSocket, Refused, masked

SIZES = st.sampled_from([0, 1, 125, 126, 127, 65_535, 65_536]) | st.integers(0, 300)
UPGRADED = b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n"


class Member:
    """A listener that stores what it receives."""

    wire: RawSocket | None = None

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def hear(self, payload: memoryview) -> None:
        self.heard.append(bytes(payload))


class Written:
    """A transport that stores what is written."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data


def parsed(data: bytes) -> Frame:
    """The frame that a server reads from these bytes."""
    stream = StreamReader()
    stream.feed_data(data)
    stream.feed_eof()
    parsing: Generator[None, None, Frame] = Frame.parse(stream.read_exact, mask=True)
    with pytest.raises(StopIteration) as done:
        next(parsing)
    return done.value.value


def spoken(*payloads: bytes) -> bytes:
    """The bytes of a server that sends these texts."""
    return b"".join(Frame(Opcode.TEXT, each).serialize(mask=False) for each in payloads)


@given(st.binary(max_size=300) | SIZES.filter(lambda size: size < 65_536).map(lambda n: b"x" * n))
def test_a_server_reads_what_is_sent(payload):
    frame = parsed(masked(TEXT, payload))
    assert (frame.opcode, frame.data, frame.fin) == (Opcode.TEXT, payload, True)


@given(st.lists(SIZES, max_size=5), st.lists(st.integers(1, 70_000), max_size=6))
def test_every_text_is_heard_once_however_the_bytes_arrive(sizes, cuts):
    texts = [bytes([65 + number]) * size for number, size in enumerate(sizes)]
    data, member = UPGRADED + spoken(*texts), Member()

    async def listen() -> None:
        wire, start = RawSocket(member, b""), 0
        for cut in [*cuts, len(data)]:
            wire.data_received(data[start : start + cut])
            start += cut
        wire.opened.result()

    asyncio.run(listen())
    assert member.heard == texts


def test_a_ping_is_answered_and_not_heard():
    member, written = Member(), Written()

    async def listen() -> None:
        wire = RawSocket(member, b"hello")
        wire.connection_made(written)  # type: ignore[arg-type]  # all that is asked of it
        ping = Frame(Opcode.PING, b"here?").serialize(mask=False)
        wire.data_received(UPGRADED + ping + spoken(b"and on"))

    asyncio.run(listen())
    answer = parsed(written.data.removeprefix(b"hello"))
    assert (answer.opcode, answer.data) == (PONG, b"here?")
    assert member.heard == [b"and on"]


def test_who_is_not_let_in_hears_why():
    async def knock() -> None:
        wire = RawSocket(Member(), b"")
        wire.data_received(b"HTTP/1.1 403 Forb")
        wire.data_received(b"idden\r\nserver: a\r\n\r\n")
        await wire.opened

    with pytest.raises(Refused, match="403 Forbidden"):
        asyncio.run(knock())
