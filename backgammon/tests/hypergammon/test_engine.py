"""The table as an engine of analyses, and behind the house bot."""

from dataclasses import replace

import pytest

from backgammon.analysis.depths import judged
from backgammon.bots import engine
from backgammon.counting.decisions import Choice, DecidedPlay, DecisionPlace, Doubling
from backgammon.counting.judging import EXACT
from backgammon.counting.situation import Situation
from backgammon.engines.house import engine_for
from backgammon.engines.hyper import Hyper
from backgammon.engines.sage import house_engine
from backgammon.evaluation.hypergammon.arrangements import NUMBER, position_of
from backgammon.evaluation.hypergammon.table import HypergammonTable
from backgammon.evaluation.sage import ROLLS
from backgammon.evaluation.stakes import Stakes
from backgammon.rules.cube import Cube
from backgammon.rules.variants import by_key
from backgammon.train.hypergammon.__main__ import main as solve

POSITION = position_of(NUMBER[2, 4, 6], NUMBER[0, 0, 6])
MONEY = Situation(POSITION, variant="hypergammon", jacoby=True)
MATCH = replace(MONEY, jacoby=False, away=(3, 2))


def roll(situation: Situation, dice: tuple[int, int], *, opening: bool = False) -> DecidedPlay:
    legal = by_key("hypergammon").legal_plays(situation.position, dice)
    choices = tuple(Choice(moves, result) for moves, result in legal.graph.ends())
    return DecidedPlay(DecisionPlace(1, 1, 0), situation, dice, choices, choices[0], opening)


def test_the_table_judges_hypergammon_where_it_is(in_the_house: HypergammonTable) -> None:
    assert isinstance(engine_for(["hypergammon"]), Hyper)
    assert engine_for(["hypergammon"]) is engine_for(["hypergammon"])
    assert engine_for(["backgammon"]) is house_engine()
    assert engine_for(["hypergammon", "backgammon"]) is house_engine()


def test_without_a_table_all_is_as_before() -> None:
    assert engine_for(["hypergammon"]) is house_engine()


def test_plays_are_in_order_and_exact(ending: HypergammonTable) -> None:
    play = roll(MONEY, (2, 1))
    values = Hyper(ending).plays(play, 3)
    assert len(values) == len(play.choices) > 2
    assert [value.equity for value in values] == sorted(
        (value.equity for value in values), reverse=True
    )
    assert {value.ply for value in values} == {EXACT}
    judgement = judged(play, Hyper(ending), "full")
    assert judgement.loss == pytest.approx(
        values[0].equity - ending.after_play(play.choices[0].result, engine_stakes(MONEY))[0]
    )


def engine_stakes(situation: Situation) -> Stakes:
    return Stakes(situation.cube.value, jacoby=situation.jacoby)


@pytest.mark.parametrize("situation", [MONEY, replace(MONEY, cube=Cube(2, 0))])
def test_the_luck_of_all_rolls_together_is_nought(
    ending: HypergammonTable, situation: Situation
) -> None:
    exact = Hyper(ending)
    luck = {(a, b): exact.luck(roll(situation, (a, b))) for a, b, _ in ROLLS}
    assert sum(weight * luck[a, b] for a, b, weight in ROLLS) == pytest.approx(0, abs=1e-5)
    opening = [exact.luck(roll(situation, (a, b), opening=True)) for a, b, _ in ROLLS if a != b]
    assert sum(opening) == pytest.approx(0, abs=1e-5)


def test_at_a_score_the_chances_are_the_tables(ending: HypergammonTable) -> None:
    exact, doubling = Hyper(ending), Doubling(DecisionPlace(1, 1, 0), MATCH, doubled=False)
    value = exact.cube(MATCH, 2)
    assert value.chances == ending.before_roll(POSITION, engine_stakes(MONEY)).chances
    assert value.no_double != pytest.approx(exact.cube(MONEY, 2).no_double, abs=1e-3)
    assert judged(doubling, exact, "full").best in ("double", "no double")
    assert exact.plays(roll(MATCH, (2, 1)), 2)[0].equity > -1
    assert exact.table((3, 3), False) == pytest.approx(0.5)


def test_the_house_bot_asks_the_table(in_the_house: HypergammonTable) -> None:
    result = roll(MONEY, (2, 1)).choices[0].result
    exact = in_the_house.after_play(result, engine_stakes(MONEY))[0]
    assert engine.plays_worth(MONEY, [result]) == [exact]
    worth = engine.cube_worth(MONEY)
    assert worth == in_the_house.before_roll(POSITION, engine_stakes(MONEY))
    other = engine.cube_worth(replace(MONEY, variant="nackgammon"))
    assert worth != other


def test_the_short_form_computes_the_bear_off(capsys: pytest.CaptureFixture[str]) -> None:
    solve(["--short"])
    assert "counted by hand are right" in capsys.readouterr().out
