"""Play every variant in every mode through sockets and compare what it did.

    python -m bench.everything [--seed N] [--only WAY/GAME] [--short]

A house of its own is opened, with PostgreSQL, Valkey, a web server, worker and beat as processes.
For each mode and variant of the registries, and for random rules, two random players open a table
through the REST interface and play through WebSockets to the end. Then credits, ratings, the
stored events, what both received, the match's page and its files are compared. At the end the
audit must have no finding. The exit status is 1 after any difference.
"""

import argparse
import asyncio
import json
import shlex
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Final

from backgammon.rules.variants import KEYS
from bench.everything.cases import Case, cases
from bench.everything.play import Outcome, Person, play
from harness.house import WholeHouse
from harness.visitor import Visitor

TELL_SECONDS: Final = 5.0


def main() -> int:
    """Run it; 1 after any difference."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1, help="which rules, dice excepted, are drawn")
    parser.add_argument("--only", default="", help="the cases of this way, or of WAY/GAME")
    parser.add_argument("--short", action="store_true", help="each way and each game once")
    parser.add_argument("--tables", type=int, default=8, help="how many are played at a time")
    asked = parser.parse_args()
    way, _, game = asked.only.partition("/")
    chosen = [
        case
        for case in cases(asked.seed, short=asked.short)
        if case.way.startswith(way) and case.game.startswith(game)
    ]
    if not chosen:
        parser.error(f"nothing is played as {asked.only!r}")
    began = time.monotonic()
    report_line(f"opening a house for {len(chosen)} matches")
    house = WholeHouse(hurried=True, parts=("web0", "worker", "beat"))
    try:
        house.open_servers()
        people = house.made("bench.soak.furnish", str(2 * asked.tables))["players"]
        house.open()
        outcomes = asyncio.run(_all(chosen, house, _pairs(house, people)))
        found = _whole(house)
    finally:
        house.close()
    print(table(outcomes))
    print(differences(outcomes, asked.seed))
    for line in found:
        print(line)
    wrong = sum(len(outcome.differences) for outcome in outcomes) + len(found)
    print(figures(outcomes, time.monotonic() - began))
    print(f"{wrong} differences; the audit has {len(found)} findings")
    return 1 if wrong else 0


def report_line(text: str) -> None:
    """A line of progress."""
    print(f"{time.strftime('%H:%M:%S')}  {text}", file=sys.stderr, flush=True)


def _pairs(house: WholeHouse, people: list[dict[str, object]]) -> list[tuple[Person, Person]]:
    base = f"http://{house.addresses()[0]}"
    made = [
        Person(
            str(p["name"]), int(str(p["id"])), str(p["session"]), Visitor(base, str(p["session"]))
        )
        for p in people
    ]
    return list(zip(made[::2], made[1::2], strict=True))


async def _all(
    chosen: list[Case], house: WholeHouse, pairs: list[tuple[Person, Person]]
) -> list[Outcome]:
    """Play all cases, a pair of players at a table each."""
    waiting, outcomes = iter(chosen), []
    began = time.monotonic()

    async def seat(pair: tuple[Person, Person], waiting: Iterator[Case]) -> None:
        for case in waiting:
            outcome = await play(case, pair, house.addresses()[0], house.home.database_url())
            outcomes.append(outcome)
            for text in outcome.differences:
                report_line(f"{case.way}/{case.game}: {text}")

    async def progress() -> None:
        while True:
            await asyncio.sleep(TELL_SECONDS)
            games = sum(outcome.games for outcome in outcomes)
            report_line(
                f"{time.monotonic() - began:5.0f} s  {len(outcomes):>4} of {len(chosen)} matches"
                f"  {games:>5} games  {sum(bool(o.differences) for o in outcomes):>3} differ"
            )

    telling = asyncio.create_task(progress())
    try:
        await asyncio.gather(*(seat(pair, waiting) for pair in pairs))
    finally:
        telling.cancel()
    order = {id(case): number for number, case in enumerate(chosen)}
    return sorted(outcomes, key=lambda outcome: order[id(outcome.case)])


def _whole(house: WholeHouse) -> list[str]:
    """The findings of the audit and of the replay of all ratings."""
    report_line("audit")
    audit = house.manage("audit", "--json")
    found = []
    try:
        for check in json.loads(audit.stdout)["checks"]:
            found += [
                f"audit {check['code']}: {each['row']}: {each['message']}"
                for each in check["findings"]
            ]
    except ValueError:
        found.append(f"the audit broke: {audit.stderr[-500:]}")
    ratings = house.manage("ratings_replay", "--check", "--json")
    if ratings.returncode:
        found.append(f"ratings_replay: {ratings.stdout[-500:]}{ratings.stderr[-200:]}")
    return found


# --- the report -----------------------------------------------------------------------------------
def table(outcomes: list[Outcome]) -> str:
    """Variants by ways: how many matches were played, or how many of them differ."""
    ways = list(dict.fromkeys(outcome.case.way for outcome in outcomes))
    games = sorted({o.case.game for o in outcomes}, key=lambda g: (g not in KEYS, _place(g), g))
    rows = [["", *ways]]
    for game in games:
        cells = [game]
        for way in ways:
            here = [o for o in outcomes if (o.case.way, o.case.game) == (way, game)]
            cells.append(_cell(here))
        rows.append(cells)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def _place(game: str) -> int:
    return KEYS.index(game) if game in KEYS else len(KEYS)


def _cell(outcomes: list[Outcome]) -> str:
    if not outcomes:
        return "-"
    wrong = sum(bool(outcome.differences) for outcome in outcomes)
    if wrong:
        return f"{wrong} of {len(outcomes)} differ"
    return f"ok {len(outcomes)} ({sum(outcome.games for outcome in outcomes)} g)"


def figures(outcomes: list[Outcome], seconds: float) -> str:
    """One paragraph: matches, games, events, commands, endings, rake, time."""
    endings = Counter(ending for outcome in outcomes for ending in outcome.endings)
    games = sum(outcome.games for outcome in outcomes)
    counted = ", ".join(f"{ending} {count}" for ending, count in sorted(endings.items()))
    return (
        f"{len(outcomes)} matches, {games} games, {sum(o.events for o in outcomes)} events,"
        f" {sum(o.commands for o in outcomes)} commands in {seconds:.0f} s;"
        f" rake {sum(o.rake_cents for o in outcomes) / 100:.2f}; endings: {counted}"
    )


def differences(outcomes: list[Outcome], seed: int) -> str:
    """Every difference, with the line that plays its case again."""
    lines = []
    for outcome in outcomes:
        if outcome.differences:
            only = shlex.quote(f"{outcome.case.way}/{outcome.case.game}")
            lines.append(f"{outcome.case.text}, table {outcome.table}")
            lines += [f"    {text}" for text in outcome.differences]
            lines.append(f"    python -m bench.everything --seed {seed} --only {only}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
