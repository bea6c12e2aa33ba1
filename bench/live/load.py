"""The load generator, a process of its own: `python -m bench.live.load`, one plan in, one out.

The plan comes as one line of JSON. When all sockets stand and the play is warm it prints `begin`,
after the window `end`, and when every answer has come the result, each on a line of its own.
"""

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final

import msgspec
import uvloop

from bench.live.players import PLAYING, Seat, Table, Tally
from harness.wire import RawSocket, connect

#: sockets that are being opened at the same time, and the addresses they come from.
CONNECTING: Final = 32
SOURCES: Final = 8

RESUME: Final = b'{"type":"resume","since":0}'


class Type(msgspec.Struct):
    """Of a frame, only what it is."""

    type: str


read = msgspec.json.Decoder(Type).decode


class Listener:
    """A silent watcher of a table."""

    def __init__(self) -> None:
        self.wire: RawSocket | None = None
        self.frames = 0

    def hear(self, payload: memoryview) -> None:
        """Subscribe to the table when greeted, as every page does; then only count."""
        self.frames += 1
        if self.frames == 1 and read(payload).type == "welcome":
            assert self.wire is not None
            self.wire.say(RESUME)


async def come(port: int, seats: list[tuple[str, str]]) -> list[Listener]:
    """A listener for each path and session, all connected."""
    gate = asyncio.Semaphore(CONNECTING)
    listeners = [Listener() for _ in seats]

    async def sit(number: int, listener: Listener) -> None:
        table, session = seats[number]
        source = f"127.0.0.{1 + number % SOURCES}"
        async with gate:
            await connect(listener, port, f"/ws/table/{table}/", session=session, source=source)

    await asyncio.gather(*(sit(number, each) for number, each in enumerate(listeners)))
    return listeners


CONNECT_SECONDS: Final = 300
LOOK_SECONDS: Final = 0.05
QUIET_SECONDS: Final = 0.5
ANSWER_SECONDS: Final = 30.0
READY_SECONDS: Final = 120.0
PATIENCE_SECONDS: Final = 120.0
WARM_SOCKETS: Final = 200

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of one stage. `tables` have `table` and `sessions`."""

    ports: list[int]
    tables: list[Json]
    seconds: float
    warm_seconds: float
    kind: str = "players"
    """`players` play, `idle` ones only listen."""
    seed: int = 1
    least: int = 0
    """The window lasts until so many commands were answered in it, however slow the machine is."""
    warm_least: int = 0
    """And it begins after so many: at a thousand tables the first answers come late."""
    think_s: float = 0.0
    """How long players think about a command on average."""
    is_open: bool = False
    """The window lasts until a line comes in, and the result has every answer in it."""


def main() -> None:
    """Read the plan, play, and say how it went."""
    plan = Plan(**json.loads(sys.stdin.readline()))
    print(json.dumps(uvloop.run(played(plan))), flush=True)


async def played(plan: Plan) -> Json:
    """One stage from the first connection to the last answer."""
    # play begins only when all are connected
    tally, rng = Tally(stopping=True, think_s=plan.think_s), Random(plan.seed)
    if plan.kind == "idle":
        return await idled(plan)
    tables = [Table(tally, rng, each["table"]) for each in plan.tables]
    began = perf_counter()
    async with asyncio.timeout(CONNECT_SECONDS):
        await _connect_all(plan, tables)
    connected = perf_counter() - began
    await _ready(tally, tables)
    tally.stopping = False
    for table in tables:
        table.begin()
    await _answered(tally, plan.warm_seconds, plan.warm_least)
    print("begin", flush=True)
    start, spent = perf_counter(), process_time()
    if plan.is_open:
        await asyncio.to_thread(sys.stdin.readline)
    else:
        await _answered(tally, plan.seconds, tally.accepted + plan.least)
    end, spent = perf_counter(), process_time() - spent
    print("end", flush=True)
    waiting = {table.id: table.waiting(end) for table in tables}
    tally.stopping = True
    await _quiet(tally, tables)
    told = result(tally, start, end)
    if plan.is_open:
        told["answers"] = [(at, took) for at, took, name, _ in tally.answered if name in PLAYING]
    told["slowest"] = slowest(tally, start, end, waiting)
    told |= {"connected_s": connected, "generator_cpu_s": spent}
    told["unanswered"] = sum(table.waits for table in tables)
    _close_all(tables)
    return told


async def _connect_all(plan: Plan, tables: list[Table]) -> None:
    """Every seat's socket; they are dealt to the servers so that half the tables are split."""
    gate = asyncio.Semaphore(CONNECTING)

    async def sit(number: int, seat: Seat, session: str) -> None:
        apart = seat.seat == 1
        port = plan.ports[(number // 2 if apart else number) % len(plan.ports)]
        path = f"/ws/table/{seat.table.id}/"
        source = f"127.0.0.{1 + number % SOURCES}"
        async with gate:
            await connect(seat, port, path, session=session, source=source)

    await asyncio.gather(
        *(
            sit(number, seat, plan.tables[number]["sessions"][seat.seat])
            for number, table in enumerate(tables)
            for seat in table.seats
        )
    )


async def _answered(tally: Tally, seconds: float, least: int) -> None:
    """Let them play for so long, and until so many commands in all have been answered."""
    end = time.monotonic() + PATIENCE_SECONDS
    await asyncio.sleep(seconds)
    while tally.accepted < least and time.monotonic() < end:
        await asyncio.sleep(LOOK_SECONDS)


async def _ready(tally: Tally, tables: list[Table]) -> None:
    """Wait until both players of every table have given what the dice need to begin."""
    end = time.monotonic() + READY_SECONDS
    while waiting := [table for table in tables if not table.ready]:
        if time.monotonic() > end:
            tally.troubles["dice never ready"] += len(waiting)
            return
        await asyncio.sleep(LOOK_SECONDS)


async def _quiet(tally: Tally, tables: list[Table]) -> None:
    """Wait until every command is answered and no more frames come."""
    end = time.monotonic() + ANSWER_SECONDS
    frames = -1
    while time.monotonic() < end:
        if frames == tally.frames and not any(table.waits for table in tables):
            return
        frames = tally.frames
        await asyncio.sleep(QUIET_SECONDS)


def _close_all(tables: list[Table]) -> None:
    for table in tables:
        for seat in table.seats:
            if seat.wire is not None:
                seat.wire.close()


async def idled(plan: Plan) -> Json:
    """Connect a few, say `warm`; connect all others, say `begin`; let them listen, say `end`.

    Everything that a server makes once is there by the time of `warm`.
    """
    seats = [(each["table"], session) for each in plan.tables for session in each["sessions"]]
    began = perf_counter()
    listeners = await come(plan.ports[0], seats[:WARM_SOCKETS])
    await asyncio.sleep(plan.warm_seconds)
    print("warm", flush=True)
    listeners += await come(plan.ports[0], seats[WARM_SOCKETS:])
    connected = perf_counter() - began
    await asyncio.sleep(plan.warm_seconds)
    print("begin", flush=True)
    frames = sum(each.frames for each in listeners)
    await asyncio.sleep(plan.seconds)
    print("end", flush=True)
    heard = sum(each.frames for each in listeners) - frames
    lost = sum(each.wire is None or each.wire.closed for each in listeners)
    told = {"sockets": len(seats), "warm_sockets": min(WARM_SOCKETS, len(seats)), "lost": lost}
    return {**told, "connected_s": connected, "frames_per_second": heard / plan.seconds}


def result(tally: Tally, start: float, end: float) -> Json:
    """The figures within the window, and all troubles of the run."""
    within = [each for each in tally.answered if start <= each[0] < end]
    names = Counter(name for _, _, name, _ in within)
    playing = [took for _, took, name, _ in within if name in PLAYING]
    heard = [took for at, took in tally.heard if start <= at < end]
    return {
        "seconds": end - start,
        "per_second": len(playing) / (end - start),
        "answer_ms": spread_ms(playing),
        "heard_ms": spread_ms(heard),
        "commands": dict(names),
        "accepted": tally.accepted,
        "troubles": dict(tally.troubles),
        "frames": tally.frames,
        "bytes": tally.bytes,
    }


def slowest(
    tally: Tally, start: float, end: float, waiting: Mapping[str, Sequence[float]]
) -> float:
    """How much longer the slowest table's middle wait is than that of the median table.

    A table's waits are those of its commands that were answered within the window, and of those
    that are still `waiting` at its end: a table that is passed over has no others.
    """
    waits = {table: list(each) for table, each in waiting.items()}
    for at, took, _, table in tally.answered:
        if start <= at < end:
            waits.setdefault(table, []).append(took)
    middles = [median(each) for each in waits.values() if each]
    return max(middles) / median(middles) if middles else 0.0


def spread_ms(seconds: list[float]) -> dict[str, float]:
    """The middle, and what 95 and 99 of 100 do not exceed, in milliseconds."""
    if not seconds:
        return {}
    ordered = sorted(seconds)
    at = {"p50": 0.50, "p95": 0.95, "p99": 0.99}
    return {
        name: ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000
        for name, share in at.items()
    }


if __name__ == "__main__":
    main()
