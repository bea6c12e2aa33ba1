"""One stage after the other: furnish, serve, let the generator play, ask what it cost."""

import json
import os
import subprocess
import sys
from dataclasses import asdict
from typing import Any

from bench.live.checks import wrong
from bench.live.house import LiveHouse, cpu_seconds, serving
from bench.live.load import Plan

WARM_SECONDS = 2.0

Json = dict[str, Any]


def furnish(house: LiveHouse, tables: int, mode: str) -> list[Json]:
    """So many seated tables with the logins of their players."""
    owner = {**house.environment, "DATABASE_URL": house.home.database_url()}
    made = house.run(["-m", "bench.live.furnish", str(tables), mode], owner)
    if made.returncode:
        raise RuntimeError(f"the house could not be furnished:\n{made.stderr[-2000:]}")
    found: list[Json] = json.loads(made.stdout)
    return found


def live(house: LiveHouse, processes: int, tables: int, seconds: float, mode: str) -> Json:
    """Real tables, both players connected and playing."""
    made = furnish(house, tables, mode)
    with serving(house, processes) as ports:
        plan = Plan(ports=ports, tables=made, seconds=seconds, warm_seconds=WARM_SECONDS)
        told = generated(house, plan)
    names = [each["table"] for each in made]
    told["wrong"] = wrong(house.home.database_url(), names, told)
    return {"way": "tables", "mode": mode, "tables": tables, "processes": processes, **told}


def bare(house: LiveHouse, application: str, tables: int, seconds: float) -> Json:
    """Sockets without a house behind them."""
    with serving(house, 1, f"bench.live.bare:{application}") as ports:
        named = [{"table": str(number)} for number in range(tables)]
        plan = Plan(ports, named, seconds, WARM_SECONDS / 2, bare=True)
        told = generated(house, plan)
    return {"way": application, "tables": tables, "processes": 1, **told}


def generated(house: LiveHouse, plan: Plan) -> Json:
    """Let the generator carry out a plan; its result, with what everybody spent meanwhile."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.live.load"],
        cwd=house.root,
        env={**house.environment, "PYTHONHASHSEED": "0", "PATH": os.environ.get("PATH", "")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(json.dumps(asdict(plan)) + "\n")
        process.stdin.flush()
        _expect(process, "begin")
        before = cpu_seconds(house, process)
        _expect(process, "end")
        after = cpu_seconds(house, process)
        told: Json = json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.wait()
    told["cpu_s"] = {part: after[part] - before[part] for part in after}
    return told


def _expect(process: subprocess.Popen[str], word: str) -> None:
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    if line != word:
        raise RuntimeError(f"the load generator said {line!r} instead of {word!r}")
