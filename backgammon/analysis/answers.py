"""The answer of an engine about one position, as plain values, for the analysis board."""

from typing import Any, Final

from backgammon.analysis.depths import AGAIN, Depth, judged, judged_at
from backgammon.analysis.scores import cube_facts
from backgammon.analysis.verdicts import refusal_of, rounded, verdict
from backgammon.counting.decisions import DecidedPlay, Doubling
from backgammon.counting.judging import DROPPED, Judgement, worth_of_turn
from backgammon.counting.positions import decision_of
from backgammon.counting.situation import MINE, Situation
from backgammon.engines.engine import HouseEngine
from backgammon.rules.moves import Move
from backgammon.rules.notation import format_play
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Xgid

Line = dict[str, Any]

#: how many of the plays an answer names.
PLAYS_MOST: Final = 10


def answer_line(xgid: Xgid, engine: HouseEngine, depth: Depth) -> Line:
    """The answer to a question as `backgammon.counting.positions.key_of` writes it."""
    decision = decision_of(xgid)
    # what is asked for expressly is looked at as deeply as that goes
    judgement = (
        judged_at(decision, engine, AGAIN) if depth == "deep" else judged(decision, engine, depth)
    )
    if isinstance(decision, DecidedPlay):
        return _plays_line(decision, judgement)
    assert isinstance(decision, Doubling), "nobody has doubled yet"
    return _cube_line(decision.situation, engine, judgement.ply)


def _plays_line(play: DecidedPlay, judgement: Judgement) -> Line:
    """The plays of a roll, the best first, each with its moves for the arrows."""
    variant = by_key(play.situation.variant)
    moves_of = {
        format_play(variant, play.situation.position, choice.moves): choice.moves
        for choice in play.choices
    }
    best = judgement.options[0].equity
    return {
        "kind": "play",
        "ply": judgement.ply,
        "choices": len(judgement.options),
        "options": [
            {
                "text": option.text,
                "moves": moves_line(moves_of[option.text]),
                "equity": rounded(option.equity),
                "loss": rounded(max(0.0, best - option.equity)),
                "ply": option.ply,
                "chances": option.chances and [rounded(chance) for chance in option.chances],
            }
            for option in judgement.options[:PLAYS_MOST]
        ],
    }


def moves_line(moves: tuple[Move, ...]) -> list[list[int]]:
    return [[move.source, move.target] for move in moves]


def _cube_line(situation: Situation, engine: HouseEngine, ply: int) -> Line:
    """The cube before the roll: three equities, the verdict, and why nobody may double."""
    value = engine.cube(situation, ply)
    refusal = refusal_of(situation)
    most = situation.cube_turns_most
    return {
        "kind": "cube",
        "ply": value.ply,
        "no_double": rounded(value.no_double),
        "double_take": None if refusal else rounded(value.double_take),
        "double_drop": None if refusal else DROPPED,
        "double": None if refusal else rounded(worth_of_turn(value.double_take, 1, most)),
        "verdict": "no_cube" if refusal else verdict(value.no_double, value.double_take, most),
        "refusal": refusal,
        "redouble": situation.cube.owner == MINE,
        "chances": [rounded(chance) for chance in value.chances],
        **cube_facts(situation, value.chances, engine, ply),
    }
