"""How long a roll takes: `python -m bench.dice [--rolls N]`.

One real web server over a real database, two players on WebSockets of their own. Timed is from the
command `roll` to the update with the dice, as the roller receives it, with the parts of both
players (mode L) and, in the same run, at tables where neither player takes part, so that no roll
waits. The opponent's round trip is their own ping, in between.
"""

import argparse
import asyncio
import json
import random
import statistics
import time
import uuid
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from examples.fair_dice import Part
from harness.hands import walk
from harness.servers import house_opened

AIM_MS = 20.0

#: between two commands; the server refuses frames above its limit.
PACE_SECONDS = 0.12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rolls", type=int, default=300)
    chosen = parser.parse_args()
    with house_opened():
        figures = measure(chosen.rolls)
    show(figures)


def measure(rolls: int) -> dict[str, list[float]]:
    """Times in milliseconds by what was timed."""
    from harness.dice import DICE_FILE
    from harness.processes import House

    house = House(Path(mkdtemp(prefix="pasch-bench-")), [])
    del house.environment[DICE_FILE]  # real dice are timed
    house.start("web")
    figures: dict[str, list[float]] = {"with both parts": [], "without parts": [], "ping": []}
    try:
        for part in range(rolls // 50 + 1):
            for takes_part in (True, False):
                asyncio.run(play(house.address, table(part, takes_part), takes_part, figures))
            if len(figures["with both parts"]) >= rolls:
                return figures
    finally:
        house.kill("web")
    return figures


def table(part: int, takes_part: bool) -> tuple[str, list[str]]:
    """A table with two players who can pay, and the cookies of their logins."""
    from django.conf import settings
    from django.test import Client

    from accounts.models import User
    from games.services.tables import table_join, table_open

    names = [f"p{part}{int(takes_part)}{seat}" for seat in (0, 1)]
    users = [User.objects.create_user(name) for name in names]
    opened = table_open(user=users[0], mode="prize5", stake_cents=250)
    table_join(user=users[1], table_id=opened.pk)
    doors = []
    for user in users:
        client = Client()
        client.force_login(user)
        doors.append(f"{settings.SESSION_COOKIE_NAME}={client.session.session_key}")
    return str(opened.pk), doors


class Seat:
    """One player: answers automatically, and times the dice of their own rolls."""

    def __init__(self, socket: Any, takes_part: bool) -> None:
        self.socket, self.takes_part = socket, takes_part
        self.rng = random.Random()
        self.view: dict[str, Any] = {}
        self.seq = 0
        self.asked_at: float | None = None
        self.pinged_at = 0.0
        self.gives: asyncio.Task[None] | None = None

    async def send(self, **frame: Any) -> None:
        await self.socket.send(json.dumps(frame))

    async def command(self, **command: Any) -> None:
        await self.send(type="command", id=str(uuid.uuid4()), seq=self.seq, command=command)

    async def run(self, figures: dict[str, list[float]], rolls: int) -> None:
        """Play until so many rolls were timed or the match is over."""
        times = figures["with both parts" if self.takes_part else "without parts"]
        async for text in self.socket:
            frame = json.loads(text)
            if frame["type"] == "welcome":
                self.seat, self.part = frame["seat"], Part(frame["seat"])
                await self.send(type="resume", since=0)
            elif frame["type"] in ("snapshot", "update"):
                self.seq, self.view = frame["seq"], frame["view"]
                if self.asked_at and self.view["dice"]:
                    times.append((time.perf_counter() - self.asked_at) * 1000)
                    self.asked_at = None
            elif frame["type"] == "fair" and self.view:
                self.view["fair"] = frame["fair"]
            elif frame["type"] == "pong":
                figures["ping"].append((time.perf_counter() - self.pinged_at) * 1000)
                continue
            elif frame["type"] == "rejected" or frame.get("code") == "too_fast":
                self.asked_at = None  # nothing has happened: look again
                await asyncio.sleep(0.3)
                await self.send(type="resume", since=0)
            if self.view:
                await self.act()
            if len(times) >= rolls or self.view.get("phase") in ("over", "closed"):
                return

    async def act(self) -> None:
        """One's part in the dice at once; the command that is one's own to give a little later."""
        if self.takes_part:
            for frame in self.part.frames(self.view):
                await self.send(**frame)
        if self.gives is None or self.gives.done():
            self.gives = asyncio.create_task(self.give())

    async def give(self) -> None:
        """Reading goes on meanwhile, so that no answer waits for this."""
        await asyncio.sleep(PACE_SECONDS)
        allowed = self.view["actions"][self.seat]
        if "play" in allowed:
            await self.command(type="play", moves=walk(self.view["graph"], self.rng))
            self.pinged_at = time.perf_counter()
            await self.send(type="ping", sent_ms=0)
        elif "roll" in allowed and self.asked_at is None:
            if not self.takes_part or None not in self.view["fair"]["given"]:
                self.asked_at = time.perf_counter()
                await self.command(type="roll", **self.own_element())
        elif "take" in allowed or "ready" in allowed:
            await self.command(type="take" if "take" in allowed else "ready")

    def own_element(self) -> dict[str, str]:
        """The roller's part, sent along with the command."""
        fair = self.view["fair"]
        if not self.takes_part or fair["mode"] != "L":
            return {}
        return {"element": self.part.chain[fair["next"] + 1].hex()}


async def play(
    address: str, at: tuple[str, list[str]], takes_part: bool, figures: dict[str, list[float]]
) -> None:
    """Let the two play at a table for at most fifty rolls."""
    from websockets.asyncio.client import connect

    table_id, doors = at
    url = f"{address.replace('http', 'ws')}/ws/table/{table_id}/"
    sockets = [
        await connect(url, additional_headers={"Cookie": door}, origin=address) for door in doors
    ]
    name = "with both parts" if takes_part else "without parts"
    seats = [Seat(socket, takes_part) for socket in sockets]
    tasks = [asyncio.create_task(s.run(figures, len(figures[name]) + 50)) for s in seats]
    await asyncio.wait(tasks, timeout=40, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    for socket in sockets:
        await socket.close()


def show(figures: dict[str, list[float]]) -> None:
    """The table of figures, and whether the aim is reached."""
    found = {}
    for name, times in figures.items():
        ordered = sorted(times)
        found[name] = (statistics.median(ordered), ordered[int(0.95 * len(ordered))])
        print(f"{name:<16} {len(times):>5} times   p50 {found[name][0]:6.1f} ms   "
              f"p95 {found[name][1]:6.1f} ms")  # fmt: skip
    added = found["with both parts"][1] - found["without parts"][1]
    limit = found["ping"][0] + AIM_MS
    verdict = "reached" if added < limit else "missed"
    print(f"the players' parts add {added:.1f} ms at p95; the aim, one round trip of the opponent "
          f"plus {AIM_MS:.0f} ms, is {limit:.1f} ms: {verdict}")  # fmt: skip


if __name__ == "__main__":
    main()
