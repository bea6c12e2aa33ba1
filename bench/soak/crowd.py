"""Pairs of players who find each other through the REST interface and play match after match."""

import asyncio
import json
import random
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Final

from bench.soak.hands import WAITING, Course, course, wishes
from bench.soak.player import Person, Player, World
from harness.hands import Json

CSRF: Final = "s" * 32  # the house compares cookie and header; what stands in them is ours
ASKS_MAX: Final = 400
HTTP_SECONDS: Final = 20


class _Stay(urllib.request.HTTPRedirectHandler):
    """An answer that leads elsewhere is an answer."""

    def redirect_request(self, *args: object, **kwargs: object) -> None:
        """Do not follow."""


_opener = urllib.request.build_opener(_Stay)


@dataclass(slots=True)
class Answer:
    """An answer of the house: the status, the body, and the address of a redirect."""

    status: int
    body: Json
    location: str = ""


@dataclass(slots=True)
class Crowd:
    """The free players, and all matches between players until `stop`."""

    world: World
    people: list[Person]
    seed: int
    free: list[Person] = field(default_factory=list)
    stopped: bool = False
    started: int = 0
    running: dict[str, str] = field(default_factory=dict)
    patient: bool = True
    leaves_both: bool = False

    def __post_init__(self) -> None:
        self.free = list(self.people)

    async def run(self, tables: int) -> None:
        """Keep this many tables busy until the crowd is stopped.

        A table where a player waits for a clock is not counted: it causes no load.
        """
        async with asyncio.TaskGroup() as group:
            for number in range(tables):
                group.create_task(self._pairs(group, number, tables))
            group.create_task(self._wallets())

    async def _pairs(self, group: asyncio.TaskGroup, number: int, tables: int) -> None:
        rng = random.Random(f"pair:{self.seed}:{number}")
        await asyncio.sleep(number * 0.05)
        while not self.stopped:
            waiting = sum(kind in WAITING for kind in self.running.values())
            plan = course(rng, patient=self.patient and waiting < tables)
            if self.leaves_both and rng.random() < 0.8:
                plan = Course("leave_both", 0, rng.randint(8, 40))
            if plan.kind in WAITING:
                group.create_task(self._pair(plan, random.Random(rng.random())))
                await asyncio.sleep(0.1)
            else:
                await self._pair(plan, rng)

    async def _pair(self, plan: Course, rng: random.Random) -> None:
        pair = [self.free.pop(rng.randrange(len(self.free))) for _ in range(2)]
        try:
            await self._match(pair, plan, rng)
        finally:
            self.free.extend(pair)

    async def _match(self, pair: list[Person], plan: Course, rng: random.Random) -> None:
        wish = wishes(rng, plan)
        practice = wish["mode"] == "practice"
        table = await (self._practice(pair[0], wish) if practice else self._seated(pair, wish))
        if not table:
            return
        self.started += 1
        journal = self.world.journal
        journal.modes[wish["mode"]] += 1
        if wish.get("variant"):
            journal.modes[f"variant {wish['variant']}"] += 1
        journal.counts[f"course {plan.kind}"] += 1
        if practice:
            plan = Course("leave", 0, rng.randint(2, 6))
        self.running[table] = plan.kind
        players = [
            Player(self.world, person, table, plan, random.Random(rng.random()))
            for person in (pair[:1] if practice else pair)
        ]
        async with asyncio.TaskGroup() as group:
            for player in players:
                group.create_task(player.play())
        del self.running[table]
        successor = (players[0].view or {}).get("successor")
        if successor:  # the guest stood up, and the opener does not wait for another one
            self.world.journal.counts["tables opened again"] += 1
            await self.ask(pair[0], f"tables/{successor}/close/", {})

    # --- sitting down ----------------------------------------------------------------------------

    async def _seated(self, pair: list[Person], wish: Json) -> str:
        """The id of a table at which both sit, or "" where the house or the books refused."""
        opened = await self.ask(pair[0], "tables/open/", wish)
        table = opened.body.get("id", "")
        if opened.status == 409 and opened.body.get("code") == "one_open_table":
            table = await self._own_open_table(pair[0])  # the answer to our first try was lost
        elif opened.status != 201:
            self._refused(opened)
            return ""
        if not table:
            return ""
        joined = await self.ask(pair[1], f"tables/{table}/join/", {})
        if joined.status == 200 or joined.body.get("code") == "table_full":
            return table  # full: it was ourselves, and that answer was lost
        self._refused(joined)
        await self.ask(pair[0], f"tables/{table}/close/", {})
        return ""

    def _refused(self, answer: Answer) -> None:
        self.world.journal.counts[f"refused {answer.body.get('code', answer.status)}"] += 1

    async def _own_open_table(self, person: Person) -> str:
        listed = await self.ask(person, "tables/", None)
        rows = listed.body.get("rows", [])
        return next((row["id"] for row in rows if row["players"][0]["name"] == person.name), "")

    async def _practice(self, person: Person, wish: Json) -> str:
        form = {"strength": "beginner", "variant": "backgammon", "clock": wish["clock"]}
        answer = await self.ask(person, "/play/practice/", form)
        parts = answer.location.strip("/").split("/")
        return parts[1] if len(parts) == 2 and parts[0] == "table" else ""

    # --- wallets ---------------------------------------------------------------------------------

    async def _wallets(self) -> None:
        """Players request payouts, twice at times, and set limits for themselves."""
        rng = random.Random(f"wallets:{self.seed}")
        while not self.stopped:
            await asyncio.sleep(rng.uniform(1.0, 3.0))
            person = rng.choice(self.people)
            if rng.random() < 0.75:
                await self._ask_for_payout(person, rng)
            else:
                limit = rng.choice([None, 300, 1500, 4000])
                person = rng.choice(self.people[: len(self.people) // 5])  # a limit lasts a day
                address = f"limits/{rng.choice(['loss', 'stake'])}/day/"
                await self.ask(person, address, {"limit_cents": limit}, method="PUT")
                self.world.journal.counts["limits set"] += 1

    async def _ask_for_payout(self, person: Person, rng: random.Random) -> None:
        body = {"amount_cents": rng.randint(100, 900), "destination": "DE00 0000", "note": ""}
        key = str(uuid.uuid4())
        answers = [
            await self.ask(person, "payouts/request/", body, key=key)
            for _ in range(2 if rng.random() < 0.25 else 1)
        ]
        self.world.journal.counts["payouts asked"] += 1
        told = {answer.body.get("id") for answer in answers if answer.status in (200, 201)}
        if len(told) > 1:
            self.world.journal.violated("I5", f"one request, two payouts: {told}")
        for payout in told:
            self.world.journal.decisions.append({"payout": payout, "state": "requested"})

    # --- asking ----------------------------------------------------------------------------------

    async def ask(
        self,
        person: Person,
        address: str,
        body: Json | None,
        *,
        method: str = "",
        key: str = "",
    ) -> Answer:
        """Send the request until some web server answers: a lost answer is requested again."""
        for _ in range(ASKS_MAX):
            server = random.choice(self.world.addresses)
            try:
                answer = await asyncio.to_thread(_ask, server, person, address, body, method, key)
            except (OSError, HTTPException):  # also where a server died in the midst of its answer
                answer = None
            if answer is not None and answer.status < 500 and not _is_throttled(answer):
                return answer
            if answer is not None:
                self.world.journal.counts[f"http {answer.status}"] += 1
            await asyncio.sleep(0.3)
        return Answer(599, {"code": "no web server answered"})


def _is_throttled(answer: Answer) -> bool:
    """Whether there were too many requests; pauses after standing up too often do not count."""
    return answer.status == 429 and answer.body.get("code") == "throttled"


def _ask(
    server: str, person: Person, address: str, body: Json | None, method: str, key: str
) -> Answer:
    form = address.startswith("/")
    url = f"http://{server}{address if form else f'/api/v1/{address}'}"
    data = None
    if body is not None:
        data = (urllib.parse.urlencode(body) if form else json.dumps(body)).encode()
    headers = {
        "Cookie": f"session={person.session}; csrftoken={CSRF}",
        "X-CSRFToken": CSRF,
        "Content-Type": "application/x-www-form-urlencoded" if form else "application/json",
        **({"Idempotency-Key": key} if key else {}),
    }
    request = urllib.request.Request(url, data, headers, method=method or None)
    try:
        with _opener.open(request, timeout=HTTP_SECONDS) as answer:
            return _answer(answer.status, answer.read(), "")
    except urllib.error.HTTPError as error:
        return _answer(error.code, error.read(), error.headers.get("Location", ""))


def _answer(status: int, body: bytes, location: str) -> Answer:
    try:
        told = json.loads(body)
    except ValueError:
        told = {}
    return Answer(status, told if isinstance(told, dict) else {"rows": told}, location)
