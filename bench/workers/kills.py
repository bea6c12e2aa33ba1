"""Workers that are killed while they analyse, and what must hold of the rows afterwards."""

import json
from random import Random
from time import monotonic, sleep
from typing import Any, Final

from bench.live.house import serving
from bench.workers.house import ANALYSES, WORKERS, WorkedHouse

#: a worker lives for twice this time on average: long enough to finish something now and then.
APART_SECONDS_MOST: Final = 3.0
MATCHES_AT_ONCE: Final = 12
FEW: Final = 4
PATIENCE_SECONDS: Final = 900.0

Json = dict[str, Any]


def killed(house: WorkedHouse, kills: int, seed: int) -> Json:
    """Kill workers so often while they analyse; what was seen, `faults` in words."""
    chance, in_hand, more = Random(seed), 0, min(MATCHES_AT_ONCE, kills)
    with serving(house, 1) as ports:
        house.matches_play(ports, more)
        for name in WORKERS:
            house.start(name)
        for _ in range(kills):
            sleep(chance.uniform(0.0, APART_SECONDS_MOST))
            name = chance.choice(WORKERS)
            in_hand += house.in_hand() > 0
            house.kill(name)
            house.start(name)
            if ANALYSES * house.ended() - house.done() < FEW:
                house.matches_play(ports, more)
    faults = _finished(house)
    for name in WORKERS:
        house.kill(name)
    checked = _checked(house)
    return {**checked, "kills": kills, "in_hand": in_hand, "faults": faults + checked["faults"]}


def _finished(house: WorkedHouse) -> list[str]:
    """Wait until everything is analysed; what is wrong if that does not happen."""
    end = monotonic() + PATIENCE_SECONDS
    while house.done() < ANALYSES * house.ended():
        if monotonic() > end:
            return [f"{house.done()} analyses of {house.ended()} matches after the last kill"]
        sleep(0.2)
    return []


def _checked(house: WorkedHouse) -> Json:
    """The faults of the rows, by a process that may use Django."""
    owner = {**house.environment, "DATABASE_URL": house.home.database_url()}
    ended = house.run(["-m", "bench.workers.checks"], owner)
    if ended.returncode:
        raise RuntimeError(f"the rows could not be checked:\n{ended.stderr[-2000:]}")
    checked: Json = json.loads(ended.stdout)
    return checked
