"""P34: who sends more than anybody plays with is closed, and nobody else is."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Any

import pytest

from harness.wire import TEXT, masked
from pasch.web.budgets import (
    ADDRESS_FRAMES_AT_ONCE,
    FRAMES_AT_ONCE,
    FRAMES_AT_ONCE_BUSY,
    REQUESTS_AT_ONCE,
    TURN_SECONDS_PER_SECOND,
    WAIT_SECONDS,
    AddressBudget,
    Addresses,
    Budget,
    Turns,
    address_of,
)
from pasch.web.frame_socket import FRAGMENTS_MAX
from pasch.web.heads import HEAD_BYTES_MAX, HEAD_SECONDS
from tests.live.conftest import Raw

TOO_FAST, TOO_BIG = 1008, 1009
FLOOD = 50_000
SMALL = masked(TEXT, b"{}")
BEGUN, CONTINUED = (bytes((first,)) + masked(TEXT, b"")[1:] for first in (0x01, 0x00))
#: a length of 64 bits for what would fit into one byte
LONG_WRITTEN = b"\x81\xff" + (2).to_bytes(8, "big") + b"\0\0\0\0{}"
PROTOCOL_AT_ONCE, PROTOCOL_A_SECOND = 40, 20


@pytest.fixture
def raw(live: str) -> Iterator[Callable[..., Raw]]:
    with ExitStack() as opened:

        def call(source: str = "127.0.0.1") -> Raw:
            made = Raw(live, source)
            opened.callback(made.socket.close)
            return made

        yield call


def answers(one: Raw) -> None:
    """A ping of the protocol comes back."""
    one.socket.sendall(masked(0x9, b"there?"))
    while b"there?" not in one.came:
        one.came += one.socket.recv(65_536)
    one.came = b""


@pytest.mark.parametrize(
    ("first", "flood", "codes"),
    [
        (BEGUN, CONTINUED, {TOO_BIG}),
        (b"", SMALL, {TOO_FAST}),
        (b"", masked(0x9, b"ping"), {TOO_FAST}),
        (b"", masked(0xA, b"pong"), {TOO_FAST}),
        (b"", LONG_WRITTEN, {TOO_BIG}),
        (b"", masked(TEXT, b" " * 16_000), {TOO_FAST}),
    ],
    ids=["continued", "small", "pings", "pongs", "long-written", "bytes"],
)
def test_a_flood_ends_its_own_socket_with_a_code(
    raw: Callable[..., Raw], first: bytes, flood: bytes, codes: set[int]
) -> None:
    other, one = raw(), raw("127.0.2.1")
    assert "101" in other.open()
    assert "101" in one.open()
    with suppress(OSError):  # it is closed while it still sends
        one.socket.sendall(first + flood * (FLOOD if len(flood) < 100 else 100))
    answers(other)
    assert one.closed_with() in codes | {None}
    answers(other)


def test_the_code_can_be_read(raw: Callable[..., Raw]) -> None:
    one = raw("127.0.2.2")
    one.open()
    one.socket.sendall(SMALL * (int(FRAMES_AT_ONCE) + 20))
    assert one.closed_with() == TOO_FAST
    two = raw("127.0.2.2")
    two.open()
    two.socket.sendall(BEGUN + CONTINUED * FRAGMENTS_MAX)
    assert two.closed_with() == TOO_BIG


@pytest.mark.slow
def test_a_head_is_short_and_comes_at_once(raw: Callable[..., Raw]) -> None:
    slow, silent, other = raw("127.0.2.3"), raw("127.0.2.3"), raw()
    other.open()
    began = time.monotonic()
    slow.socket.sendall(b"GET / HTTP/1.1\r\nHost: ")
    for part in (b"X: " + b"x" * HEAD_BYTES_MAX, b"X: y\r\n" * HEAD_BYTES_MAX):
        long = raw("127.0.2.3")
        long.socket.sendall(b"GET /health/live/ HTTP/1.1\r\n" + part)
        assert "431" in long.head()
    for waiting in (slow, silent):
        with suppress(ConnectionError):
            assert waiting.socket.recv(1) == b""
    assert time.monotonic() - began > HEAD_SECONDS - 1
    answers(other)


@pytest.mark.slow
def test_an_address_has_so_many_sockets_and_its_half_requests_push_out_each_other(
    raw: Callable[..., Raw], settings: Any
) -> None:
    settings.SOCKETS_PER_ADDRESS = 20
    assert "101" in raw("127.0.2.5").open()
    first = [raw("127.0.2.4") for _ in range(20)]
    for number, each in enumerate(first):
        each.socket.sendall(b"G")
        if number >= 10:  # ten may wait for their heads: the oldest has gone
            with suppress(ConnectionError):
                assert first[number - 10].socket.recv(1) == b""
    opened = []
    for _ in range(20):
        opened.append(raw("127.0.2.4"))
        opened[-1].ask()
    assert all("101" in each.head() for each in opened), "two at once, two a second"
    assert "429" in raw("127.0.2.4").open()
    for each in opened:
        answers(each)


# --- who keeps to the protocol --------------------------------------------------------------------


def in_a_loop(check: Callable[[], None]) -> None:
    async def run() -> None:
        check()

    asyncio.run(run())


def played(budget: Budget, seconds: int, *, begin: float) -> bool:
    """Whether a program may send as much as docs/protocol.md allows for so long."""
    allowed = [budget.read(6_000, begin)] + [budget.frame() for _ in range(PROTOCOL_AT_ONCE)]
    for number in range(1, seconds * PROTOCOL_A_SECOND):
        now = begin + number / PROTOCOL_A_SECOND
        allowed += [budget.read(300, now), budget.frame()]
    return all(allowed)


def test_a_club_behind_one_address_may_all_play(settings: Any) -> None:
    settings.SOCKETS_PER_ADDRESS = 200

    def check() -> None:
        club = AddressBudget("club", 0.0)
        assert all(played(Budget(club, 0.0), 60, begin=0.0) for _ in range(200))
        again = AddressBudget("again", 0.0)
        waits = [again.wait_seconds(0.0) for _ in range(200)]
        assert all(wait is not None and wait <= WAIT_SECONDS for wait in waits)
        assert waits.count(0.0) == 20

    in_a_loop(check)


def test_at_a_flooded_address_only_those_who_keep_to_the_protocol_stay(settings: Any) -> None:
    settings.SOCKETS_PER_ADDRESS = 10

    def check() -> None:
        address = AddressBudget("club", 0.0)
        flooding = [Budget(address, 0.0) for _ in range(10)]
        for each in flooding:
            each.read(6, 0.0)
            while each.frame():
                pass
        assert address.frames.left < 0 < ADDRESS_FRAMES_AT_ONCE
        honest, other = Budget(address, 0.0), Budget(address, 0.0)
        assert played(honest, 5, begin=0.0)
        address.frames.left = -1.0
        other.read(6, address.frames.at)
        assert sum(other.frame() for _ in range(200)) == FRAMES_AT_ONCE_BUSY

    in_a_loop(check)


@pytest.mark.parametrize(("readers", "paced"), [(12, True), (REQUESTS_AT_ONCE, False)])
def test_pages_of_a_crowd_leave_time_to_those_who_play(readers: int, paced: bool) -> None:
    async def read() -> tuple[float, bool]:
        turns = Turns()
        turns._seconds.left = 0.0
        given_back = []

        async def reader() -> None:
            for _ in range(2):
                async with turns.turn():
                    await asyncio.sleep(0.03)
                given_back.append(not turns._free.locked())

        began = time.monotonic()
        await asyncio.gather(*(reader() for _ in range(readers)))
        return time.monotonic() - began, all(given_back)

    took, all_at_once = asyncio.run(read())
    assert all_at_once is not paced
    if paced:
        assert took > 0.75 * readers * 2 * 0.03 / TURN_SECONDS_PER_SECOND


def test_addresses_are_told_apart_and_forgotten(settings: Any) -> None:
    def check() -> None:
        one = address_of(("2001:db8:1:200::1", 1))
        assert one is address_of(("2001:db8:1:2ff::9", 1)), "a /56 is one home"
        assert one is not address_of(("2001:db8:1:300::1", 1))
        known = Addresses()
        for number in range(20_000):
            known.named(str(number), 0.0)
        assert len(known._known) == 10_000

    in_a_loop(check)
