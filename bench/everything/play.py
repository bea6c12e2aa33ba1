"""One case: open a table, sit down, play to the end, and compare everything."""

import asyncio
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import msgspec
import psycopg

from bench.everything.cases import ALONE, BOT, Case
from bench.everything.checks import (
    credits_differ,
    ended,
    files_differ,
    pages_differ,
    ratings_differ,
    seen_differs,
    shown_differs,
    stored_differs,
    terms_of,
)
from bench.everything.rows import MatchRows, matches_at, wallets_cents
from games.modes.registry import by_key
from harness.player import Plan, Player, PlayerStuck
from harness.visitor import Visitor

Json = dict[str, Any]

CASE_SECONDS: Final = 400.0
THROTTLED_SECONDS: Final = 2.0
ASKS_MAX: Final = 60
LEAVES: Final = 0.12


class Refused(Exception):
    """The house does not open the table that a case asks for."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player with a login and a browser of their own."""

    name: str
    id: int
    session: str
    visitor: Visitor


@dataclass(slots=True)
class Outcome:
    """The outcome of a case."""

    case: Case
    differences: list[str] = field(default_factory=list)
    games: int = 0
    commands: int = 0
    events: int = 0
    endings: list[str] = field(default_factory=list)
    rake_cents: int = 0
    seconds: float = 0.0
    table: str = ""


async def play(case: Case, pair: tuple[Person, Person], address: str, database: str) -> Outcome:
    """Play a case with these two and compare."""
    outcome, began = Outcome(case), time.monotonic()
    try:
        async with asyncio.timeout(CASE_SECONDS):
            await _play(case, pair, address, database, outcome)
    except TimeoutError:
        outcome.differences.append(f"the match has not ended within {CASE_SECONDS:.0f} s")
    except (PlayerStuck, Refused) as error:
        outcome.differences.append(str(error))
    outcome.seconds = time.monotonic() - began
    return outcome


async def _play(
    case: Case, pair: tuple[Person, Person], address: str, database: str, outcome: Outcome
) -> None:
    rng = Random(f"{case.text}:{outcome.case.way}")
    before = await asyncio.to_thread(_wallets, database, pair)
    outcome.table = await asyncio.to_thread(_sit, case, pair)
    plan = _plan(case, rng)
    seated = pair[:1] if case.strength else pair
    players = [
        Player(
            address, each.session, outcome.table, plan, Random(rng.random()), case.strength == ALONE
        )
        for each in seated
    ]
    await asyncio.gather(*(player.play() for player in players))
    outcome.commands = sum(player.commands for player in players)
    for player in players:
        outcome.differences += [f"refused: {text}" for text in player.refused]
    await asyncio.to_thread(_compare, case, pair, players, before, database, outcome)


def _plan(case: Case, rng: Random) -> Plan:
    if not case.strength and rng.random() < LEAVES:
        return Plan("leave", rng.randrange(2), rng.randint(2, 20))
    if case.terms.contest == "session":
        return Plan("stop", rng.randrange(2), rng.randint(1, 4))
    return Plan()


def _wallets(database: str, pair: tuple[Person, Person]) -> list[int]:
    with psycopg.connect(database) as db:
        return wallets_cents(db, [person.id for person in pair])


# --- sitting down ---------------------------------------------------------------------------------


def _sit(case: Case, pair: tuple[Person, Person]) -> str:
    """The table at which both sit. Raises `Refused`."""
    opener, guest = pair
    if case.strength:
        form = {name: str(value) for name, value in case.wishes.items() if name != "mode"}
        form["strength"] = BOT if case.strength != ALONE else ALONE
        answer = opener.visitor.post("/play/practice/", form)
        parts = answer.headers.get("Location", "").strip("/").split("/")
        if len(parts) != 2 or parts[0] != "table":
            raise Refused(f"practice is refused: {answer.status_code} {parts}")
        return parts[1]
    table = _asked(opener, "/api/v1/tables/open/", _asked_by_rest(case))["id"]
    _asked(guest, f"/api/v1/tables/{table}/join/", {})
    return str(table)


def _asked_by_rest(case: Case) -> Json:
    """The wishes as the REST interface has them: there a base stake is `rate_cents`."""
    if "base" not in by_key(case.wishes["mode"]).asks:
        return case.wishes
    return {
        "rate_cents" if name == "stake_cents" else name: wish for name, wish in case.wishes.items()
    }


def _asked(person: Person, path: str, body: Json) -> Json:
    for _ in range(ASKS_MAX):
        answer = person.visitor.rest("POST", path, body)
        if answer.status_code in (200, 201):
            return dict(answer.json())
        if answer.status_code != 429 and answer.json().get("code") != "busy":
            raise Refused(f"{path} answers {answer.status_code}: {answer.text[:300]}")
        # there is nothing to wait for but the time that the house names
        time.sleep(float(answer.headers.get("Retry-After", THROTTLED_SECONDS)))
    raise Refused(f"{path} is throttled")


# --- comparing ------------------------------------------------------------------------------------


def _compare(
    case: Case,
    pair: tuple[Person, Person],
    players: list[Player],
    before: list[int],
    database: str,
    outcome: Outcome,
) -> None:
    with psycopg.connect(database) as db:
        matches = matches_at(db, outcome.table)
        after = wallets_cents(db, [person.id for person in pair])
    if len(matches) != 1:
        outcome.differences.append(f"{len(matches)} matches were played instead of one")
        return
    match = matches[0]
    names = (pair[0].name, pair[1].name) if not case.strength else _names(players[0])
    moved = [now - was for now, was in zip(after, before, strict=True)]
    found = outcome.differences
    found += _terms_differ(case, match)
    found += stored_differs(match)
    found += credits_differ(match, moved)
    found += ratings_differ(match)
    for player in players:
        found += seen_differs(match, player.heard, player.view)
        found += shown_differs(match, player.at_stake)
    found += files_differ(match, names, pair[0].visitor)
    found += pages_differ(match, pair[0].visitor)
    _count(match, outcome)


def _names(player: Player) -> tuple[str, str]:
    one, two = (seat["name"] for seat in player.view["players"])
    return one, two


def _terms_differ(case: Case, match: MatchRows) -> list[str]:
    terms = terms_of(match)
    return [
        f"the terms have {name} {getattr(terms, name)!r} instead of {getattr(case.terms, name)!r}"
        for name in msgspec.structs.asdict(terms)
        if getattr(terms, name) != getattr(case.terms, name)
    ]


def _count(match: MatchRows, outcome: Outcome) -> None:
    outcome.events = len(match.events)
    outcome.games = sum(payload["type"] == "game_started" for _, payload in match.events)
    outcome.endings.append(ended(match).get("ending", "voided"))
    outcome.rake_cents = match.rake_cents or 0
