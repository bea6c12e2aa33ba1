"""The procedure, the ladder and the radar's scale as pure rules."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairplay.ladder import HEALS, STEPS, WINDOW, record_of
from fairplay.procedure import (
    NEXT,
    OVER,
    STRICTNESS,
    CaseState,
    CaseVerdict,
    Sanction,
    combined,
    deadline_of,
    heard,
    timed_out,
)
from fairplay.signals.pairs import HOLD, WATCH, PairFacts, judged_pair

NOW = datetime(2026, 11, 1, tzinfo=UTC)
VERDICTS = st.builds(CaseVerdict, st.sampled_from(Sanction), st.booleans())
HONEST = {
    "net_cents": 500,
    "given_up": 0,
    "in_day": 1,
    "loser_age_days": 100.0,
    "stake_share": 0.1,
    "loser_share": 0.2,
    "loser_matches": 20,
}


@given(VERDICTS, VERDICTS)
def test_the_milder_opinion_counts(one, other):
    decided = combined([one, other])
    assert STRICTNESS.index(decided.sanction) == min(
        STRICTNESS.index(one.sanction), STRICTNESS.index(other.sanction)
    )
    assert not decided.refund or (one.refund and other.refund)
    assert not (decided.clears and decided.refund)


@given(VERDICTS, VERDICTS, VERDICTS)
def test_an_appeal_never_makes_a_decision_stricter(one, other, third):
    decided = combined([one, other])
    final = heard(decided, third)
    assert STRICTNESS.index(final.sanction) <= STRICTNESS.index(decided.sanction)
    assert decided.refund or not final.refund


@pytest.mark.parametrize("state", list(CaseState))
def test_every_waiting_ends_by_itself_and_only_along_the_arrows(state):
    deadline = deadline_of(state, NOW)
    assert (deadline is None) == (state in OVER)
    if deadline is not None:
        assert timed_out(state, deadline, deadline - timedelta(seconds=1)) is None
        assert timed_out(state, deadline, deadline) in NEXT[state]


def test_nobody_is_punished_because_nobody_decided():
    assert timed_out(CaseState.OPEN, NOW, NOW) is CaseState.LAPSED
    assert timed_out(CaseState.APPEALED, NOW, NOW) is CaseState.CLEARED


def test_the_first_fault_costs_nothing_and_the_wait_grows():
    waits = [record_of([True] * faults + [False] * 5).wait for faults in range(1, 8)]
    assert waits[0] == timedelta()
    assert waits[1] == timedelta(minutes=10)
    assert waits == sorted(waits)
    assert waits[-1] == STEPS[-1]


@given(st.lists(st.booleans(), max_size=40))
def test_clean_matches_heal_and_old_ones_do_not_count(faults):
    assert record_of([False] * HEALS + faults).wait == timedelta()
    assert record_of(faults[:WINDOW]) == record_of(faults)


def test_losing_often_to_a_better_player_is_no_reason_to_hold():
    for played in range(1, 12):
        facts = PairFacts(results=[True] * played, **HONEST)
        assert judged_pair(facts).level != "hold"


def test_a_fresh_account_that_gives_up_everything_at_once_is_held():
    facts = PairFacts(
        results=[True],
        **HONEST | {"given_up": 1, "loser_age_days": 0.1, "stake_share": 1.0, "loser_share": 1.0},
    )
    judged = judged_pair(facts)
    assert judged.level == "hold"
    assert judged.score >= HOLD
    assert judged.signs[0].key == "given_up"


def test_nothing_speaks_against_a_pair_whose_credits_go_back_and_forth():
    facts = PairFacts(results=[True, False] * 5, **HONEST | {"net_cents": -100, "given_up": 3})
    assert judged_pair(facts).level == "clear"


def test_bad_play_against_one_player_alone_counts_with_every_match():
    scores = [
        judged_pair(
            PairFacts(
                results=[True] * matches, **HONEST, pr_here=30.0, pr_elsewhere=8.0, analysed=matches
            )
        ).score
        for matches in range(1, 6)
    ]
    assert scores[0] < WATCH + 2 < HOLD  # one match alone holds nothing
    assert scores == sorted(scores)
    assert scores[2] >= HOLD


def test_each_who_gives_a_little_to_the_same_player_makes_a_ring():
    """Four of eight opponents gave up early or played far worse; none of them alone is held."""
    once = HONEST | {"given_up": 1}
    alone = judged_pair(PairFacts(results=[True], **once, opponents=7))
    ring = judged_pair(PairFacts(results=[True], **once, opponents=7, givers=3))
    assert alone.level != "hold"
    assert ring.level == "hold"
    assert ring.signs[0].key == "ring"
    crowd = judged_pair(PairFacts(results=[True], **once, opponents=200, givers=3))
    assert crowd.score == alone.score


def test_who_gave_nothing_is_no_part_of_a_ring():
    facts = PairFacts(results=[True], **HONEST, opponents=7, givers=5)
    assert judged_pair(facts).level == "clear"
