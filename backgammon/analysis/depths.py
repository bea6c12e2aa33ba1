"""A pass of an engine over the decisions of a match, at one of three depths."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import inf
from types import MappingProxyType
from typing import Final, Literal, get_args

from backgammon.counting.chances import span
from backgammon.counting.decisions import Answer, DecidedPlay, Decision, Doubling
from backgammon.counting.figures import Judged
from backgammon.counting.judging import (
    EXACT,
    MARKS,
    SHOWN,
    Judgement,
    judge_answer,
    judge_doubling,
    judge_play,
)
from backgammon.counting.situation import Situation
from backgammon.engines.engine import Engine, HouseEngine
from backgammon.rules.variants import by_key

Depth = Literal["quick", "full", "deep"]

DEPTHS: Final[tuple[Depth, ...]] = get_args(Depth)

#: how deep each looks at every decision.
PLIES: Final[dict[Depth, int]] = {"quick": 1, "full": 2, "deep": 2}

#: how deep a second look is.
AGAIN: Final = 3

#: a loss from which on a decision has a second look: full never calls anything a blunder without
#: it, deep no error.
DOUBTED: Final[dict[Depth, float]] = {"quick": inf, "full": MARKS[0][0], "deep": SHOWN}

#: a counted decision has a second look, too, if its two best choices are nearer than this: the
#: plays, and the answers to the cube or to the question of doubling.
NEAR_PLAYS: Final[dict[Depth, float]] = {"quick": 0.0, "full": 0.01, "deep": 0.04}
NEAR_CUBES: Final[dict[Depth, float]] = {"quick": 0.0, "full": 0.10, "deep": 0.10}

#: near plays have a second look only where so much was lost, or nothing has been played: looking
#: again at the best play alone can only find errors, and counts too many of them.
LOST_LEAST: Final[dict[Depth, float]] = {"quick": inf, "full": 0.01, "deep": 0.0}

#: the depths at which the cube in a race has a second look: bgsage's bare net leans to one side
#: there, so 1-ply and 2-ply err in turn (bench/results/2026-11-28-blunders.md).
RACES_AGAIN: Final[tuple[Depth, ...]] = ("full", "deep")

#: a gap is compared as it is stored, so a pass over stored decisions looks again at the same ones.
GAP_DIGITS: Final = 4


#: the decisions of an earlier pass, by game and number.
Before = Mapping[tuple[int, int], Judged]


def analysed(
    decisions: Iterable[Decision],
    engine: HouseEngine,
    depth: Depth,
    before: Before = MappingProxyType({}),
) -> Iterator[Judged]:
    """Every decision judged, one after the other; games that the engine cannot play are left out.

    The quick depth has no luck: it would take longer than all the rest. `before` is the full pass
    of the same engine: the deep one gives back what it would judge alike, as the same object.
    """
    for decision in decisions:
        known = before.get((decision.place.game, decision.place.number))
        if known is not None:
            yield _deepened(decision, known, engine, depth)
        elif engine.supports(decision.situation):
            luck = None
            if isinstance(decision, DecidedPlay) and depth != "quick":
                luck = engine.luck(decision)
            yield Judged(
                decision,
                judged(decision, engine, depth),
                span(decision.situation, engine.table),
                luck,
            )


def _deepened(decision: Decision, known: Judged, engine: HouseEngine, depth: Depth) -> Judged:
    """The decision as it was judged before, or judged again where the depth has a second look."""
    judgement = known.judgement
    if judgement.ply >= AGAIN or not _looks_again(decision, judgement, depth):
        return known
    return replace(known, judgement=judged_at(decision, engine, AGAIN))


def judged(decision: Decision, engine: Engine, depth: Depth) -> Judgement:
    """One decision judged, with a second look where the depth has one."""
    judgement = judged_at(decision, engine, PLIES[depth])
    if _looks_again(decision, judgement, depth):
        return judged_at(decision, engine, AGAIN)
    return judgement


def _looks_again(decision: Decision, judgement: Judgement, depth: Depth) -> bool:
    is_play = isinstance(decision, DecidedPlay)
    near = NEAR_PLAYS if is_play else NEAR_CUBES
    is_open = judgement.counted or judgement.loss is None  # or nothing has been played yet
    if is_open and not is_play and depth in RACES_AGAIN and _is_race(decision.situation):
        return judgement.ply != EXACT
    if is_play and judgement.loss is not None and judgement.loss < LOST_LEAST[depth]:
        return False
    is_near = (
        is_open and judgement.gap is not None and round(judgement.gap, GAP_DIGITS) < near[depth]
    )
    return is_near or (judgement.loss or 0.0) >= DOUBTED[depth]


def _is_race(situation: Situation) -> bool:
    return not situation.position.contact(by_key(situation.variant).way)


def judged_at(decision: Decision, engine: Engine, ply: int) -> Judgement:
    """One decision judged, so many plies deep."""
    match decision:
        case DecidedPlay():
            return judge_play(decision, engine.plays(decision, ply))
        case Doubling():
            return judge_doubling(decision, engine.cube(decision.situation, ply))
        case Answer():
            return judge_answer(decision, engine.cube(decision.situation, ply))
