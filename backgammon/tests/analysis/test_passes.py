"""The engine of the house over whole matches: the depths, the luck, planted errors."""

from dataclasses import replace
from typing import Final

import pytest

from backgammon.analysis.depths import DEPTHS, LOST_LEAST, NEAR_CUBES, analysed, judged, judged_at
from backgammon.counting.decisions import DecidedPlay, DecisionPlace, Doubling, decisions
from backgammon.counting.figures import figures, without_luck
from backgammon.counting.judging import EXACT
from backgammon.counting.positions import roll_of, situation_of, xgid_of
from backgammon.engines.sage import house_engine
from backgammon.formats.mat import format_mat
from backgammon.formats.mat_reader import parse_mat
from backgammon.tests.analysis.matches import PERFECT, Player, Table, played_match

START: Final = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10"
ROLLS: Final = [(a, b) for a in range(1, 7) for b in range(1, 7)]
ENGINE = house_engine()


def roll(a: int, b: int, *, opening: bool = False) -> DecidedPlay:
    return replace(roll_of(situation_of(xgid_of(START)), (a, b)), opening=opening)


def test_the_best_play_and_the_one_made_are_looked_at_as_deeply() -> None:
    play = roll_of(situation_of(xgid_of(START)), (4, 3), "8/4 6/3")
    for ply in (1, 2, 3):
        values = ENGINE.plays(play, ply)
        assert len(values) == len(play.choices)
        assert play.played is not None
        made = next(value for value in values if value.result == play.played.result)
        assert made.ply == values[0].ply == values[1].ply == ply
        deepest = [value.equity for value in values if value.ply == ply]
        assert deepest == sorted(deepest, reverse=True)
    loss = judged_at(play, ENGINE, 2).loss
    assert loss is not None
    assert 0.15 < loss < 0.35


def test_the_luck_of_all_rolls_together_is_nought() -> None:
    assert sum(ENGINE.luck(roll(a, b)) for a, b in ROLLS) / 36 == pytest.approx(0.0, abs=0.001)
    opening = [ENGINE.luck(roll(a, b, opening=True)) for a, b in ROLLS if a != b]
    assert sum(opening) / 30 == pytest.approx(0.0, abs=0.001)
    assert ENGINE.luck(roll(3, 1)) > 0.1 > -0.02 > ENGINE.luck(roll(4, 1))


def test_close_choices_have_a_second_look_and_clear_ones_do_not() -> None:
    assert judged(roll(4, 3), ENGINE, "full").ply == 3
    assert judged(roll(3, 1), ENGINE, "full").ply == 2
    assert judged(roll(4, 3), ENGINE, "quick").ply == 1


def test_full_looks_again_at_close_plays_only_where_something_was_lost() -> None:
    good, bad = (
        roll_of(situation_of(xgid_of(START)), (4, 3), played)
        for played in ("13/9 13/10", "24/21 24/20")
    )
    loss = judged_at(good, ENGINE, 2).loss
    assert loss is not None
    assert 0.0 < loss < LOST_LEAST["full"]
    assert judged(good, ENGINE, "full").ply == 2
    assert judged(bad, ENGINE, "full").ply == 3
    assert judged(good, ENGINE, "deep").ply == 3


def test_deep_looks_again_at_what_would_be_shown_as_an_error() -> None:
    bad = roll_of(situation_of(xgid_of(START)), (3, 1), "24/20")
    quick, deep = judged(bad, ENGINE, "quick"), judged(bad, ENGINE, "deep")
    assert (quick.ply, deep.ply, deep.mark) == (1, 3, "??")
    small = roll_of(situation_of(xgid_of(START)), (6, 2), "13/5")
    full, deep = judged(small, ENGINE, "full"), judged(small, ENGINE, "deep")
    assert (full.ply, full.mark, deep.ply) == (2, "?", 3)


def test_the_cube_in_a_race_has_a_second_look_wherever_its_choices_are() -> None:
    race = situation_of(xgid_of("XGID=-C-AC--B--A--------aaceaa-:1:1:1:00:0:0:0:0:10"))
    contact = situation_of(xgid_of(START))
    plies = {
        (name, depth): judged(
            Doubling(DecisionPlace(1, 1, 0), situation, doubled=True), ENGINE, depth
        ).ply
        for name, situation in (("race", race), ("contact", contact))
        for depth in DEPTHS
    }
    gap = judged_at(Doubling(DecisionPlace(1, 1, 0), race, doubled=True), ENGINE, 2).gap
    assert gap is not None
    assert gap > NEAR_CUBES["full"]
    assert [plies["race", depth] for depth in DEPTHS] == [1, 3, 3]
    assert plies["contact", "quick"] == 1


def test_full_calls_nothing_a_blunder_without_the_second_look() -> None:
    bad = roll_of(situation_of(xgid_of(START)), (3, 1), "24/20")
    full = judged(bad, ENGINE, "full")
    assert (full.ply, full.mark) == (3, "??")


@pytest.mark.slow
def test_a_match_has_a_luck_that_explains_it() -> None:
    record = played_match(21, (PERFECT, Player(1, 0.10)), length=3)
    rows = list(analysed(decisions(record), ENGINE, "full"))
    mine, other = figures(rows, 0), figures(rows, 1)
    assert mine.pr is not None
    assert other.pr is not None
    assert mine.pr < other.pr
    result = without_luck(float(record.score[0] > record.score[1]), mine.gift, other.gift)
    assert result is not None
    assert mine.cost is not None
    assert other.cost is not None
    # what the luck does not explain, the errors do: 0.5 and the difference of what both gave away
    assert result == pytest.approx(0.5 - mine.cost + other.cost, abs=0.12)


def test_a_quick_pass_has_no_luck() -> None:
    rows = list(analysed(decisions(played_match(3, length=1)), ENGINE, "quick"))
    assert rows
    assert all(row.luck is None and row.judgement.ply in (1, EXACT) for row in rows)
    assert figures(rows, 0).luck is None


def test_a_variant_that_the_engine_lacks_is_left_out() -> None:
    plakoto = replace(roll(3, 1), situation=replace(roll(3, 1).situation, variant="plakoto"))
    assert list(analysed([plakoto], ENGINE, "full")) == []


@pytest.mark.slow
def test_planted_errors_are_all_found_with_their_size() -> None:
    """Two players who play well but for the fifth best play now and then, read from a file.

    The size is that of 2-ply; blunders are judged again at 3-ply.
    """
    table = Table(31, (Player(1), Player(1)), 5, planting=0.15)
    record = parse_mat(format_mat(table.match()))
    rows = [
        row for row in analysed(decisions(record), ENGINE, "full") if row.decision.kind == "play"
    ]
    assert len(table.planted) >= 5
    for number, loss in table.planted.items():
        judgement = rows[number].judgement
        assert judgement.mark
        assert judgement.loss == pytest.approx(loss, abs=0.02 if judgement.ply == 2 else 0.1)
        assert judgement.counted
        assert judgement.played != judgement.best


@pytest.mark.slow
def test_the_engine_against_itself_has_a_rate_below_one() -> None:
    record = played_match(41, (Player(2), Player(2)), length=5)
    rows = list(analysed(decisions(record), ENGINE, "deep"))
    for seat in (0, 1):
        pr = figures(rows, seat).pr
        assert pr is not None
        assert pr < 1.0
