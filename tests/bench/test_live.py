"""The load generator plays real games on real sockets, and its checks find faults."""

import json
import subprocess
import sys
from dataclasses import asdict

import pytest
from django.db import connection
from psycopg.conninfo import make_conninfo

from backgammon.tests.amounts import LONG
from bench.live.checks import wrong
from bench.live.furnish import furnished
from bench.live.load import Plan
from games.live import delivery
from games.models import Deadline, DiceRoll, Match, Table
from harness.launch import frames_unlimited
from harness.waiting import PROGRAM_SECONDS
from pasch.web.budgets import Budget
from tests.architecture.sources import ROOT


def generated(plan: Plan) -> dict:
    """The report of the generator about this plan."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.live.load"],
        input=json.dumps(asdict(plan)) + "\n",
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        timeout=PROGRAM_SECONDS,
        check=True,
    )
    *said, told = done.stdout.splitlines()
    assert said[-2:] == ["begin", "end"]
    return json.loads(told)


def address() -> str:
    """The address of the tests' database, for a separate connection."""
    asked = connection.get_connection_params()
    return make_conninfo(**{name: asked[name] for name in ("dbname", "user", "host")})


@pytest.fixture
def port(live, monkeypatch) -> int:
    """The port of the site, which has no limit of frames here."""
    monkeypatch.setattr(delivery.FrameBucket, "take", delivery.FrameBucket.take)
    for name in ("read", "frame"):
        monkeypatch.setattr(Budget, name, getattr(Budget, name))
    frames_unlimited()
    return int(live.rpartition(":")[2])


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["normal", "prize5"] if LONG else ["prize5"])
def test_tables_are_played_and_everything_is_stored(port, mode):
    made = furnished(3, mode)
    told = generated(Plan([port, port], made, seconds=0.1, warm_seconds=0, least=60))
    tables = [each["table"] for each in made]
    assert wrong(address(), tables, told) == []
    assert told["accepted"] >= sum(told["commands"].values()) >= 50
    assert {"roll", "play"} <= set(told["commands"])
    assert set(told["answer_ms"]) == set(told["heard_ms"]) == {"p50", "p95", "p99"}
    assert Match.objects.filter(mode=mode).count() >= 3
    assert DiceRoll.objects.exists()


@pytest.mark.slow
def test_what_is_wrong_is_found(port):
    made = furnished(2, "normal")
    told = generated(Plan([port], made, seconds=0.1, warm_seconds=0, least=10))
    tables = [each["table"] for each in made]
    assert wrong(address(), tables, told) == []

    lost = {**told, "accepted": told["accepted"] + 1, "unanswered": 1}
    found = wrong(address(), tables, {**lost, "troubles": {"rejected stale": 2}})
    assert len(found) == 3
    assert "2 x rejected stale" in found

    Deadline.objects.filter(table=tables[0]).delete()
    table = Table.objects.get(pk=tables[1])
    turned = {**table.state, "seats": table.state["seats"][::-1]}
    Table.objects.filter(pk=tables[1]).update(seq=table.seq + 1, state=turned)
    found = "\n".join(wrong(address(), tables, told))
    assert "no deadline" in found
    assert "do not count" in found
    assert f"{tables[1]} is stored otherwise" in found
    assert f"{tables[0]} is stored otherwise" not in found


def test_listeners_only_listen(port):
    made = furnished(1)
    made[0]["sessions"] += [""] * 3
    told = generated(Plan([port], made, seconds=0.1, warm_seconds=0.1, kind="idle"))
    assert (told["sockets"], told["lost"]) == (5, 0)


@pytest.mark.slow
def test_fewer_idle_sockets_than_warm_up_are_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.live", "--idle", "50"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "--idle: the first 200 warm up" in done.stderr
