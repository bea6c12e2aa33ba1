"""How the bench evaluates its figures: percentiles, and the sentences at the end."""

from random import Random

import pytest

from bench.live import report
from bench.live.load import slowest, spread_ms
from bench.live.players import Tally, read_graph, walk

GRAPH = b"[[[24,18,6,1],[24,21,3,2]],[[18,15,3,3]],[[21,15,6,3]],[]]"


def test_percentiles_are_of_the_sorted_times():
    assert spread_ms([each / 1000 for each in range(100, 0, -1)]) == pytest.approx(
        {"p50": 51, "p95": 96, "p99": 100}
    )
    assert spread_ms([]) == {}


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
