"""One stage after the other: furnish, serve, let the generator play, read the costs."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any, Final

import msgspec
import psycopg

from bench.live.house import cpu_seconds, memory_bytes, serving
from bench.live.load import Plan
from games.table.evolve import replay
from games.table.state import TableState
from games.wire import event_from_payload
from harness.house import ROOT, WholeHouse

REPLAYED: Final = 40

#: a fault, and a query whose rows show it; `%(tables)s` are those of the stage.
QUESTIONS: Final = {
    "events of a table do not count 1, 2, 3 … to its number": """
        SELECT t.id FROM games_table t LEFT JOIN (
            SELECT table_id, count(*) AS events, min(seq) AS first, max(seq) AS last
            FROM games_tableevent WHERE table_id = ANY(%(tables)s::uuid[]) GROUP BY table_id
        ) e ON e.table_id = t.id WHERE t.id = ANY(%(tables)s::uuid[])
        AND (e.events, e.first, e.last) IS DISTINCT FROM (t.seq, 1::bigint, t.seq)""",
    "a command is stored twice": """
        SELECT table_id, command_id FROM games_commandrecord
        WHERE table_id = ANY(%(tables)s::uuid[]) GROUP BY 1, 2 HAVING count(*) > 1""",
    "a roll was made without a player's part": """
        SELECT g.table_id, r.n FROM games_diceroll r JOIN games_gamedice g ON g.id = r.game_id
        WHERE g.table_id = ANY(%(tables)s::uuid[]) AND r.flags & 3 <> 0""",
    "a table that is played has no deadline": """
        SELECT t.id FROM games_table t LEFT JOIN games_deadline d ON d.table_id = t.id
        WHERE t.id = ANY(%(tables)s::uuid[]) AND d.table_id IS NULL
        AND t.phase NOT IN ('over', 'closed')""",
}


def wrong(address: str, tables: list[str], told: dict[str, Any]) -> list[str]:
    """The faults of these tables, in words; `told` is the generator's result."""
    found = [f"{count} x {what}" for what, count in told["troubles"].items()]
    if told["unanswered"]:
        found.append(f"{told['unanswered']} commands were never answered")
    with psycopg.connect(address) as db:
        db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        for what, query in QUESTIONS.items():
            rows = db.execute(query, {"tables": tables}).fetchmany(3)
            found += [f"{what}: {row}" for row in rows]
        found += _commands(db, tables, told["accepted"])
        for table in tables[:: max(1, len(tables) // REPLAYED)]:
            found += _replayed(db, table)
    return found


def _commands(db: psycopg.Connection, tables: list[str], accepted: int) -> list[str]:
    row = db.execute(
        "SELECT count(*) FROM games_commandrecord"
        " WHERE table_id = ANY(%s::uuid[]) AND refusal IS NULL",
        [tables],
    ).fetchone()
    stored = row[0] if row else 0
    return [] if stored == accepted else [f"{accepted} commands accepted, {stored} stored"]


def _replayed(db: psycopg.Connection, table: str) -> list[str]:
    """Whether a table's stored events lead to its stored state."""
    rows = db.execute(
        "SELECT payload FROM games_tableevent WHERE table_id = %s ORDER BY seq", [table]
    ).fetchall()
    stored = db.execute("SELECT state FROM games_table WHERE id = %s", [table]).fetchone()
    state = replay(event_from_payload(payload) for (payload,) in rows)
    same = stored is not None and msgspec.convert(stored[0], TableState) == state
    return [] if same else [f"table {table} is stored otherwise than its events say"]


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


def window_while(
    house: WholeHouse, ports: list[int], made: list[Json], think_s: float, work: Callable[[], None]
) -> Json:
    """The result of playing at these tables while the work is done; `answers` has each move's
    moment on the clock of `perf_counter` and its seconds."""
    plan = replace(_plan(ports, made, 0), think_s=think_s, is_open=True)
    with generator(house, plan) as process:
        _expect(process, "begin")
        work()
        assert process.stdin is not None
        process.stdin.write("end\n")
        process.stdin.flush()
        _expect(process, "end")
        told = _told(process)
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
