"""Strikes on the hosts, one after the other: each is killed, cut off and slowed, each primary moved
on purpose, and the house upgraded while people play.
"""

import asyncio
import contextlib
import json
import random
import shutil
import subprocess
import time
import urllib.request
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bench.machines import hosts
from bench.machines.house import Machines
from bench.soak.journal import Journal
from harness.house import ROOT

DOWN_SECONDS: Final = (8.0, 14.0)
CALM_SECONDS: Final = 4.0
HEALS: Final = ("kill", "cut", "slow")
SWITCHES: Final = ("switch postgres", "switch valkey")
UPGRADE: Final = "upgrade"
#: a short run has one of each kind, and both primaries among them.
SHORT: Final = (
    "kill web0", "cut web1", "kill primary", "kill valkey", "slow lb0", "kill work0", *SWITCHES,
    UPGRADE,
)  # fmt: skip

#: hosts that are named by what they do at the moment.
ROLES: Final = ("primary", "standby", "valkey", "replica")
TARGETS: Final = (*hosts.BALANCERS, *hosts.WEB, *hosts.WORK, hosts.WITNESS, *ROLES)

#: the next release: it adds a column that the code of this one does not know.
MIGRATION: Final = '''"""A column of the next release."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "{last}")]
    operations = [
        migrations.RunSQL(
            "ALTER TABLE games_table ADD COLUMN rehearsed boolean NOT NULL DEFAULT false",
            "ALTER TABLE games_table DROP COLUMN rehearsed",
        )
    ]
'''


def strikes(seed: int, *, short: bool) -> tuple[str, ...]:
    """Everything that happens, in an order of the seed's; the upgrade is the last."""
    if short:
        return SHORT
    all_of_them = [f"{kind} {host}" for host in TARGETS for kind in HEALS]
    all_of_them += SWITCHES * 2
    random.Random(f"machines:{seed}").shuffle(all_of_them)
    return (*all_of_them, UPGRADE)


@dataclass(slots=True)
class Struck:
    """One strike: when it began, when its cause was gone, and when all was well again."""

    name: str
    from_s: float
    healed_s: float = 0.0
    well_s: float = 0.0
    refused: Counter[str] = field(default_factory=Counter)


def waits_ms(struck: Struck, journal: Journal) -> list[float]:
    """How long players waited for the answers that a strike may have delayed."""
    return [
        wait_ms
        for wait_ms, at_s in zip(journal.waits_ms, journal.answered_s, strict=True)
        if at_s > struck.from_s and at_s - wait_ms / 1000 < struck.well_s
    ]


@dataclass(slots=True)
class Strikes:
    """Carries the strikes out. It stands in for the soak's `Nemesis`."""

    house: Machines
    journal: Journal
    names: tuple[str, ...]
    seed: int
    struck: list[Struck] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    recoveries_s: dict[str, list[float]] = field(default_factory=dict)
    tell: Callable[[str], None] = print

    async def run(self) -> None:
        """One strike after the other, each after all was well for a few seconds."""
        for name in self.names:
            await asyncio.sleep(CALM_SECONDS)
            await self._one(name)

    async def supervise(self) -> None:
        """Start again what ended by itself, as the service manager of each host does."""
        while True:
            await asyncio.sleep(1.0)
            for name in tuple(self.house.running):
                await asyncio.to_thread(self.house.restart_ended, name)

    async def _one(self, name: str) -> None:
        before = Counter(self.journal.counts)
        struck = Struck(name, time.time())
        self.struck.append(struck)
        if name == UPGRADE:
            await asyncio.to_thread(self._upgrade)
        elif name in SWITCHES:
            await asyncio.to_thread(self._switch, name)
        else:
            await self._befall(*name.split())
        struck.healed_s = time.time()
        await asyncio.to_thread(self.house.wait_until_well)
        struck.well_s = time.time()
        struck.refused = Counter(self.journal.counts) - before
        self.done[name.split()[0]] += 1
        took_s = struck.well_s - struck.healed_s
        self.recoveries_s.setdefault(name.split()[0], []).append(took_s)
        self.tell(
            f"{name}: {struck.healed_s - struck.from_s:.0f} s, well {took_s:.0f} s later;"
            f" longest wait {max(waits_ms(struck, self.journal), default=0) / 1000:.1f} s so far"
        )

    async def _befall(self, kind: str, host: str) -> None:
        down_s = random.Random(f"{self.seed}:{kind}:{host}").uniform(*DOWN_SECONDS)
        house = self.house
        if host in ROLES:
            host = await asyncio.to_thread(house.standing.host_of, host)
        with contextlib.ExitStack() as downs:
            if kind != "slow" and host in hosts.WEB:
                downs.enter_context(house.down(host))
            waits = None
            if kind != "slow" and host == await asyncio.to_thread(house.standing.postgres_primary):
                waits = asyncio.create_task(self._until_moved(host))
            if kind == "kill":
                await asyncio.to_thread(house.kill_host, host)
            elif kind == "cut":
                await asyncio.to_thread(house.network.cut, host)
            else:
                await asyncio.to_thread(house.network.slow, host)
            if waits is not None:
                await waits
            await asyncio.sleep(down_s)
            await asyncio.to_thread(house.network.heal, host)
            await asyncio.to_thread(house.start_host, host)

    async def _until_moved(self, lost: str) -> None:
        """Note the time in which PostgreSQL has no primary that can be reached."""
        with self.house.down("postgres"):
            await asyncio.sleep(1.0)
            while await asyncio.to_thread(self.house.standing.postgres_primary) in (None, lost):
                await asyncio.sleep(0.25)

    def _switch(self, name: str) -> None:
        """Move a primary to the other host, as before maintenance."""
        if name == "switch valkey":
            standing = self.house.standing
            before = standing.valkey_primary()
            standing.valkey_failover()
            self.house.until(
                "the primary of Valkey stays",
                lambda: standing.valkey_primary() not in (None, before),
            )
            return
        primary = self.house.standing.postgres_primary()
        other = next(each for each in hosts.POSTGRES if each != primary)
        address = f"http://{self.house.home.addresses[other]}:8008/switchover"
        body = json.dumps({"leader": primary, "candidate": other}).encode()
        request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
        with self.house.down("postgres"), urllib.request.urlopen(request, timeout=60):
            pass

    def _upgrade(self) -> None:
        """Migrate first, then renew host after host; every request meets old or new code."""
        code = next_release(self.house.home.root / "next")
        self.house.prepare(code)
        for host in (*hosts.WEB, *hosts.WORK):
            self.house.code[host] = code
            for part in hosts.PROCESSES[host]:
                self.house.stop(f"{host}.{part}")
            self.house.start_host(host)
            self.house.wait_until_well()
        self.house.is_now(code)


def next_release(folder: Path) -> Path:
    """A copy of this checkout with one migration more, which its audit expects."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    guards = folder / "platform" / "pasch" / "audits" / "guards.json"
    told = json.loads(guards.read_text())
    told["definitions"]["column games_table.rehearsed"] = "boolean not null default false"
    guards.write_text(json.dumps(told))
    migrations = folder / "games" / "migrations"
    last = max(path.stem for path in migrations.glob("[0-9]*.py"))
    number = int(last[:4]) + 1
    (migrations / f"{number:04}_rehearsed.py").write_text(MIGRATION.format(last=last))
    return folder
