"""The legal plays of a table's roll with what they are worth, the best first.

The engine judges the variants it supports, a net of this house those that have one, and rules of
thumb the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from backgammon.bots import engine
from backgammon.counting.situation import Situation
from backgammon.evaluation import sage
from backgammon.evaluation.eye import standing
from backgammon.evaluation.nets.judge import equities_deep, equities_plain, judge_of
from backgammon.rules.cube import Cube
from backgammon.rules.moves import Move
from backgammon.rules.position import Position
from games.table.state import Game, TableState
from games.table.turn import legal_plays

JudgedBy = Literal["engine", "net", "eye"]


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """One play that leads to `result`, and the mover's equity after it in points of the cube."""

    moves: tuple[Move, ...]
    result: Position
    equity: float


def judged_by(variant: str) -> JudgedBy:
    """The judge of the plays in a variant."""
    if variant in sage.VARIANTS | engine.BY_CHANCES:
        return "engine"
    return "net" if judge_of(variant) else "eye"


def plays_ranked(
    state: TableState, dice: tuple[int, ...], *, deep: bool = False
) -> tuple[RankedPlay, ...]:
    """Every play of `dice` for the player on roll that leads somewhere else, the best first.

    Plays worth the same stand in the order in which the graph has them. With `deep` a net looks at
    the best of them two plies deep.
    """
    game = state.game
    assert game is not None, "no game is running"
    graph = legal_plays(state, game, dice).graph
    ends = tuple(graph.ends())
    worth = _worth(state, game, [result for _, result in ends], deep=deep)
    ranked = [
        RankedPlay(moves, result, equity)
        for (moves, result), equity in zip(ends, worth, strict=True)
    ]
    return tuple(sorted(ranked, key=lambda play: -play.equity))


def situation_of(state: TableState, game: Game) -> Situation:
    """The position of the running game with cube and score, for the player on roll."""
    terms, owner = state.terms, game.cube.owner
    return Situation(
        position=game.position,
        cube=Cube(game.cube.value, None if owner is None else int(owner != game.on_roll)),
        away=_away(state, game),
        crawford=game.crawford,
        jacoby=terms.jacoby,
        beavers=terms.beavers,
        variant=state.variant.key,
    )


def _away(state: TableState, game: Game) -> tuple[int, int] | None:
    """The points that the mover and the opponent need to win a match; None in a single game."""
    if state.terms.contest != "points" or state.match is None:
        return None
    needed = [state.terms.target_points - points for points in state.match.score]
    return (needed[game.on_roll], needed[1 - game.on_roll])


def _worth(
    state: TableState, game: Game, results: Sequence[Position], *, deep: bool
) -> list[float]:
    key = state.variant.key
    if judged_by(key) == "engine":
        return engine.plays_worth(situation_of(state, game), results)
    if judge := judge_of(key):
        return equities_deep(judge, results) if deep else equities_plain(judge, results)
    return [by_eye(state, result) for result in results]


def by_eye(state: TableState, result: Position) -> float:
    """The worth of a play by the rules of thumb; a finished game is worth what it counts."""
    variant = state.variant
    outcome = variant.outcome(result)
    if outcome is None:
        return standing(variant, result)
    sign = {"mover": 1, "opponent": -1, None: 0}[outcome.winner]
    return float(sign * outcome.level)
