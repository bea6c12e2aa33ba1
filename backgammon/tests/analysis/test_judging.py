"""What a decision cost and whether it counts, by the written rule."""

from dataclasses import replace

import pytest

from backgammon.counting.decisions import Answer, DecidedPlay, DecisionPlace, Doubling
from backgammon.counting.judging import (
    CubeValue,
    PlayValue,
    judge_answer,
    judge_doubling,
    judge_play,
    mark_of,
)
from backgammon.counting.situation import Situation
from backgammon.formats.record import CubeVerb
from backgammon.tests.analysis.records import decided, only, row

PLACE = DecisionPlace(1, 1, 0)
EVEN = (0.5, 0.1, 0.0, 0.1, 0.0)
FIRST = only(decided(row("31: 8/5 6/5")), DecidedPlay)[0]
SITUATION = FIRST.situation
MONEY = replace(SITUATION, away=None, beavers=True, raccoons=True)


def cube(no_double: float, double_take: float) -> CubeValue:
    return CubeValue(no_double, double_take, 2, EVEN)


def values(*equities: float) -> list[PlayValue]:
    """Values for the choices of the first play, the one made being the last of them."""
    others = [choice for choice in FIRST.choices if choice != FIRST.played]
    assert FIRST.played is not None
    chosen = [*others[: len(equities) - 1], FIRST.played]
    return [
        PlayValue(choice.result, equity, 2, EVEN)
        for choice, equity in zip(chosen, equities, strict=True)
    ]


def test_a_play_costs_what_the_best_one_is_worth_more() -> None:
    judgement = judge_play(FIRST, values(0.25, 0.2, 0.1))
    assert judgement.loss == pytest.approx(0.15)
    assert judgement.gap == pytest.approx(0.05)
    assert judgement.played == "8/5 6/5"
    assert judgement.best == judgement.options[0].text != "8/5 6/5"
    assert judgement.counted


def test_plays_that_are_equal_to_a_thousandth_do_not_count() -> None:
    assert not judge_play(FIRST, values(0.2509, 0.2504, 0.2500)).counted
    assert judge_play(FIRST, values(0.2511, 0.2504, 0.2500)).counted


def test_a_forced_play_does_not_count_and_costs_nothing() -> None:
    assert FIRST.played is not None
    forced = replace(FIRST, choices=(FIRST.played,))
    judgement = judge_play(forced, [PlayValue(FIRST.played.result, 0.1, 2, EVEN)])
    assert (judgement.loss, judgement.counted, judgement.gap) == (0.0, False, None)


def test_a_roll_that_was_not_played_has_no_loss() -> None:
    judgement = judge_play(replace(FIRST, played=None), values(0.25, 0.2, 0.1))
    assert (judgement.loss, judgement.counted, judgement.played) == (None, False, "")


@pytest.mark.parametrize(
    ("doubled", "no_double", "double_take", "loss", "counted"),
    [
        (False, 0.50, 0.40, 0.0, True),
        (False, 0.50, 0.30, 0.0, False),  # doubling would cost 0.200: not close
        (False, 0.50, 0.301, 0.0, True),
        (False, 0.0, 0.0, 0.0, False),  # not above 0
        (False, -0.10, -0.15, 0.0, False),
        (False, 0.60, 0.75, 0.15, True),
        (False, 0.90, 1.40, 0.10, True),  # the opponent would drop
        (False, 1.10, 1.40, 0.0, True),  # too good by 0.1
        (True, 0.50, 0.10, 0.40, True),
        (True, -0.30, -0.90, 0.60, True),
        (True, 0.60, 0.75, 0.0, True),
        (True, 1.10, 1.40, 0.10, True),
    ],
)
def test_doubling(
    *, doubled: bool, no_double: float, double_take: float, loss: float, counted: bool
) -> None:
    judgement = judge_doubling(Doubling(PLACE, SITUATION, doubled), cube(no_double, double_take))
    assert judgement.loss == pytest.approx(loss)
    assert judgement.counted is counted


@pytest.mark.parametrize(
    ("verb", "double_take", "loss", "best"),
    [
        (CubeVerb.TAKE, 0.80, 0.0, "take"),
        (CubeVerb.TAKE, 1.30, 0.30, "drop"),
        (CubeVerb.DROP, 0.80, 0.20, "take"),
        (CubeVerb.DROP, 1.30, 0.0, "drop"),
        (CubeVerb.DROP, 1.0, 0.0, "drop"),
    ],
)
def test_the_answer(verb: CubeVerb, double_take: float, loss: float, best: str) -> None:
    judgement = judge_answer(Answer(PLACE, SITUATION, 1, verb), cube(0.5, double_take))
    assert judgement.loss == pytest.approx(loss)
    assert judgement.best == best
    assert judgement.counted


def beavered(situation: Situation, turns: int, verb: CubeVerb, taken: float) -> tuple[str, float]:
    judgement = judge_answer(Answer(PLACE, situation, turns, verb), cube(0.0, taken))
    assert judgement.loss is not None
    return judgement.best, pytest.approx(judgement.loss)  # type: ignore[return-value]  # equals


def test_a_double_of_the_worse_side_is_beavered() -> None:
    no_raccoon = replace(MONEY, raccoons=False)
    assert beavered(no_raccoon, 1, CubeVerb.TAKE, -0.2) == ("beaver", 0.2)
    assert beavered(no_raccoon, 1, CubeVerb.BEAVER, 0.3) == ("take", 0.3)
    assert beavered(no_raccoon, 2, CubeVerb.TAKE, -0.2) == ("take", 0.0)
    assert beavered(no_raccoon, 2, CubeVerb.DROP, -0.2) == ("take", 1.6)
    assert beavered(MONEY, 2, CubeVerb.TAKE, 0.3) == ("raccoon", 0.6)
    assert beavered(MONEY, 3, CubeVerb.TAKE, 0.3) == ("take", 0.0)
    # a double that would be beavered costs the beaver
    worse = judge_doubling(Doubling(PLACE, no_raccoon, True), cube(0.05, -0.2))
    assert worse.loss == pytest.approx(0.45)


def test_a_match_has_no_beaver() -> None:
    in_match = replace(MONEY, away=(5, 5))
    assert beavered(in_match, 1, CubeVerb.TAKE, -0.2) == ("take", 0.0)


def test_small_losses_have_no_mark() -> None:
    losses = (None, 0.0, 0.0199, 0.020, 0.0399, 0.040, 0.0799, 0.080, 1.2)
    assert [mark_of(loss) for loss in losses] == [
        *("", "", "", "?!", "?!", "?", "?", "??", "??"),
    ]
