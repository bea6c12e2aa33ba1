"""One stage after the other: furnish, serve, let the generator play, read the costs."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any, Final

from bench.live.checks import wrong
from bench.live.house import cpu_seconds, memory_bytes, serving
from bench.live.load import Plan
from harness.house import ROOT, WholeHouse

WARM_SECONDS: Final = 2.0
IDLE_SECONDS: Final = 10.0  # presence is renewed once in this time
SOCKETS_A_TABLE: Final = 10

Json = dict[str, Any]
Generator = subprocess.Popen[str]


def furnish(house: WholeHouse, tables: int, mode: str) -> list[Json]:
    """So many seated tables with the logins of their players."""
    made: list[Json] = house.made("bench.live.furnish", str(tables), mode)
    return made


def live(
    house: WholeHouse, processes: int, tables: int, seconds: float, mode: str, think_s: float = 0.0
) -> Json:
    """Real tables, both players connected and playing."""
    made = furnish(house, tables, mode)
    with serving(house, processes) as ports:
        told = window(house, ports, made, seconds, think_s)
    way = f"tables, {think_s:g} s of thought" if think_s else "tables"
    return {"way": way, "mode": mode, "tables": tables, "processes": processes, **told}


def window(
    house: WholeHouse, ports: list[int], made: list[Json], seconds: float, think_s: float = 0.0
) -> Json:
    """The result of playing at these tables, with the faults of their rows."""
    told = played(house, replace(_plan(ports, made, seconds), think_s=think_s))
    told["wrong"] = _wrong(house, made, told)
    return told


def _plan(ports: list[int], made: list[Json], seconds: float) -> Plan:
    """Every table has had two answers before the window begins, and one or more within it."""
    count = len(made)
    return Plan(ports, made, seconds, WARM_SECONDS, warm_least=2 * count, least=count)


def idle(house: WholeHouse, sockets: int) -> Json:
    """The cost of sockets that only listen: ten at each table, two players and eight watchers."""
    count = max(1, sockets // SOCKETS_A_TABLE)
    made = furnish(house, count, "normal")
    for each in made:
        each["sessions"] += [""] * (SOCKETS_A_TABLE - len(each["sessions"]))
    with serving(house, 1) as ports:
        plan = Plan(ports, made, IDLE_SECONDS, WARM_SECONDS, kind="idle")
        told = _idled(house, plan)
    return {"way": "idle", "tables": count, "processes": 1, **told}


def _idled(house: WholeHouse, plan: Plan) -> Json:
    with generator(house, plan) as process:
        _expect(process, "warm")
        warm, warm_valkey = memory_bytes(house), memory_bytes(house, "valkey")
        _expect(process, "begin")
        before = cpu_seconds(house, process)
        _expect(process, "end")
        after = cpu_seconds(house, process)
        full, full_valkey = memory_bytes(house), memory_bytes(house, "valkey")
        told = _told(process)
    more = 1024 * (told["sockets"] - told["warm_sockets"])
    told["cpu_s"] = {part: after[part] - before[part] for part in after}
    told |= {"seconds": plan.seconds, "kb": (full - warm) / more}
    return {**told, "valkey_kb": (full_valkey - warm_valkey) / more, "rss_mb": full / 2**20}


def played(house: WholeHouse, plan: Plan) -> Json:
    """Let the generator carry out a plan; its result, with what everybody spent meanwhile."""
    with generator(house, plan) as process:
        _expect(process, "begin")
        before = cpu_seconds(house, process)
        _expect(process, "end")
        after = cpu_seconds(house, process)
        told = _told(process)
    told["cpu_s"] = {part: after[part] - before[part] for part in after}
    return told


@contextmanager
def generator(house: WholeHouse, plan: Plan) -> Iterator[Generator]:
    """The load generator's process, of this version whatever the house is, with its plan."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.live.load"],
        cwd=ROOT,
        env={**house.environment, "PYTHONPATH": os.pathsep.join([str(ROOT), f"{ROOT}/platform"])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    try:
        process.stdin.write(json.dumps(asdict(plan)) + "\n")
        process.stdin.flush()
        yield process
    finally:
        process.kill()
        process.wait()


def _wrong(house: WholeHouse, made: list[Json], told: Json) -> list[str]:
    return wrong(house.home.database_url(), [each["table"] for each in made], told)


def _told(process: Generator) -> Json:
    assert process.stdout is not None
    told: Json = json.loads(process.stdout.readline())
    return told


def _expect(process: Generator, word: str) -> None:
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    if line != word:
        raise RuntimeError(f"the load generator said {line!r} instead of {word!r}")
