"""Rollouts: dice that can be repeated, results that are right on average, and honest errors."""

from collections import Counter
from functools import cache
from statistics import fmean, stdev
from typing import cast

import pytest

from backgammon.analysis.rollouts import (
    USUAL,
    RolloutChoices,
    course_of,
    is_over,
    percent,
    rollout_line,
)
from backgammon.counting.decisions import Doubling
from backgammon.counting.positions import decision_of, key_of
from backgammon.counting.trials import BLOCKS_LEAST, difference, estimate
from backgammon.engines.playout import TURNS, Start, played
from backgammon.engines.rollout import BLOCK, Candidate, block_played, candidates, dice_of
from backgammon.engines.sage import house_engine
from backgammon.evaluation import sage
from backgammon.evaluation.stakes import Stakes
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Xgid

#: the checkers of a side on its points 1 to 6
Side = tuple[int, int, int, int, int, int]

#: a bear-off of few rolls, in which the cube is alive.
RACE = "XGID=--ABBA--------------abc---"
#: X bears off both checkers with 19 of the 36 rolls; else O bears off the last one.
LAST_ROLL = "XGID=--A--A------------------a-"
#: one in which the cube is dead, with four checkers on each side
SHORT = "XGID=--AAAA--------------aba---"
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
UNLIMITED = "0:0:1:00:0:0:0:0:10"
TO_ONE_POINT = "0:0:1:00:0:0:0:1:10"


def rolled_out(line: str) -> list[Candidate]:
    decision = decision_of(key_of(Xgid.parse(line)))
    return candidates(cast(Doubling, decision), house_engine())


def start_of(line: str) -> Start:
    return rolled_out(line)[0].start


def means(start: Start, seed: str, blocks: int, *, with_luck: bool) -> list[float]:
    return [block_played([start], seed, block, with_luck=with_luck)[0] for block in range(blocks)]


def test_the_first_rolls_come_in_turn_and_the_same_seed_gives_the_same_dice() -> None:
    pairs: Counter[tuple[object, object]] = Counter()
    for block in range(36):
        trials = [dice_of("a", block * BLOCK + place) for place in range(BLOCK)]
        assert len({rolls[0] for rolls in trials}) == len({rolls[1] for rolls in trials}) == 36
        assert all(len(rolls) == TURNS for rolls in trials)
        pairs.update((rolls[0], rolls[1]) for rolls in trials)
    assert len(pairs) == 1296
    assert dice_of("a", 7) == dice_of("a", 7) != dice_of("b", 7)
    assert len({dice_of("a", trial)[2] for trial in range(1000)}) == 36


def test_the_last_roll_is_worth_what_can_be_counted() -> None:
    """19 of 36 win: 2 · 19/36 - 1 without a double, twice that with one."""
    stay, taken = rolled_out(f"{LAST_ROLL}:{UNLIMITED}")
    assert block_played([stay.start, taken.start], "a", 0) == pytest.approx([2 / 36, 4 / 36])
    with_luck = block_played([stay.start, taken.start], "a", 0, with_luck=True)
    assert with_luck == pytest.approx([2 / 36, 4 / 36])  # every first roll has come once


def test_the_score_and_the_cube_count() -> None:
    """At 2 away for both a taken double is for the match: as at one point each."""
    _, taken = rolled_out(f"{LAST_ROLL}:0:0:1:00:0:0:0:2:10")
    at_stake = Stakes(away=(2, 2))
    worth = sage.in_terms_of(at_stake, 2 / 36, Stakes(away=(2, 2), cube_value=2))
    assert block_played([taken.start], "a", 0)[0] == pytest.approx(worth, abs=1e-6)
    assert worth > 2 / 36


def test_a_double_that_must_be_dropped_ends_the_game() -> None:
    """O has two checkers left on points that every roll bears off, X is rolls away."""
    start = start_of(f"XGID=---AEBB-----------------b-:{UNLIMITED}".replace("E", "A"))
    assert means(start, "a", 1, with_luck=False) == pytest.approx([-1.0])
    assert means(start, "a", 1, with_luck=True) == pytest.approx([-1.0])


@pytest.mark.parametrize("with_luck", [True, False])
def test_a_bear_off_comes_out_as_the_rules_count_it(with_luck: bool) -> None:
    """To one point every play can be counted; the net's own table is a little wrong there."""
    start = start_of(f"{SHORT}:{TO_ONE_POINT}")
    exact = 2 * chance_counted((0, 1, 1, 1, 1, 0), (0, 0, 1, 2, 1, 0)) - 1
    found = estimate(means(start, "a", 24, with_luck=with_luck))
    assert found.error is not None
    assert found.error < (0.03 if with_luck else 0.002)
    assert abs(found.mean - exact) < 3 * found.error


@cache
def chance_counted(mine: Side, theirs: Side) -> float:
    """The chance to bear off first of the side on roll, by the rules and the best plays."""
    total = 0.0
    for weight, sides in sides_after(mine):
        total += weight * max(
            1 - chance_counted(theirs, side) if any(side) else 1.0 for side in sides
        )
    return total / 36


@cache
def sides_after(side: Side) -> list[tuple[int, set[Side]]]:
    """The checkers on the points 1 to 6 after every play of each roll, with the roll's weight."""
    variant, missing = by_key("backgammon"), 15 - sum(side)
    position = Position((*side, *(0,) * 17, -1), (0, 0), (missing, 14))
    found = []
    for first, second, weight in sage.ROLLS:
        ends = variant.legal_plays(position, (first, second)).graph.ends()
        found.append((weight, {cast(Side, result.points[:6]) for _, result in ends}))
    return found


def test_luck_is_nothing_on_average_even_if_the_net_is_wrong() -> None:
    """With the cube the net only estimates, and both ways must still have one mean."""
    start = start_of(f"{RACE}:{UNLIMITED}")
    plain = means(start, "b", 36, with_luck=True)
    without = means(start, "b", 36, with_luck=False)
    apart = difference(plain, without)
    assert apart.error is not None
    assert abs(apart.mean) < 3 * apart.error
    errors = estimate(plain).error, estimate(without).error
    assert errors[0] is not None
    assert errors[1] is not None
    assert errors[1] < errors[0] / 3


@pytest.mark.slow
@pytest.mark.parametrize("with_luck", [True, False])
def test_the_stated_error_is_the_spread_over_seeds(with_luck: bool) -> None:
    start = start_of(f"{RACE}:{UNLIMITED}")
    found = [estimate(means(start, f"seed {seed}", 6, with_luck=with_luck)) for seed in range(30)]
    spread = stdev(each.mean for each in found)
    stated = fmean((each.error or 0.0) ** 2 for each in found) ** 0.5
    assert 0.7 < spread / stated < 1.3
    middle = fmean(each.mean for each in found)
    inside = sum(abs(each.mean - middle) <= (each.half_band or 0.0) for each in found)
    assert 25 <= inside <= 30


def test_candidates_share_their_dice_so_the_difference_is_more_exact_than_both() -> None:
    course = course_of(key_of(Xgid.parse(f"{RACE}:0:0:1:42:0:0:0:0:10")), house_engine())
    blocks = [
        block_played([each.start for each in course.candidates], "c", block, with_luck=True)
        for block in range(12)
    ]
    first, second = ([block[place] for block in blocks] for place in (0, 1))
    apart, alone = difference(first, second), estimate(first)
    assert apart.error is not None
    assert alone.error is not None
    assert apart.error < alone.error


def test_what_has_come_of_it_is_told_with_its_exactness() -> None:
    course = course_of(key_of(Xgid.parse(f"{RACE}:0:0:1:21:0:0:0:0:10")), house_engine())
    line = rollout_line(course, [course.block(number) for number in range(BLOCKS_LEAST)])
    assert line["trials"] == BLOCK * BLOCKS_LEAST
    equities = [option["equity"] for option in line["options"]]
    assert equities == sorted(equities, reverse=True)
    (compared,) = line["compared"]
    assert compared["better"] == line["options"][0]["text"]
    assert compared["is_clear"] == (compared["by"] > compared["band"])
    early = rollout_line(course, [course.block(0)])
    assert early["options"][0]["error"] is None


def test_the_cube_is_told_with_its_verdict() -> None:
    course = course_of(key_of(Xgid.parse(f"{LAST_ROLL}:{UNLIMITED}")), house_engine())
    line = rollout_line(course, [course.block(number) for number in range(BLOCKS_LEAST)])
    assert (line["verdict"], line["double_take"]) == (
        "double_take",
        pytest.approx(4 / 36, abs=1e-4),
    )
    assert [each["better"] for each in line["compared"]] == ["double", "take"]
    no_cube = course_of(key_of(Xgid.parse(f"{LAST_ROLL}:1:-1:1:00:0:0:0:0:10")), house_engine())
    line = rollout_line(no_cube, [no_cube.block(0)])
    assert (line["verdict"], line["refusal"], line["compared"]) == ("no_cube", "not_yours", [])


def test_it_ends_when_it_is_exact_enough_or_has_cost_enough() -> None:
    exact = [[0.1, 0.2]] * 10
    wild = [[0.1, 0.2], [0.9, -0.5]] * 5
    assert is_over(exact, 1.0)
    assert not is_over(exact[:9], 1.0)
    assert not is_over(wild, 1.0)
    assert is_over(wild, 300.0)
    assert is_over(wild * 4, 1.0)
    assert not is_over([], 300.0)
    assert percent([], 0.0) == 0
    assert percent(exact, 1.0) == 99


@pytest.mark.slow
def test_ones_own_play_is_rolled_out_and_compared_with_the_best() -> None:
    choices = RolloutChoices(trials=2 * BLOCK, turns=2, play="24/23 13/10")
    course = course_of(key_of(Xgid.parse(OPENING)), house_engine(), choices)
    line = rollout_line(course, [course.block(number) for number in range(2)])
    assert [option["text"] for option in line["options"] if option["own"]] == ["24/23 13/10"]
    assert (line["compared"][-1]["better"], line["compared"][-1]["worse"]) == (
        "8/5 6/5",
        "24/23 13/10",
    )
    assert (line["trials"], line["trials_most"], line["turns"]) == (72, 72, 2)
    usual = course_of(key_of(Xgid.parse(OPENING)), house_engine())
    assert "24/23 13/10" not in [each.option.text for each in usual.candidates]


def test_without_the_cube_nobody_doubles() -> None:
    xgid = key_of(Xgid.parse(f"{RACE}:0:0:1:42:0:0:0:0:10"))
    course = course_of(xgid, house_engine(), RolloutChoices(trials=BLOCK, cube=False))
    assert not any(each.start.stakes.may_double for each in course.candidates)
    line = rollout_line(course, [course.block(0)])
    assert line["cube"] is False
    won = line["options"][0]
    win = won["chances"][0]
    assert won["equity"] == pytest.approx(2 * win - 1, abs=0.1), "no gammons in this race"


def test_chosen_trials_are_all_played_and_the_estimate_grows_with_the_choices() -> None:
    exact = [[0.1, 0.2]] * 10
    chosen = RolloutChoices(trials=20 * BLOCK)
    assert not is_over(exact, 1.0, choices=chosen)
    assert not is_over(exact, 400.0, choices=chosen)
    assert is_over(exact * 2, 1.0, choices=chosen)
    assert percent(exact, 1.0, chosen) == 50
    assert USUAL.seconds_about(2) < RolloutChoices(trials=60 * BLOCK).seconds_about(2)
    two = RolloutChoices(trials=60 * BLOCK, plies=2, turns=14)
    assert two.seconds_about(2) > 4 * RolloutChoices(trials=60 * BLOCK).seconds_about(2)


@pytest.mark.slow
def test_players_of_two_plies_play_otherwise_and_have_the_same_dice() -> None:
    starts = [
        course_of(key_of(Xgid.parse(OPENING)), house_engine()).candidates[0].start,
    ]
    one, two = (block_played(starts, "d", 0, turns=3, plies=plies) for plies in (1, 2))
    assert one != two
    assert one == pytest.approx(two, abs=0.1)


@pytest.mark.parametrize(
    "choices", [USUAL, RolloutChoices(trials=72), RolloutChoices(plies=2, cube=False, play="13/8")]
)
def test_choices_are_read_as_they_were_written(choices: RolloutChoices) -> None:
    assert RolloutChoices.parse(choices.text()) == choices
    assert (choices.text() == "") == (choices == USUAL)


def test_an_estimate_from_few_blocks_has_a_wider_band() -> None:
    """Student's quantiles: 3.182 with 3 degrees of freedom, 2.201 with 11."""
    four, twelve = estimate([0.0, 1.0] * 2), estimate([0.0, 1.0] * 6)
    assert four.error
    assert four.half_band
    assert four.half_band / four.error == pytest.approx(3.182, abs=0.03)
    assert twelve.error
    assert twelve.half_band
    assert twelve.half_band / twelve.error == pytest.approx(2.201, abs=0.002)
    assert estimate([0.3] * 3).error is None


def test_a_trial_without_a_cube_ends_with_the_game() -> None:
    start, more = start_of(f"{LAST_ROLL}:{TO_ONE_POINT}"), [(2, 1)] * 5
    assert played(start, [(6, 5), *more]).result == pytest.approx(1.0)
    lost = played(start, [(1, 1), (2, 1), *more])
    assert lost.result == pytest.approx(-1.0)
    assert lost.without_luck == pytest.approx(2 / 36)


def test_after_no_turn_and_after_one_it_is_the_search_of_the_engine() -> None:
    """All rolls of a turn are two plies; one turn before them, with all of its rolls, is three."""
    decision = decision_of(key_of(Xgid.parse(OPENING)))
    start = candidates(cast(Doubling, decision), house_engine())[0].start
    after = sage.flipped(start.board)
    searched = [sage.after_play(after, after, start.first, plies)[0] for plies in (2, 3)]
    assert played(start, []).result == pytest.approx(searched[0], abs=1e-4)
    rolls = [played(start, [(high, low)]) for high in range(1, 7) for low in range(1, 7)]
    # half is the judgement before the turn
    mean = 2 * fmean(roll.result for roll in rolls) - searched[0]
    assert mean == pytest.approx(searched[1], abs=1e-3)
