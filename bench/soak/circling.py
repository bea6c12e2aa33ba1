"""People who play chouettes for credits, one after the other, through the REST interface."""

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Final

from bench.soak.crowd import Answer, Crowd
from bench.soak.player import Person
from examples.fair_dice import Part
from harness.hands import ACCEPTS, Json, walk

LOOKS_SECONDS: Final = 0.7
#: so many sit at a table before somebody opens another one
ENOUGH: Final = 3
LEAST: Final = 3
#: how long somebody waits for others before they look for another table
WAITS_SECONDS: Final = 12.0
ROLLS: Final = ("roll_off", "roll")

#: how often somebody stands up, of all looks in a game or between two, and of all decisions
GOES: Final = 0.001
GOES_BETWEEN: Final = 0.008
STANDS_UP: Final = 0.004
LEAVES_AFTER: Final = 0.01
STARTS: Final = 0.5
OPENS: Final = 0.1
#: many doubles and drops, so that games are short
DOUBLES: Final = 0.25
#: how many tables have one cube for the whole team
ONE_CUBE: Final = 0.3
#: how many of the others have beavers, and of these the rule for a lone taker
BEAVERS: Final = 0.7
LONE_TAKERS: Final = 0.4
TAKES: Final = 0.5
#: how often a decision about cubes is left to the clock
LAPSES: Final = 0.006
REPEATS: Final = 0.03
#: how often somebody takes part in the dice of a game, and forgets an element then
TAKES_PART: Final = 0.7
FORGETS: Final = 0.05


@dataclass(slots=True)
class Circler:
    """Opens a chouette or sits down at one, plays some games there, and stands up."""

    crowd: Crowd
    person: Person
    rng: random.Random
    opens: bool = True
    """Whether they open a table at once where none has room; others mostly wait for one."""
    part: Part | None = None
    part_of: tuple[str, int] = ("", 0)
    lapsing: int = -1
    forgotten: set[tuple[str, int]] = field(default_factory=set)

    async def run(self) -> None:
        """Go on until the crowd is stopped, then stand up."""
        await asyncio.sleep(self.rng.uniform(0, 5))
        while not self.crowd.stopped:
            table = await self._seated()
            if table:
                await self._play(table)
            await asyncio.sleep(self.rng.uniform(0.2, 1.5))

    async def _seated(self) -> str:
        """The id of a table at which this person sits now, or ""."""
        listed = await self._ask("chouettes/")
        rows = [row for row in listed.body.get("rows", []) if row["rate_cents"]]
        for row in rows:
            if row["is_mine"]:
                return str(row["id"])
        rows = [row for row in rows if row["people_count"] < ENOUGH]
        if not rows:
            opens = self.opens or self.rng.random() < OPENS
            return await self._open() if opens else ""
        fullest = max(rows, key=lambda row: row["people_count"])
        sat = await self._do(fullest["id"], {"do": "sit"})
        return str(fullest["id"]) if sat.status == 200 else ""

    async def _open(self) -> str:
        cubes = "one" if self.rng.random() < ONE_CUBE else "each"
        beavers = cubes == "each" and self.rng.random() < BEAVERS
        lone_taker = "beavers" if beavers and self.rng.random() < LONE_TAKERS else "free"
        wish = {
            "rate_cents": self.rng.choice([10, 25, 50]),
            "limit_points": self.rng.choice([4, 8]),
            "jacoby": self.rng.random() < 0.5,
            "beavers": beavers,
            "cubes": cubes,
            "lone_taker": lone_taker,
        }
        opened = await self._ask("chouettes/open/", wish)
        self._count("opened" if opened.status == 201 else f"refused {opened.body.get('code')}")
        return str(opened.body.get("id", "")) if opened.status == 201 else ""

    async def _play(self, table: str) -> None:
        """Do what is due at this table, until this person does not sit there any more."""
        waits_since, game = time.monotonic(), 0
        while True:
            view = (await self._ask(f"chouettes/{table}/")).body
            if not self._sits(view):
                return
            if view["game"] > game:
                waits_since, game = time.monotonic(), view["game"]
            if self._goes(view, time.monotonic() - waits_since):
                await self._do(table, {"do": "stand_up"})
            elif command := self._wish(view):
                await self._give(table, command)
            else:
                await asyncio.sleep(LOOKS_SECONDS)

    def _sits(self, view: Json) -> bool:
        people = view.get("people", [])
        return not view.get("closed") and self.person.id in [each["id"] for each in people]

    def _goes(self, view: Json, waited_s: float) -> bool:
        """Whether to stand up now: at the end, where nobody comes, or just so."""
        between = view["phase"] == "between_games"
        lonely = between and len(view["people"]) < LEAST and waited_s > WAITS_SECONDS
        goes = self.rng.random() < (GOES_BETWEEN if between else GOES)
        if self.crowd.stopped or (lonely and not self.opens) or goes:
            self._count("stood up between games" if between else "stood up in a game")
            return True
        return False

    # --- deciding --------------------------------------------------------------------------------

    def _wish(self, view: Json) -> Json | None:
        """The next command, or None while this person has nothing to do."""
        if part := self._dice(view):
            return part
        actions, rng = view["actions"], self.rng
        if "start" in actions:
            return {"do": "start"} if rng.random() < STARTS else None
        if view["phase"] in ROLLS and view["deadline_ms"] and view["now_ms"] > view["deadline_ms"]:
            return {"do": "wake"}
        if self.person.id not in view["waits_for"] or self.lapsing == view["turn"]:
            return None
        if rng.random() < LEAVES_AFTER:
            return {"do": "leave_after", "on": rng.random() < 0.7}
        if rng.random() < STANDS_UP:
            self._count("stood up when they were to decide")
            return {"do": "stand_up"}
        if "play" not in actions and rng.random() < LAPSES:
            self.lapsing = view["turn"]
            self._count("decisions left to the clock")
            return None
        return decision(view, rng)

    def _dice(self, view: Json) -> Json | None:
        """This person's part in the dice, if it is wanted now."""
        fair, seat = view["fair"], view["dice_seat"]
        if fair is None or seat is None:
            return None
        if self.part_of != (fair["game"], seat):
            self.part_of = (fair["game"], seat)
            self.part = Part(seat) if self.rng.random() < TAKES_PART else None
        if self.part is None or (fair["game"], fair["next"]) in self.forgotten:
            return None
        rolling = view["phase"] in ROLLS
        shown = {"fair": fair, "phase": "rolling" if rolling else view["phase"]}
        for frame in self.part.frames(shown):
            if frame["type"] == "dice_tip":
                return {"do": "tip", "game": frame["game"], "tip": frame["value"]}
            if self.rng.random() < FORGETS:
                self.forgotten.add((fair["game"], fair["next"]))
                return None
            return {
                "do": "element",
                "game": frame["game"],
                "n": frame["n"],
                "element": frame["element"],
            }
        return None

    async def _give(self, table: str, command: Json) -> None:
        """Give a command, and at times the same decision once more, which must be refused."""
        answer = await self._do(table, command)
        if answer.status != 200 or "turn" not in command or self.rng.random() >= REPEATS:
            return
        self._count("decisions repeated")
        if (await self._do(table, command)).status == 200:
            journal = self.crowd.world.journal
            journal.violated("I8", f"chouette {table}: a decision was taken twice: {command}")

    async def _do(self, table: str, command: Json) -> Answer:
        answer = await self._ask(f"chouettes/{table}/do/", command)
        if answer.status == 200:
            self._count(command["do"])
        else:
            self._count(f"refused {answer.body.get('code', answer.status)}")
        return answer

    async def _ask(self, address: str, body: Json | None = None) -> Answer:
        return await self.crowd.ask(self.person, address, body)

    def _count(self, what: str) -> None:
        self.crowd.world.journal.counts[f"chouettes {what}"] += 1


def decision(view: Json, rng: random.Random) -> Json | None:
    """Any legal decision that this view asks of its reader; None where it asks none."""
    actions, turn = view["actions"], view["turn"]
    one_cube = view["terms"]["cubes"] == "one"
    if "decide" in actions:
        return {"do": "decide", "turn": turn, "doubles": rng.random() < DOUBLES}
    if "box_answers" in actions:
        offers = actions["box_answers"]
        answers = {str(each["player"]): _answer(each, rng) for each in offers}
        if one_cube:
            answers = dict.fromkeys(answers, _answer(offers[0], rng))
        return {"do": "box_answers", "turn": turn, "answers": answers}
    if "beaver_answer" in actions:
        return {"do": "beaver_answer", "turn": turn, "accepts": rng.random() < ACCEPTS}
    if "box_doubles" in actions:
        able = [each["player"] for each in actions["box_doubles"]]
        chosen = [each for each in able if rng.random() < DOUBLES]
        if one_cube and chosen:
            chosen = able
        return {"do": "box_doubles", "turn": turn, "players": chosen}
    if "answer" in actions:
        return {"do": "answer", "turn": turn, "answer": _answer(actions["answer"], rng)}
    if "box_beaver_answers" in actions:
        beavers = [str(each["player"]) for each in actions["box_beaver_answers"]]
        accepts = {each: rng.random() < ACCEPTS for each in beavers}
        return {"do": "box_beaver_answers", "turn": turn, "accepts": accepts}
    if "play" in actions and view["graph"] is not None:
        return {"do": "play", "turn": turn, "moves": walk(view["graph"], rng)}
    return None


def _answer(offer: Json, rng: random.Random) -> str:
    if not offer.get("may_take", True):
        return rng.choice(["beaver", "drop"])
    if offer["may_beaver"] and rng.random() < 0.1:
        return "beaver"
    return "take" if rng.random() < TAKES else "drop"
