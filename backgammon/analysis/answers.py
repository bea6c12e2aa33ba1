"""The answer of an engine about one position, as plain values, for the analysis board."""

from collections.abc import Callable
from typing import Any, Final, Literal

from backgammon.analysis.depths import AGAIN, Depth, judged, judged_at
from backgammon.counting.decisions import DecidedPlay, Doubling
from backgammon.counting.judging import DROPPED, Judgement, worth_of_turn
from backgammon.counting.positions import decision_of
from backgammon.counting.situation import MINE, THEIRS, Situation
from backgammon.engines.engine import Engine
from backgammon.rules.moves import Move
from backgammon.rules.notation import format_play
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Xgid

Line = dict[str, Any]

#: how many of the plays an answer names.
PLAYS_MOST: Final = 10

#: what to do with the cube, in the words of the player on roll.
Verdict = Literal[
    "no_double",
    "too_good",
    "double_take",
    "double_drop",
    "double_beaver",
    "no_double_beaver",
    "no_cube",
]

_DIGITS: Final = 4


def answer_line(xgid: Xgid, engine: Engine, depth: Depth) -> Line:
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


def _cube_line(situation: Situation, engine: Engine, ply: int) -> Line:
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
    }


def verdict(no_double: float, double_take: float, turns_most: int = 1) -> Verdict:
    """The right actions of both; a beaver counts where the cube may be turned again at once."""
    doubled = worth_of_turn(double_take, 1, turns_most)
    beavers = turns_most > 1 and double_take < 0
    if no_double > doubled:
        if double_take >= DROPPED:
            return "too_good"
        return "no_double_beaver" if beavers else "no_double"
    if double_take > DROPPED:
        return "double_drop"
    return "double_beaver" if beavers else "double_take"


_REFUSALS: Final[tuple[tuple[str, Callable[[Situation], bool]], ...]] = (
    ("crawford", lambda situation: situation.crawford),
    ("not_yours", lambda situation: situation.cube.owner == THEIRS),
    (
        "dead",
        lambda situation: situation.away is not None and situation.away[0] <= situation.cube.value,
    ),
)


def refusal_of(situation: Situation) -> str | None:
    """Why the player on roll may not double, by the codes of `rules.cube.CubeRefusal`."""
    return next((code for code, refuses in _REFUSALS if refuses(situation)), None)


def rounded(value: float) -> float:
    return round(value, _DIGITS) + 0.0  # never a -0.0
