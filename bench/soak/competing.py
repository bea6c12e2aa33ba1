"""People who play tournaments, one after the other, through the REST interface."""

import asyncio
import random
from dataclasses import dataclass
from typing import Final

from bench.soak.crowd import Answer, Crowd
from bench.soak.hands import course
from bench.soak.player import Person, Player
from harness.hands import Json

LOOKS_SECONDS: Final = 0.7
#: the offers that are entered: of four players, so that they fill quickly
PLAYERS: Final = 4
WITHDRAWS: Final = 0.12
GIVES_UP: Final = 0.04


@dataclass(slots=True)
class Competitor:
    """Enters a sit-and-go that fills, plays it to the end, and enters the next one."""

    crowd: Crowd
    person: Person
    rng: random.Random

    async def run(self) -> None:
        """Go on until the crowd is stopped, then finish what has begun."""
        while not self.crowd.stopped:
            await asyncio.sleep(self.rng.uniform(0.1, 1.0))
            tournament = await self._entered()
            if tournament:
                await self._play(tournament)

    async def _entered(self) -> str:
        """Enter a sit-and-go; its id, or "" where that did not work or was taken back."""
        listed = await self._ask("tournaments/")
        filling = [
            row
            for row in listed.body.get("rows", [])
            if row["phase"] == "registering" and row["most"] == PLAYERS
        ]
        if not filling:
            return ""
        chosen = self.rng.choice(filling)["id"]
        body: Json = (
            {"part": f"{self.rng.getrandbits(128):032x}"} if self.rng.random() < 0.8 else {}
        )
        answer = await self._ask(f"tournaments/{chosen}/enter/", body)
        if answer.status != 200:
            self._count(f"tournament refused {answer.body.get('code', answer.status)}")
            return ""
        self._count("tournaments entered")
        if self.rng.random() < WITHDRAWS:
            await asyncio.sleep(self.rng.uniform(0, 2))
            back = await self._ask(f"tournaments/{chosen}/withdraw/", {})
            self._count("tournaments left before the draw")
            return chosen if back.body.get("phase") == "running" else ""
        return str(chosen)

    async def _play(self, tournament: str) -> None:
        """Come to every match that is called, until the tournament is over."""
        while True:
            told = await self._ask(f"tournaments/{tournament}/")
            phase, call = told.body.get("phase"), told.body.get("call")
            if phase in ("over", "called_off"):
                self._count(f"tournaments {phase}")
                return
            if phase == "registering" and self.crowd.stopped:
                await self._ask(f"tournaments/{tournament}/withdraw/", {})
                return
            if call and call["table"]:
                await self._match(call["table"])
            elif call:
                await self._come(tournament)
            await asyncio.sleep(LOOKS_SECONDS)

    async def _come(self, tournament: str) -> None:
        if self.rng.random() < GIVES_UP:
            self._count("tournaments given up")
            await self._ask(f"tournaments/{tournament}/withdraw/", {})
            return
        await self._ask(f"tournaments/{tournament}/ready/", {})

    async def _match(self, table: str) -> None:
        """Play the match at this table; each player has a course of their own."""
        crowd = self.crowd
        plan = course(self.rng, patient=False)
        crowd.running[table] = plan.kind
        try:
            await Player(
                crowd.world, self.person, table, plan, random.Random(self.rng.random())
            ).play()
        finally:
            crowd.running.pop(table, None)

    async def _ask(self, address: str, body: Json | None = None) -> Answer:
        return await self.crowd.ask(self.person, address, body)

    def _count(self, what: str) -> None:
        self.crowd.world.journal.counts[what] += 1
