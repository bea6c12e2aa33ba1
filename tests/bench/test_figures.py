"""How the bench evaluates its figures: percentiles, layers, and the sentences at the end."""

import os
from pathlib import Path
from random import Random

import pytest

from bench.live import against, instructions, layers, report
from bench.live.load import slowest, spread_ms
from bench.live.players import Tally, read_graph, walk
from tests.architecture.sources import ROOT

GRAPH = b"[[[24,18,6,1],[24,21,3,2]],[[18,15,3,3]],[[21,15,6,3]],[]]"

STACKS = [
    "run (a.py:1);command (games/services/tables.py:3);decide (games/table/machine.py:9) 4",
    "run (uvicorn/main.py:1);view (games/selectors.py:3);table_view (games/table/view.py:9) 2",
    "run (uvicorn/main.py:1);save (django/db/models/base.py:2);sub (python3.11/re/__init__.py:8) 1",
    "run (uvicorn/main.py:1);roll (backgammon/dice/rolls.py:2) 1",
    "run (uvicorn/main.py:1) 2",
    "worker (somewhere.py:1);wait (threading.py:300) 90",
    "run (uvicorn/main.py:1);run (lib/python3.11/asyncio/runners.py:118) 50",
]


def test_percentiles_are_of_the_sorted_times():
    assert spread_ms([each / 1000 for each in range(100, 0, -1)]) == pytest.approx(
        {"p50": 51, "p95": 96, "p99": 100}
    )
    assert spread_ms([]) == {}


def test_a_stack_belongs_to_the_innermost_layer_that_knows_it():
    assert layers.shares(STACKS) == pytest.approx(
        {"view and JSON": 0.2, "rules and machine": 0.4, "dice": 0.1, "database": 0.1,
         "delivery": 0.2, "rest": 0.0}
    )  # fmt: skip
    assert layers.innermost(STACKS)[0] == ("decide (games/table/machine.py)", 0.4)


def test_only_what_came_between_two_readings_counts():
    assert layers.since(["a;b 3", "c 1"], ["a;b 5", "c 1", "d 2"]) == ["a;b 2", "d 2"]


def test_the_layers_name_what_there_is():
    named = [each for known in layers.LAYERS.values() for each in known]
    ours = [each for each in named if each.startswith(("games/", "pasch/"))]
    found = {each for each in ours if list(ROOT.glob(f"{each}*")) or _in_platform(each)}
    assert found == set(ours)


def _in_platform(name: str) -> bool:
    return Path(ROOT / "platform" / name).exists()


@pytest.mark.parametrize("seed", range(20))
def test_a_walk_is_a_complete_play(seed):
    moves = walk(read_graph(GRAPH), Random(seed))
    assert [move[:2] for move in moves] in ([(24, 18), (18, 15)], [(24, 21), (21, 15)])


def test_the_report_says_whether_the_promises_hold():
    spread = {"p50": 10.0, "p95": 50.0, "p99": 90.0}
    tables = {"way": "tables", "tables": 200, "processes": 2, "per_second": 3000.0}
    tables |= {"answer_ms": spread, "heard_ms": spread, "seconds": 8.0, "wrong": []}
    tables["slowest"] = 1.25
    tables["cpu_s"] = {"web": 8.0, "postgres": 4.0, "valkey": 0.5, "generator": 2.0}
    plain = {"way": report.PLAIN, "tables": 200, "processes": 0, "per_second": 5000.0}
    rows = [{**plain, "answer_ms": spread}, tables]
    told = report.text(report.machine(), rows)
    assert "60% of pgbench's four statements at 200 (promised: 50 %)" in told
    assert "p99 90 ms at 200 tables (promised: 100)" in told
    assert "1.2 x the median table's middle wait at the slowest of 200 (promised: 3)" in told
    assert "| 200 | 2 | 333 | 167 | 21 | 83 | 25% of a core |" in told
    tables["wrong"] = ["3 commands accepted, 2 stored"]
    assert "WRONG at 200 tables: 3 commands" in report.text(report.machine(), rows)


def test_a_table_that_is_passed_over_is_the_slowest():
    tally = Tally(answered=[(at, 0.1, "roll", table) for table in "abc" for at in (0.5, 1.5, 2.5)])
    assert slowest(tally, 0, 3, {"a": [], "b": [], "c": []}) == pytest.approx(1)
    tally.answered.append((2.9, 9.0, "roll", "c"))  # one long wait does not change the median
    assert slowest(tally, 0, 3, {}) == pytest.approx(1)
    assert slowest(tally, 0, 3, {"d": [0.4]}) == pytest.approx(4)
    assert slowest(tally, 5, 6, {}) == 0


def row(version: str, web_s: float, **more: object) -> dict:
    return {
        "version": version, "tables": 200, "processes": 1, "per_second": 100.0, "seconds": 10.0,
        "cpu_s": {"web": web_s}, "answer_ms": {"p50": 10.0, "p99": 20.0}, "slowest": 1.5,
        "instructions": None, **more,
    }  # fmt: skip


def test_two_versions_are_compared_pair_by_pair():
    rows = [row("this", 0.1), row("old", 0.2), row("old", 0.4), row("this", 0.4)]
    told = against.text(rows)
    assert "| web µs a command | 250 | 300 | 0.75 | 0.50 1.00 |" in told
    assert "instructions" not in told, "nothing has counted them"
    counted = [{**each, "instructions": 5e6} for each in rows]
    assert "| web instructions a command | 5,000 | 5,000 | 1.00 |" in against.text(counted)


def test_a_counter_counts_what_its_process_does():
    counters = instructions.Counters([os.getpid()], instructions.TASK_CLOCK_NS)
    before = counters.read()
    while counters.read() == before:
        pass
    counters.close()


def test_where_nothing_counts_there_is_no_counter():
    with instructions.counted([2**22 + 1]) as counters:
        assert counters is None


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no repository, so no other revision")
def test_another_revision_is_checked_out_and_taken_away():
    with against.checkout("HEAD") as tree:
        assert (tree / "bench" / "live" / "__main__.py").exists()
        assert tree.is_relative_to(ROOT / "var")
    assert not tree.exists()
    with (
        pytest.raises(RuntimeError, match="no-such-revision"),
        against.checkout("no-such-revision"),
    ):
        pass
