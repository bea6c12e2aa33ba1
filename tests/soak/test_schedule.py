"""The nemesis is a function of its seed, and causes every kind of fault."""

from collections import Counter

import pytest

from bench.soak.schedule import DOWN_SECONDS_MAX, OUTAGE_SECONDS, WEIGHTS, deck, schedule
from games.services.outages import SILENCE


def test_the_same_seed_brings_the_same_faults():
    assert schedule(7, 200) == schedule(7, 200)
    assert schedule(7, 200) != schedule(8, 200)


@pytest.mark.parametrize("faults", [0, 1, 9, 10, 30, 100, 200, 1000])
def test_there_are_as_many_faults_as_asked_for(faults):
    kinds = Counter(fault.kind for fault in schedule(1, faults))
    assert kinds.total() == faults
    if faults >= len(WEIGHTS):
        assert set(kinds) == set(WEIGHTS)


def test_two_hundred_faults_are_dealt_by_their_weights():
    assert Counter(deck(200, WEIGHTS)) == Counter(WEIGHTS)
    assert sum(WEIGHTS.values()) == 200


def test_faults_keep_to_their_times():
    for fault in schedule(3, 500, gap_s=12.0):
        assert 0 <= fault.gap_s <= 36
        if fault.kind == "house":
            assert OUTAGE_SECONDS[0] <= fault.down_s <= OUTAGE_SECONDS[1]
        else:
            assert 0 <= fault.down_s <= DOWN_SECONDS_MAX


def test_a_house_without_web_servers_is_away_long_enough_to_count_as_an_outage():
    assert OUTAGE_SECONDS[0] > SILENCE.total_seconds() + 2
