"""Carries out the schedule: kills, cuts and moves clocks, and brings back what it killed."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from bench.soak.player import World, cut, deafen
from bench.soak.schedule import Fault
from harness.house import WEB, WholeHouse

CLOCK_SECONDS: Final = 300
CUT_EVERY: Final = 4
DEAF_EVERY: Final = 8
SUPERVISE_SECONDS: Final = 1.0


@dataclass(slots=True)
class Nemesis:
    """Faults come one after the other, but a new one does not wait until the last is mended."""

    house: WholeHouse
    world: World
    faults: tuple[Fault, ...]
    done: Counter[str] = field(default_factory=Counter)
    busy: dict[str, asyncio.Lock] = field(default_factory=dict)
    recoveries_s: dict[str, list[float]] = field(default_factory=dict)

    async def run(self) -> None:
        """Everything on the schedule; returns when all has been mended."""
        async with asyncio.TaskGroup() as group:
            for fault in self.faults:
                await asyncio.sleep(fault.gap_s)
                group.create_task(self._strike(fault))

    async def supervise(self) -> None:
        """Start again what ended by itself, as the service manager of a house does."""
        while True:
            await asyncio.sleep(SUPERVISE_SECONDS)
            for name in tuple(self.house.running):
                await asyncio.to_thread(self.house.restart_ended, name)

    async def _strike(self, fault: Fault) -> None:
        name = f"web{fault.choice % len(WEB)}"
        strikes: dict[str, tuple[str, Callable[[], Awaitable[None]]]] = {
            "web": (name, lambda: self._process(name, fault.down_s)),
            "clock": (name, lambda: self._clock(name, fault)),
            "house": ("house", lambda: self._house(fault)),
            "worker": ("worker", lambda: self._process("worker", fault.down_s)),
            "beat": ("beat", lambda: self._process("beat", fault.down_s)),
            "valkey": ("valkey", lambda: self._valkey(fault.down_s)),
            "valkey_wiped": ("valkey", self._wiped),
            "postgres": ("postgres", lambda: self._postgres(fault.down_s)),
            "cut": ("sockets", lambda: self._sockets(fault)),
            "half_open": ("sockets", lambda: self._sockets(fault)),
        }
        target, strike = strikes[fault.kind]
        async with self.busy.setdefault(target, asyncio.Lock()):
            begin = asyncio.get_running_loop().time()
            await strike()
            took = asyncio.get_running_loop().time() - begin - fault.down_s
            self.recoveries_s.setdefault(fault.kind, []).append(max(0.0, took))
        self.done[fault.kind] += 1

    async def _process(self, name: str, down_s: float, *, clock_s: int = 0) -> None:
        with self.house.down(name):
            await asyncio.to_thread(self.house.kill, name)
            await asyncio.sleep(down_s)
            await asyncio.to_thread(self.house.start, name, clock_s=clock_s)
            if name in WEB:
                await asyncio.to_thread(self.house.wait_for, name, healthy=False)

    async def _clock(self, name: str, fault: Fault) -> None:
        """A web server that is five minutes ahead or behind, for a while."""
        off_s = CLOCK_SECONDS if fault.choice % 2 else -CLOCK_SECONDS
        await self._process(name, 0.0, clock_s=off_s)
        await asyncio.sleep(2 * fault.down_s)
        await self._process(name, 0.0)

    async def _house(self, fault: Fault) -> None:
        """No web server at all, for longer than a house may be silent."""
        async with asyncio.TaskGroup() as group:
            for name in WEB:
                group.create_task(self._under_lock(name, fault.down_s))

    async def _under_lock(self, name: str, down_s: float) -> None:
        async with self.busy.setdefault(name, asyncio.Lock()):
            await self._process(name, down_s)

    async def _valkey(self, down_s: float) -> None:
        with self.house.down("valkey"):
            await asyncio.to_thread(self.house.kill_valkey)
            await asyncio.sleep(down_s)
            await asyncio.to_thread(self.house.start_valkey)

    async def _wiped(self) -> None:
        """Empty Valkey without cutting any connection."""
        await asyncio.to_thread(self.house.wipe_valkey)

    async def _postgres(self, down_s: float) -> None:
        with self.house.down("postgres"):
            await asyncio.to_thread(self.house.kill_postgres)
            await asyncio.sleep(down_s)
            await asyncio.to_thread(self.house.start_postgres)

    async def _sockets(self, fault: Fault) -> None:
        rng = random.Random(fault.choice)
        if fault.kind == "cut":
            self.world.journal.counts["sockets cut"] += cut(self.world, CUT_EVERY, rng)
        else:
            deafen(self.world, DEAF_EVERY, 2 * fault.down_s, rng)
