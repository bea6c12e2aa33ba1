"""`python -m bench.intruder [--roles administrator,bot]`: a row a role; exits 1 on a fault."""

import argparse
import json
import sys
import time
from dataclasses import dataclass, field
from typing import Any, Final

import psycopg

from bench.intruder.oracle import faults, gain_cents, snapshot
from bench.intruder.tries import World, counted, everything
from harness.house import WholeHouse
from harness.visitor import Visitor

ROLES: Final = ("administrator", "moderator", "treasurer", "player", "bot", "outsider")

#: the amount this role may move alone in 24 hours, by the default settings of a house.
ALONE_CENTS: Final = {"administrator": 2_000, "moderator": 2_000, "treasurer": 2_000}
TRIES_MIN: Final = 100


@dataclass(slots=True)
class Outcome:
    """The result of one role's tries."""

    role: str
    made: list[tuple[str, int]]
    gain_cents: int
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0


def main() -> int:
    """Open the house, try everything as each role, print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m bench.intruder", description=__doc__)
    parser.add_argument("--roles", default=",".join(ROLES), help="which roles, with commas")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    house = WholeHouse(parts=("web0",))
    try:
        house.open_servers()
        house.open()
        outcomes = [tried(house, role, asked.seed) for role in asked.roles.split(",")]
        audit = house.manage("audit", "--json")
    finally:
        house.close()
    return report(outcomes, audit.stdout)


def tried(house: WholeHouse, role: str, seed: int) -> Outcome:
    """Furnish the house for a role and try everything with it."""
    told: dict[str, Any] = house.made("bench.intruder.furnish", role)
    base = f"http://127.0.0.1:{house.ports['web0']}"
    people = told["people"]
    visitors = [
        Visitor(base, people[who]["session"], token, people[who]["name"], seed)
        for who, token in (("villain", told["token"]), ("accomplice", ""))
    ]
    world = World(told, *visitors)
    address = house.home.database_url()
    with psycopg.connect(address) as db:
        before, began = snapshot(db), time.monotonic()
    everything(world)
    circle = {people["villain"]["id"], people["accomplice"]["id"]}
    with psycopg.connect(address) as db:
        found = faults(db, before, circle=circle, allowed_gain_cents=ALONE_CENTS.get(role, 0))
        gain = gain_cents(db, before, circle)
    found += [f"broken: {name} answered {status}" for name, status in world.made if status >= 500]
    if len(world.made) < TRIES_MIN:
        found.append(f"only {len(world.made)} tries")
    return Outcome(role, world.made, gain, found, time.monotonic() - began)


def report(outcomes: list[Outcome], audit: str) -> int:
    """Print a row a role, every fault, and the audit's result; 1 if anything is wrong."""
    row = "{:<15}{:>7}{:>9}{:>11}{:>9}{:>9}{:>8}{:>7}"
    print(row.format("role", "tries", "answered", "redirected", "refused", "gain", "faults", "s"))
    for one in outcomes:
        kinds = dict(counted(one.made))
        shown = (kinds["answered"], kinds["redirected"], kinds["refused"], one.gain_cents / 100)
        print(row.format(one.role, len(one.made), *shown, len(one.faults), round(one.seconds)))
    for one in outcomes:
        for fault in one.faults:
            print(f"{one.role}: {fault}")
    checked = json.loads(audit)
    for check in checked["checks"]:
        for finding in check["findings"]:
            print(f"audit {check['code']}: {finding['row']}: {finding['message']}")
    found = sum(len(one.faults) for one in outcomes) + checked["finding_count"]
    tries = sum(len(one.made) for one in outcomes)
    print(f"{tries} tries, {found} faults; the audit has {checked['finding_count']} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
