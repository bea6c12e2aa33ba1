"""Errors that judges see differently: a rollout decides what was lost."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from backgammon.analysis.rollouts import BLOCKS_MOST, Block, Course, is_over
from backgammon.counting.decisions import Answer, DecidedPlay, Decision, Doubling
from backgammon.counting.judging import (
    EXACT,
    ROLLED,
    SHOWN,
    CubeValue,
    Judgement,
    Option,
    PlayValue,
    RolledOut,
    judge_answer,
    judge_doubling,
    judge_play,
)
from backgammon.counting.trials import difference, estimate
from backgammon.engines.engine import Engine
from backgammon.engines.rollout import BLOCK, Candidate, candidates_named

#: judges differ if the losses that they see are so far apart.
DIFFERS: Final = 0.040

_DIGITS: Final = 4


def judges_differ(losses: Sequence[float]) -> bool:
    """Return True if a judge reports an error and two of them are too far apart about it."""
    if not losses or max(losses) < SHOWN:
        return False
    return round(max(losses) - min(losses), _DIGITS) >= DIFFERS


def check_of(
    decision: Decision, judgement: Judgement, engine: Engine, others: Collection[str], seed: str
) -> Course | None:
    """The rollout of what was done and of what judges call the best; None if there is none.

    `others` are what other judges call the best. What was looked up needs no rollout.
    """
    if judgement.ply == EXACT:
        return None
    asked: DecidedPlay | Doubling
    if isinstance(decision, Answer):
        asked = Doubling(decision.place, decision.situation, doubled=True)
    else:
        asked = decision
    found = tuple(candidates_named(asked, engine, {judgement.best, *others}))
    return Course(asked, found, seed) if len(found) > 1 else None


def checked(
    decision: Decision, judgement: Judgement, course: Course, blocks: Sequence[Block]
) -> Judgement:
    """The judgement with the equities of the rollout, its trials and its standard error."""
    columns = list(zip(*blocks, strict=True))
    decided = _judged(decision, course, [estimate(column).mean for column in columns])
    by_block = [_judged(decision, course, block) for block in blocks]
    best, second = (option.text for option in decided.options[:2])
    other = second if decided.played == best else best
    apart = difference(_equities(by_block, other), _equities(by_block, decided.played))
    rolled = {option.text for option in decided.options}
    return replace(
        decided,
        options=(*decided.options, *(o for o in judgement.options if o.text not in rolled)),
        counted=judgement.counted if isinstance(decision, DecidedPlay) else decided.counted,
        rolled=RolledOut(BLOCK * len(blocks), apart.error),
    )


def rolled_out(course: Course, blocks_most: int = BLOCKS_MOST) -> list[Block]:
    """All blocks of a check, one after the other."""
    blocks: list[Block] = []
    while not is_over(blocks, 0.0, blocks_most=blocks_most):
        blocks.append(course.block(len(blocks)))
    return blocks


def _judged(decision: Decision, course: Course, means: Sequence[float]) -> Judgement:
    match decision:
        case DecidedPlay():
            values = (
                _value(decision, *each) for each in zip(course.candidates, means, strict=True)
            )
            return judge_play(decision, sorted(values, key=lambda value: -value.equity))
        case Doubling():
            return judge_doubling(decision, _cube(course, means))
        case Answer():
            return judge_answer(decision, _cube(course, means))


def _value(decision: DecidedPlay, candidate: Candidate, mean: float) -> PlayValue:
    result = next(each.result for each in decision.choices if each.moves == candidate.moves)
    assert candidate.option.chances is not None, "the engine of the house tells them"
    return PlayValue(result, mean, ROLLED, candidate.option.chances)


def _cube(course: Course, means: Sequence[float]) -> CubeValue:
    chances = course.candidates[0].option.chances
    assert chances is not None, "the engine of the house tells them"
    return CubeValue(means[0], means[1], ROLLED, chances)


def _equities(judged: Iterable[Judgement], text: str) -> list[float]:
    return [_option(each.options, text).equity for each in judged]


def _option(options: Sequence[Option], text: str) -> Option:
    return next(option for option in options if option.text == text)
