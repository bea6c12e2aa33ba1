"""The speed of PostgreSQL: pgbench with statements and rows like ours, on the same server.

A command here is an event of 200 bytes and a state of 1 KB on a row with its version, in one
durable transaction. Each client has a table of its own, as a table of ours has at most one command.
"""

import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import psycopg

from bench.live.load import spread_ms
from harness.house import WholeHouse
from pasch.servers import embedded

CLIENTS: Final = (1, 10, 50, 200)
WARM_SECONDS: Final = 2

Json = dict[str, Any]

SCHEMA: Final = """
CREATE TABLE bench_table (
    id bigint PRIMARY KEY, version bigint NOT NULL, state jsonb NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE bench_event (
    table_id bigint NOT NULL REFERENCES bench_table, seq bigint NOT NULL, payload jsonb NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (table_id, seq)
);
CREATE FUNCTION bench_command(which bigint, told jsonb, leads_to jsonb) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE made bigint;
BEGIN
    SELECT version + 1 INTO made FROM bench_table WHERE id = which FOR UPDATE;
    INSERT INTO bench_event (table_id, seq, payload) VALUES (which, made, told);
    UPDATE bench_table SET version = made, state = leads_to WHERE id = which;
    RETURN made;
END $$;
"""

FOUR: Final = """
BEGIN;
SELECT version + 1 AS next FROM bench_table WHERE id = :client_id FOR UPDATE \\gset
INSERT INTO bench_event (table_id, seq, payload) VALUES (:client_id, :next, :payload);
UPDATE bench_table SET version = :next, state = :state WHERE id = :client_id;
COMMIT;
"""

ONE: Final = "SELECT bench_command(:client_id, :payload, :state);\n"

WAYS: Final = {"four statements": FOUR, "one function": ONE}


def prepare(house: WholeHouse) -> None:
    """A database of its own, so that nothing of ours is in the way."""
    with psycopg.connect(house.home.database_url(name="postgres"), autocommit=True) as db:
        db.execute("CREATE DATABASE bench")
    state = {"state": _filled(1024)}
    with psycopg.connect(house.home.database_url(name="bench")) as db:
        db.execute(SCHEMA)
        db.execute(
            "INSERT INTO bench_table SELECT n, 0, %(state)s FROM generate_series(0, 299) n", state
        )
    pgbench(house, next(iter(WAYS)), 4, WARM_SECONDS)


def pgbench(house: WholeHouse, way: str, clients: int, seconds: float) -> Json:
    """Commands per second and their latency, as pgbench logs each of them."""
    told = {"payload": _filled(200), "state": _filled(1024)}
    length = ("-T", str(max(1, int(seconds))))
    rate, took = pgbench_run(house, "bench", WAYS[way], clients, length, told)
    figures = {"per_second": rate, "answer_ms": spread_ms(took)}
    return {"way": f"pgbench, {way}", "tables": clients, "processes": 0, **figures}


def pgbench_run(
    house: WholeHouse,
    database: str,
    script: str,
    clients: int,
    length: tuple[str, str],
    told: Mapping[str, object],
) -> tuple[float, list[float]]:
    """Let pgbench run a script with variables; the rate a second, and how long each run took."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "script.sql").write_text(script)
        command = [embedded.postgres_program("pgbench"), "-n", "-M", "prepared", "-f", "script.sql"]
        command += ["-c", str(clients), "-j", str(min(clients, 2)), *length]
        command += ["-h", str(house.home.run), "-U", "postgres", "-l", "--log-prefix=log"]
        command += [part for name, value in told.items() for part in ("-D", f"{name}={value}")]
        command += [database]
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
        rate = next((line for line in done.stdout.splitlines() if line.startswith("tps = ")), None)
        if rate is None:
            raise SystemExit(f"pgbench finished nothing in {' '.join(length)}: let it run longer")
        took = [
            int(each.split()[2]) / 1e6
            for log in Path(folder).glob("log.*")
            for each in log.read_text().splitlines()
        ]
    return float(rate.split()[2]), took


def _filled(size: int) -> str:
    """A JSON object of so many bytes, of numbers and words as states have them."""
    told: Json = {"phase": "play", "points": []}
    while len(json.dumps(told)) < size:
        told["points"].append(len(told["points"]) % 7 - 3)
    return json.dumps(told)
