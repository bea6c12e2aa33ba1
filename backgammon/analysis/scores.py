"""The cube of a position at other scores, and what gammons and takes are worth at its own."""

from dataclasses import replace
from typing import Any, Final

from backgammon.analysis.verdicts import refusal_of, rounded, verdict
from backgammon.counting.chances import gammon_value, window
from backgammon.counting.judging import Chances
from backgammon.counting.situation import Situation
from backgammon.engines.engine import EngineError, HouseEngine

#: the scores reach from one point to so many for each side.
SCORES_MOST: Final = 7

#: so many cubes are searched no deeper.
SCORES_PLY: Final = 2


def cube_facts(
    situation: Situation, chances: Chances, engine: HouseEngine, ply: int
) -> dict[str, Any]:
    """The take point, the doubling window, both gammon values, and the cube at other scores."""
    found = window(situation, chances, engine.table)
    mirrored = replace(situation, away=situation.away and situation.away[::-1])
    values = (gammon_value(each, engine.table) for each in (situation, mirrored))
    searched = min(ply, SCORES_PLY)
    return {
        "take_point": found and rounded(found.take),
        "double_point": found and rounded(found.double),
        "gammon_values": [value if value is None else rounded(value) for value in values],
        "unlimited": _action(_unlimited(situation), engine, searched),
        "scores": _scores(situation, engine, searched),
    }


def _unlimited(situation: Situation) -> Situation:
    return replace(situation, away=None, crawford=False)


def _scores(situation: Situation, engine: HouseEngine, ply: int) -> list[list[str]]:
    """The right action by what the player on roll and the opponent need; no game is Crawford's.

    There is none by an engine that judges the cube in unlimited play alone.
    """
    plain = replace(situation, crawford=False, jacoby=False, beavers=False, raccoons=False)
    needs = range(1, SCORES_MOST + 1)
    try:
        return [
            [_action(replace(plain, away=(mine, theirs)), engine, ply) for theirs in needs]
            for mine in needs
        ]
    except EngineError:
        return []


def _action(situation: Situation, engine: HouseEngine, ply: int) -> str:
    if refusal_of(situation):
        return "no_cube"
    value = engine.cube(situation, ply)
    return verdict(value.no_double, value.double_take, situation.cube_turns_most)
