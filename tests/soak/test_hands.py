"""The simulated players use only listed actions, and reach every ending of a match."""

from collections import Counter
from random import Random

import pytest

from bench.soak.hands import COURSES, Course, course, wishes
from bench.soak.report import spread
from games.api.wishes import as_wished
from games.modes.prices import Prices
from games.modes.terms import KEYS, Wishes
from games.table.setup import terms_of
from harness.hands import decide, walk

GRAPH = [[[24, 18, 6, 1], [24, 21, 3, 2]], [[18, 15, 3, 3]], [[21, 15, 6, 3]], []]


def view(*actions: str, **more: object) -> dict:
    table = {"actions": [list(actions), []], "graph": GRAPH, "resignable_levels": [1, 2]}
    return {**table, "decider": 0, **more}


@pytest.mark.parametrize("seed", range(50))
def test_a_walk_ends_where_nothing_more_can_be_moved(seed):
    moves = walk(GRAPH, Random(seed))
    assert [move[:2] for move in moves] in ([[24, 18], [18, 15]], [[24, 21], [21, 15]])


@pytest.mark.parametrize(
    "actions",
    [
        ("play", "offer_resignation", "leave"),
        ("roll", "double", "offer_resignation", "leave"),
        ("take", "drop", "beaver", "leave"),
        ("accept_resignation", "refuse_resignation", "leave"),
        ("accept_resignation", "leave"),
        ("name_double", "leave"),
        ("ready", "leave"),
    ],
)
def test_only_what_is_listed_is_done_and_everything_of_it(actions):
    done = Counter()
    for seed in range(600):
        command = decide(view(*actions), 0, Random(seed), hurry=False)
        done[command["type"]] += 1
    assert set(done) == set(actions) - {"leave"}


def test_nothing_is_done_where_nothing_is_ours():
    assert decide(view("leave"), 0, Random(1), hurry=False) is None
    assert decide(view("play"), 1, Random(1), hurry=False) is None


def test_in_a_hurry_who_must_decide_leaves_and_nobody_else():
    assert decide(view("play", "leave"), 0, Random(1), hurry=True) == {"type": "leave"}
    assert decide(view("leave", decider=1), 0, Random(1), hurry=True) is None


def test_every_course_is_dealt_and_the_impatient_wait_for_nobody():
    dealt = Counter(course(Random(seed)).kind for seed in range(2000))
    assert set(dealt) == set(COURSES)
    hurried = {course(Random(seed), patient=False).kind for seed in range(2000)}
    assert hurried == set(COURSES) - {"stall", "vanish", "rematch"}


def test_everything_that_is_wished_for_is_offered():
    modes = Counter()
    for seed in range(500):
        wish = wishes(Random(seed), Course("play", 0, 5))
        terms = terms_of(Wishes(**as_wished(wish)), Prices())
        modes[terms.mode] += 1
    assert set(modes) == set(KEYS)


def test_a_spread_of_few_values():
    assert spread([]) == {"n": 0, "max": 0.0}
    assert spread([1.0]) == {"n": 1, "max": 1.0}
    assert spread([float(n) for n in range(101)])["p95"] == 95
