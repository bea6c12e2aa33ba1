"""The house's engine and GNU Backgammon judge alike.

`gnubg.json` has what GNU Backgammon 1.07 says at 2 plies about 200 decisions of matches between
players of mixed strength; `python -m bench.analysis --gnubg --write FILE` writes it.
"""

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from backgammon.analysis.depths import Depth, judged
from backgammon.counting.decisions import Answer, Decision, DecisionPlace, Doubling
from backgammon.counting.judging import DROPPED
from backgammon.counting.positions import roll_of, situation_of, xgid_of
from backgammon.engines import gnubg
from backgammon.engines.engine import EngineError
from backgammon.engines.sage import house_engine
from backgammon.formats.record import CubeVerb
from backgammon.tests.formats.gnubg import needs_gnubg

CASES = json.loads(Path(__file__).with_name("gnubg.json").read_text("utf-8"))
PLAYS = [case for case in CASES if case["kind"] == "play"]
CUBES = [case for case in CASES if case["kind"] != "play"]
PLACE = DecisionPlace(1, 1, 0)
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10"


def decision(case: dict[str, Any]) -> Decision:
    situation = situation_of(xgid_of(case["xgid"]))
    if case["kind"] == "play":
        return roll_of(situation, (case["dice"][0], case["dice"][1]))
    if case["kind"] == "double":
        return Doubling(PLACE, situation, doubled=False)
    return Answer(PLACE, situation, 1, CubeVerb.TAKE)


def action(case: dict[str, Any]) -> str:
    """The right action about the cube by the other engine."""
    taken = case["double_take"]
    if case["kind"] == "take":
        return "take" if taken <= DROPPED else "drop"
    return "double" if min(taken, DROPPED) > case["no_double"] else "no double"


def test_there_are_two_hundred_cases() -> None:
    assert (len(PLAYS), len(CUBES)) == (100, 100)


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "most"), [("full", 0.0015), ("deep", 0.001)])
def test_the_best_play_costs_next_to_nothing_by_the_other_judgement(
    depth: Depth, most: float
) -> None:
    lost = []
    for case in PLAYS:
        theirs = case["plays"]
        best = judged(decision(case), house_engine(), depth).best
        # a play that it did not search to the end is far behind
        lost.append(max(theirs.values()) - theirs.get(best, min(theirs.values())))
    assert fmean(lost) <= most


@pytest.mark.slow
def test_cube_actions_agree() -> None:
    same = [judged(decision(case), house_engine(), "full").best == action(case) for case in CUBES]
    assert sum(same) >= 98


@pytest.mark.slow
@needs_gnubg
def test_gnu_backgammon_answers_through_a_pipe() -> None:
    with gnubg.running() as judge:
        assert judge.version.startswith("1.")
        situation = situation_of(xgid_of(START))
        roll = roll_of(situation, (3, 1))
        values = judge.plays(roll)
        assert {value.result for value in values} == {choice.result for choice in roll.choices}
        assert values[0].ply == gnubg.PLIES
        assert values[0].equity == pytest.approx(0.22, abs=0.05)
        cube = judge.cube(situation)
        assert cube.no_double == pytest.approx(0.08, abs=0.05)
        assert cube.chances[0] == pytest.approx(0.525, abs=0.02)
        for case in (*PLAYS[:3], *CUBES[:3]):
            _same_answer(judge, case)


def _same_answer(judge: gnubg.GnuBackgammon, case: dict[str, Any]) -> None:
    asked = decision(case)
    if asked.kind == "play":
        best = max(value.equity for value in judge.plays(asked))
        assert best == pytest.approx(max(case["plays"].values()), abs=0.002)
    else:
        cube = judge.cube(asked.situation)
        assert cube.no_double == pytest.approx(case["no_double"], abs=0.002)


@needs_gnubg
def test_gnu_backgammon_says_when_it_has_no_answer() -> None:
    crawford = xgid_of("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:0:1:5:10")
    with gnubg.running() as judge, pytest.raises(EngineError, match="no answer about the cube"):
        judge.cube(situation_of(crawford))


def test_without_gnu_backgammon_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gnubg, "find", lambda: None)
    with pytest.raises(EngineError, match="not installed"), gnubg.running():
        pass
