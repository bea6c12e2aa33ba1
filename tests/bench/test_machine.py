"""The bench of the pure code plays whole matches and reports the cost of each part of a command."""

from bench.instructions import Counter
from bench.machine import measure, show

PARTS = {"decide", "evolve", "dice", "view", "encoding"}


def test_each_run_makes_the_same_calls():
    first, second = measure("7", 1, 0), measure("7", 1, 0)
    assert first[0] == second[0] > 10
    assert set(first[2]) == PARTS
    assert {part: len(costs) for part, costs in first[2].items()} == {
        part: len(costs) for part, costs in second[2].items()
    }


def test_the_least_time_of_each_call_counts(capsys):
    slow = (2, True, {"view": [(4_000, 9_000), (2_000, 1_000)]})
    fast = (2, True, {"view": [(4_000, 3_000), (2_000, 5_000)]})
    show([slow, fast])
    row = capsys.readouterr().out.splitlines()[-1].split()
    assert row == ["view", "2", "2.0", "3.0", "2.0", "3.0"]


def test_a_part_is_counted_each_time_it_is_called():
    count = Counter()
    assert count("sum", sum, range(100_000)) == 4_999_950_000
    assert count("sum", sum, range(10)) == 45
    assert len(count.costs["sum"]) == 2
    assert count.costs["sum"][0][1] > count.costs["sum"][1][1]
