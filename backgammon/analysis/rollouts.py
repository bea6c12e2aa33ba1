"""A rollout as plain values: what has come of it so far, and whether it has gone far enough."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from backgammon.analysis.answers import Line, moves_line
from backgammon.analysis.verdicts import refusal_of, rounded, verdict
from backgammon.counting.decisions import DecidedPlay, Doubling
from backgammon.counting.judging import DROPPED, worth_of_turn
from backgammon.counting.positions import decision_of
from backgammon.counting.situation import MINE
from backgammon.counting.trials import Estimate, difference, estimate
from backgammon.engines.engine import Engine
from backgammon.engines.playout import TURNS
from backgammon.engines.rollout import BLOCK, Candidate, block_played, candidates
from backgammon.rules.xgid import Xgid

#: a rollout ends after so many blocks, or so many seconds of a core.
BLOCKS_MOST: Final = 36
SECONDS_MOST: Final = 300.0

#: it ends sooner when every standard error is at most this after so many blocks.
ERROR_GOAL: Final = 0.005
BLOCKS_ENOUGH: Final = 10

#: the plays of a trial are chosen so many plies deep.
PLY: Final = 1

Block = list[float]


@dataclass(frozen=True, slots=True)
class Course:
    """A rollout of a position: its candidates, and how it is to go.

    `seed` makes the dice; the same position has the same dice wherever it is rolled out.
    """

    decision: DecidedPlay | Doubling
    candidates: tuple[Candidate, ...]
    seed: str

    def block(self, number: int) -> Block:
        """The means of a block of trials."""
        return block_played([each.start for each in self.candidates], self.seed, number)


def course_of(xgid: Xgid, engine: Engine) -> Course:
    """The rollout of a question as `backgammon.counting.positions.key_of` writes it."""
    decision = decision_of(xgid)
    assert isinstance(decision, DecidedPlay | Doubling), "nobody has doubled yet"
    return Course(decision, tuple(candidates(decision, engine)), xgid.text())


def is_over(blocks: Sequence[Block], seconds: float, *, blocks_most: int = BLOCKS_MOST) -> bool:
    """Whether the rollout has gone far enough."""
    if len(blocks) >= blocks_most or seconds >= SECONDS_MOST:
        return bool(blocks)
    return len(blocks) >= BLOCKS_ENOUGH and _largest_error(blocks) <= ERROR_GOAL


def percent(blocks: Sequence[Block], seconds: float) -> int:
    """How far it is, by what ends it first: trials, seconds, or the standard error."""
    shares = [len(blocks) / BLOCKS_MOST, seconds / SECONDS_MOST]
    if len(blocks) >= BLOCKS_ENOUGH:
        shares.append((ERROR_GOAL / max(_largest_error(blocks), ERROR_GOAL)) ** 2)
    return min(99, round(100 * max(shares)))


def _largest_error(blocks: Sequence[Block]) -> float:
    return max(estimate(column).error or 0.0 for column in zip(*blocks, strict=True))


def rollout_line(course: Course, blocks: Sequence[Block]) -> Line:
    """The answer of a rollout at its end, or the one so far."""
    columns = [list(column) for column in zip(*blocks, strict=True)]
    told = {
        "ply": PLY,
        "trials": BLOCK * len(blocks),
        "trials_most": BLOCK * BLOCKS_MOST,
        "turns": TURNS,
    }
    if isinstance(course.decision, DecidedPlay):
        return _plays_line(course, columns, told)
    return _cube_line(course, columns, told)


def _plays_line(course: Course, columns: list[Block], told: Line) -> Line:
    """The plays that were rolled out, the best first, each with its standard error."""
    assert isinstance(course.decision, DecidedPlay)
    rolled = sorted(
        zip(course.candidates, columns, strict=True),
        key=lambda each: -estimate(each[1]).mean,
    )
    best = estimate(rolled[0][1]).mean
    options = []
    for candidate, column in rolled:
        found = estimate(column)
        options.append(
            {
                "text": candidate.option.text,
                "moves": moves_line(candidate.moves),
                "equity": rounded(found.mean),
                "loss": rounded(best - found.mean),
                "ply": PLY,
                "chances": [rounded(chance) for chance in candidate.option.chances or ()] or None,
                **_exactness(found),
            }
        )
    compared = []
    if len(rolled) > 1:
        (first, column), (second, other) = rolled[:2]
        apart = _compared("play", difference(column, other))
        compared.append({**apart, "better": first.option.text, "worse": second.option.text})
    return {
        "kind": "play",
        "choices": len(course.decision.choices),
        "options": options,
        "compared": compared,
        **told,
    }


def _cube_line(course: Course, columns: list[Block], told: Line) -> Line:
    """The cube: no double and a double that is taken, each with its standard error."""
    situation = course.decision.situation
    refusal, most = refusal_of(situation), situation.cube_turns_most
    stay = estimate(columns[0])
    taken = None if refusal else estimate(columns[1])
    chances = course.candidates[0].option.chances or ()
    return {
        "kind": "cube",
        "no_double": rounded(stay.mean),
        "double_take": taken and rounded(taken.mean),
        "double_drop": None if refusal else DROPPED,
        "double": taken and rounded(worth_of_turn(taken.mean, 1, most)),
        "verdict": verdict(stay.mean, taken.mean, most) if taken else "no_cube",
        "refusal": refusal,
        "redouble": situation.cube.owner == MINE,
        "chances": [rounded(chance) for chance in chances],
        "exactness": {
            "no_double": _exactness(stay),
            "double_take": taken and _exactness(taken),
        },
        "compared": _cube_compared(columns, most) if taken else [],
        **told,
    }


def _cube_compared(columns: list[Block], turns_most: int) -> list[Line]:
    """Doubling against not, and taking against dropping.

    Whether the double is taken is decided by the mean of all trials, not block by block.
    """
    stay, taken = columns
    factor = worth_of_turn(estimate(taken).mean, 1, turns_most) / (estimate(taken).mean or 1.0)
    dropped = [DROPPED] * len(stay)
    is_dropped = estimate(taken).mean > DROPPED
    doubled = dropped if is_dropped else [factor * value for value in taken]
    return [
        _sides("double", difference(doubled, stay), ("double", "no_double")),
        _sides("take", difference(dropped, taken), ("take", "drop")),
    ]


def _sides(what: str, apart: Estimate, names: tuple[str, str]) -> Line:
    """Which of the two is better: the first if the difference is positive."""
    better, worse = names if apart.mean >= 0 else names[::-1]
    return {**_compared(what, apart), "better": better, "worse": worse}


def _compared(what: str, apart: Estimate) -> Line:
    """How far two choices are apart, always as a positive number."""
    return {
        "what": what,
        "by": rounded(abs(apart.mean)),
        "is_clear": apart.is_clear,
        **_exactness(apart),
    }


def _exactness(found: Estimate) -> dict[str, Any]:
    """The standard error, and what to add and subtract for the 95 % band."""
    return {
        "error": None if found.error is None else rounded(found.error),
        "band": None if found.half_band is None else rounded(found.half_band),
    }
