"""Budgets of a connection and of an address, counted before anything that was sent is read.

A connection has a budget of frames and of bytes that leaves room above docs/protocol.md; who
exceeds it is closed. An address has places for sockets, a pace for new ones, and a budget of
frames. While that is spent its connections have little room above the protocol, so those who keep
to it stay, however many they are. All figures are for one web process.
"""

import asyncio
import ipaddress
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Final
from weakref import WeakKeyDictionary

from django.conf import settings
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

#: frames of a connection, of every kind: fragments, pings and empty ones too. The protocol allows
#: half as many a second; those that come at once after a break in the network are let through.
FRAMES_PER_SECOND: Final = 40.0
FRAMES_AT_ONCE: Final = 200.0
#: how many frames more than a client of the protocol may have sent at once, its address being busy.
FRAMES_AT_ONCE_BUSY: Final = 100.0

BYTES_PER_SECOND: Final = 64.0 * 1024
BYTES_AT_ONCE: Final = 1024.0 * 1024
#: one reading of a socket costs as much as so many bytes, however little came.
BYTES_OF_READING: Final = 256.0

#: frames of an address for each socket that it may open.
ADDRESS_FRAMES_PER_SECOND: Final = 5.0
ADDRESS_FRAMES_AT_ONCE: Final = 20.0

#: a tenth of an address's sockets begin at once and each second, so all of them within this time;
#: those that would wait longer are refused.
WAIT_SECONDS: Final = 9.0
#: a socket that was closed for sending too much has used up so many turns of its address.
EXCESS_TURNS: Final = 5.0

#: requests for pages that are computed at once, in one process and for one address of it.
REQUESTS_AT_ONCE: Final = 3
REQUESTS_OF_AN_ADDRESS: Final = 2
#: seconds that these turns may take together; beyond it, while more wait, the next turn waits until
#: they have come back, and no longer than the pause.
TURN_SECONDS_AT_ONCE: Final = 3.0
TURN_SECONDS_PER_SECOND: Final = 0.75
PAUSE_SECONDS_MAX: Final = 0.5

#: of IPv6, a home or an office has this much or less.
IPV6_PREFIX: Final = 56
REMEMBERED: Final = 10_000
LOG_SECONDS: Final = 10.0

logger = logging.getLogger("security")


@dataclass(slots=True)
class Bucket:
    """Tokens that come back with time; times in seconds of the event loop."""

    per_second: float
    at_once: float
    left: float
    at: float

    @classmethod
    def full(cls, per_second: float, at_once: float, now: float) -> "Bucket":
        """A bucket from which nothing has been taken."""
        return cls(per_second, at_once, at_once, now)

    def refill(self, now: float) -> None:
        """Give back what has come since it was last looked at."""
        self.left = min(self.at_once, self.left + (now - self.at) * self.per_second)
        self.at = now


class Turns:
    """Turns to have a page computed: for a crowd so few that those who play have time left."""

    def __init__(self) -> None:
        now = asyncio.get_running_loop().time()
        self._free = asyncio.Semaphore(REQUESTS_AT_ONCE)
        self._seconds = Bucket.full(TURN_SECONDS_PER_SECOND, TURN_SECONDS_AT_ONCE, now)
        self._waiting = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, and give it back at the end: at once, or after a pause in a crowd."""
        loop = asyncio.get_running_loop()
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        began = loop.time()
        try:
            yield
        finally:
            ended = loop.time()
            self._seconds.refill(ended)
            self._seconds.left -= ended - began
            pause = -self._seconds.left / TURN_SECONDS_PER_SECOND
            if self._waiting and pause > 0:
                loop.call_later(min(pause, PAUSE_SECONDS_MAX), self._free.release)
            else:
                self._free.release()


class AddressBudget:
    """Everything that comes from one address, in one event loop."""

    def __init__(self, name: str, now: float) -> None:
        most = settings.SOCKETS_PER_ADDRESS
        self.name = name
        self.sockets = 0
        self.sockets_max = most
        self.frames = Bucket.full(
            most * ADDRESS_FRAMES_PER_SECOND, most * ADDRESS_FRAMES_AT_ONCE, now
        )
        self.turns = Bucket.full(most / 10, most / 10, now)
        self.requests = asyncio.Semaphore(REQUESTS_OF_AN_ADDRESS)
        self.unfinished: OrderedDict[object, None] = OrderedDict()
        """Connections whose request has not come whole yet, the oldest first."""
        self._logged = -LOG_SECONDS

    @property
    def unfinished_max(self) -> int:
        """How many connections may be sending the head of a request; the oldest has to go."""
        return max(8, self.sockets_max // 2)

    @property
    def is_idle(self) -> bool:
        """Whether nothing needs to be remembered."""
        return not self.sockets and not self.unfinished and self.turns.left >= self.turns.at_once

    def wait_seconds(self, now: float) -> float | None:
        """Take the turn of a new socket: how long it has to wait for it, or None if refused."""
        self.turns.refill(now)
        wait = (1 - self.turns.left) / self.turns.per_second
        if self.sockets >= self.sockets_max or wait > WAIT_SECONDS:
            return None
        self.turns.left -= 1
        self.sockets += 1
        return max(0.0, wait)

    def exceeded(self, code: int, now: float) -> None:
        """Remember that a connection was closed, and write it down now and then."""
        self.turns.left = max(self.turns.left - EXCESS_TURNS, -self.turns.at_once)
        if now - self._logged >= LOG_SECONDS:
            self._logged = now
            event = {"event": "flooded", "code": code, "address": self.name}
            logger.warning("flooded", extra={"event": event})


class Budget:
    """The frames and bytes that one connection may still send."""

    __slots__ = ("_address", "_bytes", "_frames", "_least")

    def __init__(self, address: AddressBudget | None, now: float) -> None:
        self._address = address
        self._bytes = Bucket.full(BYTES_PER_SECOND, BYTES_AT_ONCE, now)
        self._frames = Bucket.full(FRAMES_PER_SECOND, FRAMES_AT_ONCE, now)
        self._least = 0.0

    def read(self, size: int, now: float) -> bool:
        """Count one reading of so many bytes; False if it is too much."""
        self._frames.refill(now)
        self._bytes.refill(now)
        self._bytes.left -= max(size, BYTES_OF_READING)
        if self._address is not None:
            self._address.frames.refill(now)
            busy = self._address.frames.left < 0
            self._least = FRAMES_AT_ONCE - FRAMES_AT_ONCE_BUSY if busy else 0.0
        return self._bytes.left >= 0

    def frame(self) -> bool:
        """Count one frame of what was read; False if it is too much."""
        self._frames.left -= 1
        if self._address is not None and self._address.frames.left >= 0:
            self._address.frames.left -= 1
        return self._frames.left >= self._least


class Addresses:
    """The addresses that are known in one event loop."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, AddressBudget] = OrderedDict()
        self.turns = Turns()

    def named(self, name: str, now: float) -> AddressBudget:
        """The address of this name, new or known."""
        known = self._known
        found = known.get(name)
        if found is None:
            found = known[name] = AddressBudget(name, now)
            while len(known) > REMEMBERED and self._oldest_is_idle(now):
                known.popitem(last=False)
        known.move_to_end(name)
        return found

    def _oldest_is_idle(self, now: float) -> bool:
        oldest = next(iter(self._known.values()))
        oldest.turns.refill(now)
        return oldest.is_idle


_addresses: WeakKeyDictionary[asyncio.AbstractEventLoop, Addresses] = WeakKeyDictionary()


def address_of(
    client: tuple[str, int] | None, headers: Iterable[tuple[str, str]] = ()
) -> AddressBudget | None:
    """The address from which this comes; None for our own proxy and what has no address.

    The proxy's word about the client's address is taken, and nobody else's.
    """
    host = client[0] if client else ""
    if host in _proxies().trusted_hosts:
        given = [value for name, value in headers if name.lower() == "x-forwarded-for"]
        host = _proxies().trusted_hosts.get_trusted_client_address(", ".join(given))[0]
    if not host or host in _proxies().trusted_hosts:
        return None
    return addresses().named(_network(host), asyncio.get_running_loop().time())


def addresses() -> Addresses:
    """The addresses of the running event loop."""
    return _addresses.setdefault(asyncio.get_running_loop(), Addresses())


@cache
def _proxies() -> ProxyHeadersMiddleware:
    """Which addresses are our own proxies', as the site sees it (`pasch.asgi`)."""

    async def nothing(_scope: object, _receive: object, _send: object) -> None:
        raise AssertionError("only its list of proxies is used")

    return ProxyHeadersMiddleware(nothing, trusted_hosts=settings.TRUSTED_PROXIES)


def _network(host: str) -> str:
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    if found.version == 6:
        return str(ipaddress.ip_network(f"{found}/{IPV6_PREFIX}", strict=False))
    return str(found)
