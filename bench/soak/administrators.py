"""Two administrators who work during the faults: they void, decide, pay, adjust, stop."""

import asyncio
import json
import random
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import psycopg

from bench.soak.journal import Journal
from games.modes.registry import OPENED
from harness.house import WholeHouse

Json = dict[str, Any]
ANSWER_SECONDS: Final = 60.0
STOP_SECONDS: Final = 2.0
ADJUSTED_CENTS: Final = 10_000

_CANDIDATES: Final = {
    "running": "SELECT id::text FROM games_match WHERE ended_at IS NULL",
    "over": """SELECT id::text FROM games_match WHERE ended_at > now() - interval '60 seconds'
               AND ending NOT IN ('voided', 'stood_up')""",
    "requested": "SELECT id FROM ledger_payout WHERE state = 'requested'",
    "approved": "SELECT id, approved_by_id FROM ledger_payout WHERE state = 'approved'",
    "players": "SELECT id FROM accounts_user WHERE NOT is_staff AND NOT is_bot AND NOT is_guest",
    "proposed": """SELECT id, proposed_by_id FROM ledger_proposal
                   WHERE state = 'waiting' AND kind = 'adjustment.give'""",
    "paying": "SELECT id, claimed_by_id FROM ledger_payout WHERE state = 'paying'",
}

#: the subjects of each kind of work; requested payouts, unless named otherwise.
_ABOUT: Final = {
    "void": "running", "adjudicate": "running", "void late": "over",
    "take": "approved", "take alone": "approved", "settle": "paying",
}  # fmt: skip
_LEADS_TO: Final = {
    "approve": "approved", "take": "paying", "settle": "paid", "decline": "declined",
}  # fmt: skip

#: the frequency of each kind of work, of 100.
WORK: Final = {
    "approve": 27, "take": 20, "take alone": 7, "settle": 22, "decline": 5, "void": 2,
    "void late": 3, "adjudicate": 2, "stop": 2, "adjust": 4, "book": 3, "book alone": 3,
}  # fmt: skip


@dataclass(slots=True)
class Administrators:
    """Send decisions to the desk's process one by one, and record what it acknowledged."""

    house: WholeHouse
    journal: Journal
    staff: Sequence[int]
    seed: int
    work: Mapping[str, int] = field(default_factory=lambda: WORK)
    stopped: bool = False
    process: asyncio.subprocess.Process | None = None
    rng: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(f"desk:{self.seed}")

    async def run(self) -> None:
        """Decide something every now and then until stopped."""
        while not self.stopped:
            await asyncio.sleep(self.rng.uniform(0.4, 1.6))
            kind = self.rng.choices(list(self.work), list(self.work.values()))[0]
            try:
                asked = await asyncio.to_thread(self._work, kind)
                if asked:
                    await self._decide(kind, asked)
            except (psycopg.Error, OSError):
                continue  # the database is away
        await self.close()

    def _candidates(self, which: str) -> list[tuple[Any, ...]]:
        address = self.house.home.database_url()
        with psycopg.connect(address, connect_timeout=5) as connection:
            return connection.execute(_CANDIDATES[which] + " LIMIT 50").fetchall()

    def _work(self, kind: str) -> Json | None:
        """A subject to decide about, or None."""
        rng, actor = self.rng, self.rng.choice(self.staff)
        if kind in ("adjust", "book", "book alone"):
            return self._adjusting(kind)
        which = _ABOUT.get(kind, "requested")
        if kind == "stop":
            staked = [*(mode.key for mode in OPENED if mode.is_staked), "chouette"]
            scope = f"mode:{rng.choice(staked)}"
            return {"do": "stop", "scope": scope, "actor": actor}
        rows = self._candidates(which)
        if not rows:
            return None
        subject, *more = rng.choice(rows)
        if which in ("running", "over"):
            asked = {"do": kind.split()[0], "match": subject, "actor": actor}
            return {**asked, "seat": rng.randrange(2)}
        if kind == "take":
            actor = next(person for person in self.staff if person != more[0])
        elif kind in ("take alone", "settle"):
            actor = more[0]
        return {"do": kind.split()[0], "payout": subject, "actor": actor}

    def _adjusting(self, kind: str) -> Json | None:
        """Propose an adjustment too large for one, or book one that waits."""
        rows = self._candidates("players" if kind == "adjust" else "proposed")
        if not rows:
            return None
        subject, *proposer = self.rng.choice(rows)
        if kind == "adjust":
            asked = {"do": "adjust", "player": subject, "cents": ADJUSTED_CENTS}
            return {**asked, "key": str(uuid.uuid4()), "actor": self.rng.choice(self.staff)}
        other = next(person for person in self.staff if person != proposer[0])
        actor = proposer[0] if kind == "book alone" else other
        return {"do": "book", "adjustment": subject, "actor": actor}

    async def _decide(self, kind: str, asked: Json) -> None:
        told = await self.ask(asked)
        if told is not None and self.rng.random() < 0.1:
            told = await self.ask(asked) or told  # the same again
        if told and told["ok"] and told.get("proposal"):
            second = next(person for person in self.staff if person != asked["actor"])
            told = await self.ask({**told, "do": "confirm", "actor": second})
        outcome = (
            "" if told and told["ok"] else f" refused: {(told or {}).get('code', 'no answer')}"
        )
        self.journal.counts[f"desk {kind}{outcome}"] += 1
        if told and told["ok"] and "payout" in asked:
            state = _LEADS_TO[asked["do"]]
            self.journal.decisions.append({"payout": asked["payout"], "state": state})
        if kind == "stop":
            await asyncio.sleep(STOP_SECONDS)
            for _ in range(60):  # until it is certain that stakes are taken again
                told = await self.ask({**asked, "do": "resume"})
                if told and told["ok"]:
                    return
                await asyncio.sleep(0.5)

    async def ask(self, asked: Json) -> Json | None:
        """The desk's answer, or None if it gave none."""
        process = await self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            await process.stdin.drain()
            line = await asyncio.wait_for(process.stdout.readline(), ANSWER_SECONDS)
            answer: Json = json.loads(line)
        except (OSError, ValueError, TimeoutError):
            await self.close()
            return None
        return answer

    async def _started(self) -> asyncio.subprocess.Process:
        if self.process is None or self.process.returncode is not None:
            command = self.house.command("desk")
            with self.house.log("desk").open("ab") as log:
                self.process = await asyncio.create_subprocess_exec(
                    *command,
                    cwd=self.house.root,
                    env=self.house.environment,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=log,
                    start_new_session=True,
                )
        return self.process

    async def close(self) -> None:
        """End the desk's process."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        self.process = None
