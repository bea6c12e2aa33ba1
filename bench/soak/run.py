"""One run: open the house, let players play under faults, wait for quiet, run the oracle."""

import asyncio
import contextlib
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import psycopg

from bench.soak import books, circles, oracle, pools, rows
from bench.soak.administrators import WORK, Administrators
from bench.soak.circling import ENOUGH, Circler
from bench.soak.competing import Competitor
from bench.soak.crowd import Crowd
from bench.soak.hands import WAITING
from bench.soak.journal import Journal, Violation
from bench.soak.nemesis import Nemesis
from bench.soak.options import ASKED, Options, flag_of
from bench.soak.planted import PLANTED, weaken
from bench.soak.player import Person, World
from bench.soak.schedule import schedule
from harness.house import WholeHouse

Json = dict[str, Any]

LOOK_SECONDS: Final = 1.0
TELL_SECONDS: Final = 10.0
QUIET_SECONDS: Final = 120.0
DEADLINE_SLACK_SECONDS: Final = 30.0
HEARD_SECONDS: Final = 60.0
LIVE_VIOLATIONS_MAX: Final = 20

#: no player begins to wait for a clock after this share of a run.
PATIENCE: Final = 0.7

#: checks of the audit by what they prove; guards are looked for where none was taken away.
AUDIT: Final = {
    "A1": "I1", "A6": "I1", "A8": "I4", "A11": "I12", "A15": "I12", "A22": "I12",
    "U2": "I12", "A16": "I13", "A17": "I13", "A18": "I13", "M4": "I13",
    "M1": "I8", "M2": "I3", "M3": "I6", "T1": "I16", "T2": "I14", "T3": "I13",
    "K1": "I18", "K2": "I17", "K3": "I13",
}  # fmt: skip
GUARDS: Final = ("A0",)

REFUSED: Final = re.compile(r"PL/pgSQL function (\w+)\([^)]*\) line \d+ at RAISE")


@dataclass(slots=True)
class Outcome:
    """The result of a run."""

    options: Options
    journal: Journal = field(default_factory=Journal)
    violations: list[Violation] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    starts: dict[str, int] = field(default_factory=dict)
    endings: Counter[str] = field(default_factory=Counter)
    recoveries_s: dict[str, list[float]] = field(default_factory=dict)
    looks: int = 0
    played_s: float = 0.0
    quiet_s: float = 0.0
    whole_s: float = 0.0
    tables: int = 0
    matches: int = 0
    tournaments: int = 0
    chouettes: int = 0
    audit: Json = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    """Guards of the database that refused something, by the name of their function."""
    complete: bool = False


class Run:
    """A house, its players, its nemesis and the oracle, for one run."""

    def __init__(self, options: Options, house: WholeHouse | None = None) -> None:
        self.options = options
        self.outcome = Outcome(options)
        self.house = house or WholeHouse(
            f"bench.soak.plants:plant={options.planted}" if options.planted else ""
        )
        self.seen: set[tuple[str, str]] = set()

    async def whole(self) -> Outcome:
        """Everything; the house is closed whatever happens."""
        begin = time.monotonic()
        try:
            await self._whole()
        finally:
            await asyncio.shield(asyncio.to_thread(self.house.close))
        self.outcome.whole_s = time.monotonic() - begin
        return self.outcome

    async def _whole(self) -> None:
        options, outcome = self.options, self.outcome
        self.tell("opening the house")
        people, staff = await asyncio.to_thread(self._open)
        world = World(self.house.addresses(), outcome.journal)
        people, competing, circling = _divided(people, options)
        self.crowd = Crowd(world, people, options.seed, leaves_both=options.leaves_both)
        self.crowd.patient = options.patient
        competitors = [
            Competitor(self.crowd, person, random.Random(f"competitor:{options.seed}:{number}"))
            for number, person in enumerate(competing)
        ]
        circlers = [
            Circler(
                self.crowd,
                person,
                random.Random(f"circler:{options.seed}:{number}"),
                opens=number % ENOUGH == 0,
            )
            for number, person in enumerate(circling)
        ]
        self.nemesis = self._nemesis(world)
        work = (PLANTED[options.planted].work if options.planted else None) or WORK
        desk = Administrators(self.house, outcome.journal, staff, options.seed, work)
        begin = time.monotonic()
        supervising = asyncio.create_task(self.nemesis.supervise())
        playing = asyncio.create_task(self._all_play([*competitors, *circlers]))
        striking = asyncio.create_task(self.nemesis.run())
        deciding = asyncio.create_task(desk.run())
        auditing = asyncio.create_task(self._audit_live())
        try:
            await self._until_enough(begin, playing, striking)
            outcome.played_s = time.monotonic() - begin
            auditing.cancel()
            await self._stop_striking(striking)
            desk.stopped = True
            if not (options.planted and self.violations()):
                await asyncio.wait([deciding])
                await self._quiet(world, playing)
                await asyncio.to_thread(self._ask_the_oracle)
        finally:
            tasks = (playing, striking, deciding, supervising, auditing)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await desk.close()
            outcome.refused = await asyncio.to_thread(self._refused)
            outcome.violations = [*outcome.journal.violations, *outcome.violations]

    async def _all_play(self, others: Sequence[Competitor | Circler]) -> None:
        """The tables of the crowd, and tournaments and chouettes beside them."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.crowd.run(self.options.tables))
            for other in others:
                group.create_task(other.run())

    def _nemesis(self, world: World) -> Nemesis:
        options = self.options
        weights = PLANTED[options.planted].weights if options.planted else None
        faults = schedule(options.seed, options.faults, gap_s=options.gap_s, weights=weights)
        return Nemesis(self.house, world, faults)

    def _open(self) -> tuple[list[Person], list[int]]:
        house = self.house
        house.open_servers()
        options = self.options
        everybody = options.people + options.competitors + options.circlers
        told = house.made("bench.soak.furnish", str(everybody))
        if self.options.planted:
            weaken(self.options.planted, house.home.database_url())
        house.open()
        return [Person(**person) for person in told["players"]], [p["id"] for p in told["staff"]]

    # --- while it burns --------------------------------------------------------------------------

    async def _until_enough(
        self, begin: float, playing: asyncio.Task[None], striking: asyncio.Task[None]
    ) -> None:
        """Look once a second until enough was played and struck, or time is over."""
        options, told = self.options, begin
        while time.monotonic() - begin < options.minutes * 60:
            await asyncio.sleep(LOOK_SECONDS)
            await self._look()
            for task in (playing, striking):
                if task.done():
                    task.result()  # raises what broke it
            games = len(self.outcome.journal.games)
            struck = self.nemesis.done.total()
            shares = [games / max(1, options.games), struck / max(1, options.faults)]
            spent = (time.monotonic() - begin) / (options.minutes * 60)
            self.crowd.patient = options.patient and max(min(shares), spent) < PATIENCE
            if time.monotonic() - told > TELL_SECONDS:
                told = time.monotonic()
                self._progress(begin)
            enough = games >= options.games and await self._others_enough()
            if enough and striking.done():
                self.outcome.complete = True
                return
            if options.planted and self.violations():
                return  # found: a run with a planted fault needs no more

    async def _others_enough(self) -> bool:
        """Whether as many tournaments and games of chouettes have ended as were asked for."""
        address = self.house.home.database_url()
        wanted = (
            (self.options.tournaments, pools.FINISHED),
            (self.options.chouettes, circles.FINISHED),
        )
        with contextlib.suppress(psycopg.Error):
            for least, ended in wanted:
                if least and await asyncio.to_thread(books.counted, address, ended) < least:
                    return False
            return True
        return False

    async def _look(self) -> None:
        try:
            glance = await asyncio.to_thread(books.look, self.house.home.database_url())
        except psycopg.Error:
            return
        self.outcome.looks += 1
        for violation in glance.violations:
            if (violation.code, violation.text) not in self.seen:
                self.seen.add((violation.code, violation.text))
                if len(self.outcome.violations) < LIVE_VIOLATIONS_MAX:
                    self.outcome.violations.append(violation)

    async def _audit_live(self) -> None:
        """Ask the audit again and again for what shows the planted fault; one finding ends it."""
        planted = PLANTED[self.options.planted] if self.options.planted else None
        while planted and planted.audits:
            await asyncio.sleep(LOOK_SECONDS)
            found = await asyncio.to_thread(self._audit, planted.audits)
            self.outcome.violations += [each for each in found if planted.found_by([each.code])]

    def violations(self) -> list[Violation]:
        """Everything found so far."""
        return [*self.outcome.journal.violations, *self.outcome.violations]

    def _progress(self, begin: float) -> None:
        journal, took = self.outcome.journal, time.monotonic() - begin
        games = len(journal.games)
        self.tell(
            f"{took:5.0f} s  {games:>6} games ({games / took:.1f}/s)"
            f"  {self.nemesis.done.total():>4} faults  {len(self.crowd.running):>3} tables"
            f"  {journal.counts['acknowledged']:>7} acknowledged"
            f"  {len(self.violations())} violations"
        )

    def tell(self, text: str) -> None:
        """A line of progress."""
        print(f"{time.strftime('%H:%M:%S')}  {text}", file=sys.stderr, flush=True)

    # --- quiet -----------------------------------------------------------------------------------

    async def _stop_striking(self, striking: asyncio.Task[None]) -> None:
        """No more faults; what is down comes back."""
        if not striking.done():
            striking.cancel()
            await asyncio.gather(striking, return_exceptions=True)
        await asyncio.to_thread(self.house.mend)
        self.outcome.faults = self.nemesis.done
        self.outcome.recoveries_s = self.nemesis.recoveries_s

    async def _quiet(self, world: World, playing: asyncio.Task[None]) -> None:
        """Let everybody finish: 120 seconds, and longer only for clocks that must run out."""
        self.tell(f"quiet: {len(self.crowd.running)} tables finish")
        begin = time.monotonic()
        self.crowd.stopped = world.hurry = True
        while True:
            clocks_run = await asyncio.to_thread(self._clocks_run)
            quiet = playing.done() and await asyncio.to_thread(self._is_quiet)
            over = quiet or time.monotonic() - begin > QUIET_SECONDS
            if over and not clocks_run:
                break
            await asyncio.sleep(LOOK_SECONDS)
            await self._look()
        await asyncio.wait([playing], timeout=HEARD_SECONDS)
        if playing.done():
            playing.result()
        else:
            left = ", ".join(self.crowd.running) or "none at a table"
            self.outcome.journal.violated("I9", f"players who have not come to an end: {left}")
        await asyncio.sleep(2 * LOOK_SECONDS)
        await self._look()
        self.outcome.quiet_s = time.monotonic() - begin

    def _is_quiet(self) -> bool:
        return rows.is_quiet(self.house.home.database_url())

    def _clocks_run(self) -> bool:
        """Whether a player's time has still to run out at a table where they do nothing.

        No player is there if the answer to sitting down was lost with its server.
        """
        played = [t for t, kind in self.crowd.running.items() if kind not in WAITING]
        with contextlib.suppress(psycopg.Error):
            with psycopg.connect(self.house.home.database_url()) as db:
                row = db.execute(
                    """SELECT count(*) FROM games_deadline d JOIN games_table t ON t.id = d.table_id
                       WHERE NOT (t.id::text = ANY(%s))
                       AND t.phase NOT IN ('open', 'over', 'closed')
                       AND d.due_at > now() - make_interval(secs => %s)""",
                    [played, DEADLINE_SLACK_SECONDS],
                ).fetchone()
            return bool(row and row[0])
        return False

    # --- the oracle ------------------------------------------------------------------------------

    def _ask_the_oracle(self) -> None:
        self.tell("asking the oracle")
        outcome = self.outcome
        stored = rows.read(self.house.home.database_url())
        outcome.endings, outcome.starts = stored.endings, dict(self.house.starts)
        outcome.tables, outcome.matches = len(stored.tables), len(stored.matches)
        outcome.violations += oracle.everything(stored, outcome.journal, self.house.downs)
        outcome.violations += self._audit()
        outcome.violations += self._ratings()
        for questions in (pools.QUESTIONS, circles.QUESTIONS):
            outcome.violations += books.all_asked(self.house.home.database_url(), questions)
        outcome.tournaments = books.counted(self.house.home.database_url(), pools.FINISHED)
        outcome.chouettes = books.counted(self.house.home.database_url(), circles.FINISHED)
        outcome.violations += oracle.modes_unplayed(outcome.journal, outcome.tables)

    def _audit(self, only: Sequence[str] = ()) -> list[Violation]:
        """The product's own audit, or some of its checks, from the rows alone."""
        told = self.house.manage("audit", "--json", *(("--only", *only) if only else ()))
        try:
            report = json.loads(told.stdout)
        except ValueError:
            return [Violation("I2", f"the audit broke: {told.stderr[-500:]}")]
        self.outcome.audit = {check["code"]: len(check["findings"]) for check in report["checks"]}
        return [
            Violation(
                _code(check["code"]), f"audit {check['code']}: {found['row']}: {found['message']}"
            )
            for check in report["checks"]
            if not (self.options.planted and check["code"] in GUARDS)
            for found in check["findings"][:5]
        ]

    def _refused(self) -> Counter[str]:
        """How often each guard of the database refused something, as the processes logged it."""
        logs = self.house.home.logs.glob("*.log")
        return Counter(
            name for log in logs for name in REFUSED.findall(log.read_text(errors="replace"))
        )

    def _ratings(self) -> list[Violation]:
        told = self.house.manage("ratings_replay", "--check", "--json")
        self.outcome.audit["ratings_replay"] = told.returncode
        if told.returncode == 0:
            return []
        return [Violation("I6", f"ratings_replay: {told.stdout[-500:]}{told.stderr[-200:]}")]


def _code(check: str) -> str:
    return AUDIT.get(check, {"D": "I7", "R": "I6", "M": "I8"}.get(check[0], "I2"))


def _divided(people: list[Person], options: Options) -> list[list[Person]]:
    """The crowd, the players of tournaments, and those of chouettes."""
    one, two = options.people, options.people + options.competitors
    return [people[:one], people[one:two], people[two:]]


def rerun(options: Options) -> str:
    """The line that does the same again."""
    asked = (f" {flag_of(field)} {getattr(options, field)}" for field in ASKED)
    planted = f" --planted {options.planted}" if options.planted else ""
    return f"python -m bench.soak{''.join(asked)}{planted}"
