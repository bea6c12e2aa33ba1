"""Error rates, bands, classes and luck, by hand."""

import random
from dataclasses import replace

import pytest

from backgammon.counting.chances import Span, span
from backgammon.counting.decisions import DecidedPlay, DecisionPlace, Doubling
from backgammon.counting.figures import Judged, band, figures, grade_of, without_luck
from backgammon.counting.judging import Judgement, Option
from backgammon.counting.situation import Away, Situation
from backgammon.rules.cube import Cube
from backgammon.rules.variants import by_key

SITUATION = Situation(by_key("backgammon").start, away=(5, 5))
SPAN = Span(0.4, 0.6)


def judged(
    seat: int,
    loss: float | None,
    *,
    counted: bool = True,
    luck: float | None = 0.0,
    cube: bool = False,
) -> Judged:
    place = DecisionPlace(1, 1, seat)
    decision = (
        Doubling(place, SITUATION, True)
        if cube
        else DecidedPlay(place, SITUATION, (3, 1), (), None)
    )
    judgement = Judgement((Option("a", 0.0, 2),), "a", loss, counted, None, 2)
    return Judged(decision, judgement, SPAN, None if cube else luck)


def test_the_rates_of_a_small_match_by_hand() -> None:
    rows = [
        judged(0, 0.0, luck=0.3),
        judged(0, 0.05, luck=-0.1),
        judged(0, 0.0, counted=False),  # forced
        judged(0, 0.15, cube=True),
        judged(1, 0.1, luck=0.2),
        judged(1, 0.0, counted=False),
    ]
    mine, other = figures(rows, 0), figures(rows, 1)
    assert (mine.decisions, mine.counted, mine.shown) == (4, 3, 2)
    assert mine.pr == pytest.approx(500 * 0.20 / 3)
    assert mine.snowie == pytest.approx(1000 * 0.20 / 5)  # five rolls of both players
    assert mine.luck == pytest.approx(0.2)
    assert mine.cost == pytest.approx(0.02)  # a point of equity is a tenth of the match
    assert mine.gift == pytest.approx(0.02)
    assert other.pr == pytest.approx(50.0)
    assert other.gift == pytest.approx(0.02)


def test_the_own_luck_is_taken_off_a_result_and_the_other_one_put_on() -> None:
    assert without_luck(1.0, 0.3, -0.1) == pytest.approx(0.6)
    assert without_luck(0.0, -0.3, 0.1) == pytest.approx(0.4)


def test_a_luck_that_is_missing_is_unknown_and_not_nought() -> None:
    rows = [judged(0, 0.0, luck=None), judged(0, 0.1, luck=0.1), judged(1, 0.0, luck=0.1)]
    assert figures(rows, 0).luck is None
    assert figures(rows, 1).luck == pytest.approx(0.1)
    assert without_luck(1.0, figures(rows, 0).gift, 0.0) is None


def test_nothing_counted_is_no_rate() -> None:
    empty = figures([judged(0, 0.0, counted=False)], 0)
    assert (empty.pr, empty.band, empty.grade) == (None, None, None)
    assert figures([], 1).snowie is None


@pytest.mark.parametrize(
    ("pr", "name"),
    [
        (0.0, "world_champion"),
        (2.49, "world_champion"),
        (2.5, "world_class"),
        (5.0, "expert"),
        (7.5, "advanced"),
        (12.5, "intermediate"),
        (17.5, "casual"),
        (22.5, "beginner"),
        (60.0, "beginner"),
    ],
)
def test_classes(pr: float, name: str) -> None:
    assert grade_of(pr, 200) == name
    assert grade_of(pr, 199) is None


def test_a_band_needs_decisions_and_an_error() -> None:
    assert band([0.1] * 19) is None
    assert band([0.0] * 100) is None
    assert band([]) is None


def test_a_band_of_a_hundred_decisions_is_wide() -> None:
    """As measured on players with a PR of 5.26: a quarter of all decisions err."""
    losses = [0.0] * 75 + [0.01] * 10 + [0.03] * 8 + [0.08] * 5 + [0.15, 0.20]
    found = band(losses)
    assert found is not None
    pr = 500 * sum(losses) / 100
    assert 0 < found.low < pr < found.high
    assert found.high - pr > pr - found.low  # longer above
    assert found.high / pr > 1.5


def test_the_band_holds_the_true_rate_in_nineteen_of_twenty_samples() -> None:
    """Losses of people: three quarters 0, the rest far apart; 120 decisions each."""
    chance = random.Random(7)
    mean, errors, shape = 5.26 / 500, 0.248, 0.34
    scale = mean / errors / shape
    held = 0
    for _ in range(400):
        losses = [
            chance.gammavariate(shape, scale) if chance.random() < errors else 0.0
            for _ in range(120)
        ]
        found = band(losses)
        assert found is not None
        held += found.low <= 5.26 <= found.high
    assert 0.91 <= held / 400 <= 0.98


def table(away: Away, crawford_over: bool) -> float:
    """A table that shows how it was read."""
    return away[0] / 100 + away[1] / 1000 + 0.5 * crawford_over


def test_a_game_is_worth_what_the_table_says_of_both_scores_after_it() -> None:
    at = Situation(SITUATION.position, cube=Cube(2, 0), away=(5, 3))
    assert span(at, table) == Span(lost=table((5, 1), False), won=table((3, 3), False))
    assert span(replace(at, away=(2, 2)), table) == Span(0.0, 1.0)
    crawford = Situation(SITUATION.position, away=(1, 3), crawford=True)
    assert span(crawford, table) == Span(lost=table((1, 2), True), won=1.0)
    after = Situation(SITUATION.position, away=(2, 1))
    assert span(after, table) == Span(lost=0.0, won=table((1, 1), True))


def test_equity_in_the_unit_of_the_result() -> None:
    assert SPAN.result(1.0) == pytest.approx(0.6)
    assert SPAN.result(-1.0) == pytest.approx(0.4)
    assert SPAN.result(0.0) == pytest.approx(0.5)
    money = span(Situation(SITUATION.position, cube=Cube(4, 1)), table)
    assert money == Span(-4, 4)
    assert money.part(0.25) == pytest.approx(1.0)
