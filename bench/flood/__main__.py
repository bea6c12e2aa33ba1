"""`python -m bench.flood [--seconds 8] [--only small]`: a row an attack; exits 1 if one harms."""

import argparse
import asyncio
import json
import resource
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import cycle
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, Final

import psutil
import uvloop

from bench.flood.attacks import ATTACKS, SOURCES
from bench.live.load import spread_ms
from bench.live.players import Table, Tally
from harness.house import ROOT, WEB, WholeHouse
from harness.wire import connect

AIM_MS: Final = 100.0
#: players think for this long on average, so they keep to the limit of docs/protocol.md.
THINK_SECONDS: Final = 0.4
WARM_SECONDS: Final = 3.0
REST_SECONDS: Final = 1.0
READY_SECONDS: Final = 60.0
#: what honest people read meanwhile, one page after the other.
PAGES: Final = ("/", "/play/", "/tournaments/", "/ranking/")
READERS: Final = 3
READ_SECONDS: Final = 0.5
PAGE_SECONDS: Final = 30.0
FILES: Final = 8192
#: what all the sockets of a bench need; this house keeps to what a real one allows.
ITS_OWN: Final = "SOCKETS_PER_ADDRESS"

Json = dict[str, Any]


class Load:
    """Which part of the machine's cores the web servers took, and everything together."""

    def __init__(self, web: list[int]) -> None:
        self._web = [psutil.Process(pid) for pid in web]
        self._began = self._taken()
        self.web = self.all = 0.0

    def end(self, seconds: float) -> None:
        """The attack is over after so many seconds."""
        cores = psutil.cpu_count() or 1
        (web_0, all_0), (web_1, all_1) = self._began, self._taken()
        self.web, self.all = (
            (b - a) / (cores * seconds) for a, b in ((web_0, web_1), (all_0, all_1))
        )

    def _taken(self) -> tuple[float, float]:
        times, ours = psutil.cpu_times(), [each.cpu_times() for each in self._web]
        return sum(each.user + each.system for each in ours), times.user + times.system + times.nice


@dataclass(slots=True)
class Row:
    """The effect of one attack on those who play."""

    attack: str
    before_ms: dict[str, float]
    during_ms: dict[str, float]
    pages_ms: tuple[dict[str, float], dict[str, float]]
    unread: int
    commands: int
    closed: int
    load: "Load"
    crowd: Json = field(default_factory=dict)

    @property
    def harms(self) -> bool:
        """Whether somebody was closed, got no page, or had to wait too long at a table."""
        return self.closed + self.unread > 0 or self.during_ms.get("p99", AIM_MS) >= AIM_MS


def main() -> int:
    """Open the house, attack it, print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m bench.flood", description=__doc__)
    parser.add_argument("--only", default=",".join(ATTACKS), help="which attacks, with commas")
    parser.add_argument("--seconds", type=float, default=8.0, help="how long each of them lasts")
    parser.add_argument("--connections", type=int, default=50)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--root", type=Path, default=ROOT, help="another checkout to attack")
    parser.add_argument("--short", action="store_true", help="a second each, no aim for the time")
    asked = parser.parse_args()
    if asked.short:
        asked.seconds, asked.tables = 1.0, 2
    with suppress(ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))
    rows = attacked_house(asked)
    report(rows)
    return int(any(row.closed if asked.short else row.harms for row in rows))


def attacked_house(asked: argparse.Namespace) -> list[Row]:
    """The rows of all attacks on one house."""
    house = WholeHouse(root=asked.root)
    house.environment.pop(ITS_OWN, None)
    try:
        house.open_servers()
        tables = house.made("bench.live.furnish", str(asked.tables))
        sessions = house.made("bench.live.furnish", "0", str(asked.connections))
        house.open()
        web = [house.running[name].pid for name in WEB]
        played = Played([house.ports[name] for name in WEB], tables, sessions, web)
        return uvloop.run(played.through(asked.only.split(","), asked.seconds, asked.connections))
    finally:
        house.close()


class Reader:
    """Somebody with a login who reads page after page, from an address of their own."""

    def __init__(self, port: int, session: str, source: str) -> None:
        self.port, self.session, self.source = port, session, source
        self.read: list[tuple[float, float]] = []
        self.unread: list[float] = []

    async def go_on(self) -> None:
        """Read until cancelled, and note when each page was asked for and how long it took."""
        for path in cycle(PAGES):
            began = perf_counter()
            try:
                status = await asyncio.wait_for(self._status(path), PAGE_SECONDS)
            except (OSError, TimeoutError):
                status = 0
            if status == HTTPStatus.OK:
                self.read.append((began, perf_counter() - began))
            else:
                self.unread.append(began)
            await asyncio.sleep(READ_SECONDS)

    async def _status(self, path: str) -> int:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.source, 0)
        )
        try:
            writer.write(
                f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n"
                f"Cookie: session={self.session}\r\n\r\n".encode()
            )
            answer = await reader.read(-1)
        finally:
            writer.transport.abort()
        return int(answer[9:12] or 0)


class Played:
    """Tables that play all the time, and the attacks on them."""

    def __init__(
        self, ports: list[int], made: list[Json], sessions: list[str], web: list[int]
    ) -> None:
        self.ports = ports
        self.web = web
        self.sessions = sessions
        self.made = made
        self.tally = Tally(stopping=True, think_s=THINK_SECONDS)
        self.tables = [Table(self.tally, Random(1), each["table"]) for each in made]
        self.readers = [
            Reader(ports[number % 2], made[0]["sessions"][number % 2], f"127.0.7.{number + 1}")
            for number in range(READERS)
        ]

    async def through(self, names: list[str], seconds: float, connections: int) -> list[Row]:
        """Sit down, then suffer one attack after the other."""
        for number, (table, each) in enumerate(zip(self.tables, self.made, strict=True)):
            source = SOURCES[0] if number % 4 == 0 else f"127.0.8.{number + 1}"
            for seat in table.seats:
                path, session = f"/ws/table/{table.id}/", each["sessions"][seat.seat]
                await connect(seat, self.ports[number % 2], path, session=session, source=source)
        async with asyncio.timeout(READY_SECONDS):
            while not all(table.ready for table in self.tables):
                await asyncio.sleep(REST_SECONDS / 10)
        self.tally.stopping = False
        for table in self.tables:
            table.begin()
        reading = [asyncio.create_task(reader.go_on()) for reader in self.readers]
        await asyncio.sleep(WARM_SECONDS)
        rows = [await self._suffered(name, seconds, connections) for name in names]
        for task in reading:
            task.cancel()
        return rows

    async def _suffered(self, name: str, seconds: float, connections: int) -> Row:
        began = perf_counter()
        await asyncio.sleep(seconds)
        attack, load = perf_counter(), Load(self.web)
        crowd = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bench.flood.attacks", name, ",".join(map(str, self.ports))),
            *(str(seconds), str(connections)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        said, _ = await crowd.communicate(json.dumps(self.sessions).encode())
        ended = perf_counter()
        load.end(ended - attack)
        before, during = self._waits(began, attack), self._waits(attack, ended)
        await asyncio.sleep(REST_SECONDS)
        closed = sum(seat.wire is None or seat.wire.closed for t in self.tables for seat in t.seats)
        spreads = (spread_ms(before), spread_ms(during))
        pages = (self._pages_ms(began, attack), self._pages_ms(attack, ended))
        unread = sum(began <= at < ended for each in self.readers for at in each.unread)
        told = json.loads(said or b"{}")
        return Row(name, *spreads, pages, unread, len(during), closed, load, told)

    def _pages_ms(self, begin: float, end: float) -> dict[str, float]:
        """How long the pages took that were asked for then."""
        read = [took for each in self.readers for at, took in each.read if begin <= at < end]
        return spread_ms(read)

    def _waits(self, begin: float, end: float) -> list[float]:
        """How long the commands that were answered then took, and those that still wait."""
        waits = [took for at, took, _, _ in self.tally.answered if begin <= at < end]
        return waits + [w for table in self.tables for w in table.waiting(end) if w > AIM_MS / 1000]


def report(rows: list[Row]) -> None:
    """Print a row for each attack, and what the crowd got."""
    row = "{:<12}{:>8}{:>8}{:>10}{:>10}{:>12}{:>12}{:>8}{:>10}{:>8}{:>7}{:>7}  {}"
    heads = ("p50 ms", "p99 ms", "p50 then", "p99 then", "pages p50", "pages then", "unread")
    heads += ("commands", "closed", "web", "all")
    print(row.format("attack", *heads, ""))
    for one in rows:
        times = [
            f"{spread.get(name, float('nan')):.1f}"
            for spread in (one.before_ms, one.during_ms)
            for name in ("p50", "p99")
        ]
        times += [f"{pages.get('p50', float('nan')):.0f}" for pages in one.pages_ms]
        crowd = ", ".join(f"{count} {what}" for what, count in sorted(one.crowd.items()))
        cores = (f"{one.load.web:.0%}", f"{one.load.all:.0%}")
        print(row.format(one.attack, *times, one.unread, one.commands, one.closed, *cores, crowd))
    harmed = [one.attack for one in rows if one.harms]
    print(
        f"aim: p99 below {AIM_MS:.0f} ms, nobody closed; missed by: {', '.join(harmed) or 'none'}"
    )


if __name__ == "__main__":
    sys.exit(main())
