"""A rollout as plain values: what has come of it so far, and whether it has gone far enough."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from backgammon.analysis.answers import Line, moves_line
from backgammon.analysis.verdicts import refusal_of, rounded, verdict
from backgammon.counting.decisions import DecidedPlay, Doubling
from backgammon.counting.judging import DROPPED, worth_of_turn
from backgammon.counting.positions import decision_of, roll_of
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

#: one whose trials were chosen goes on to the last of them, or for so many seconds.
SECONDS_CHOSEN_MOST: Final = 3600.0

#: what a turn of a trial takes of a core, about, by the plies of its players.
SECONDS_A_TURN: Final = {1: 0.007, 2: 0.017}

Block = list[float]


@dataclass(frozen=True, slots=True)
class RolloutChoices:
    """The choices of the person who asks for a rollout; without any it goes as usual.

    `trials` None: as many as make it exact enough. `plies` is how deep the players of the trials
    look, `turns` where a trial is cut short. Without `cube` nobody doubles. `play` is rolled out
    beside the best ones.
    """

    trials: int | None = None
    plies: int = 1
    cube: bool = True
    turns: int = TURNS
    play: str = ""

    def text(self) -> str:
        """Return what differs from the usual, as the key of answers; "" if nothing does."""
        usual = asdict(USUAL)
        chosen = {name: value for name, value in asdict(self).items() if value != usual[name]}
        return json.dumps(chosen, sort_keys=True, separators=(",", ":")) if chosen else ""

    @classmethod
    def parse(cls, text: str) -> "RolloutChoices":
        """Read what `text` has written."""
        return cls(**json.loads(text)) if text else USUAL

    @property
    def blocks_most(self) -> int:
        """The blocks after which the rollout ends at the latest."""
        return BLOCKS_MOST if self.trials is None else -(-self.trials // BLOCK)

    @property
    def seconds_most(self) -> float:
        """The seconds of a core after which the rollout ends at the latest."""
        return SECONDS_MOST if self.trials is None else SECONDS_CHOSEN_MOST

    def seconds_about(self, candidates_count: int) -> float:
        """Estimate the seconds of a core that the rollout of so many candidates takes at most."""
        turns = BLOCK * self.blocks_most * self.turns * candidates_count
        return min(self.seconds_most, turns * SECONDS_A_TURN[self.plies])


USUAL: Final = RolloutChoices()


@dataclass(frozen=True, slots=True)
class Course:
    """A rollout of a position: its candidates, and how it is to go.

    `seed` makes the dice; the same position has the same dice wherever it is rolled out.
    """

    decision: DecidedPlay | Doubling
    candidates: tuple[Candidate, ...]
    seed: str
    choices: RolloutChoices = USUAL

    def block(self, number: int) -> Block:
        """The means of a block of trials."""
        starts, chosen = [each.start for each in self.candidates], self.choices
        return block_played(starts, self.seed, number, turns=chosen.turns, plies=chosen.plies)


def course_of(xgid: Xgid, engine: Engine, choices: RolloutChoices = USUAL) -> Course:
    """The rollout of a question as `backgammon.counting.positions.key_of` writes it."""
    decision = decision_of(xgid)
    assert isinstance(decision, DecidedPlay | Doubling), "nobody has doubled yet"
    if choices.play:
        assert xgid.dice is not None, "a play has dice"
        decision = roll_of(decision.situation, xgid.dice, choices.play)
    if not choices.cube:
        plain = replace(decision.situation, has_cube=False, jacoby=False, beavers=False)
        decision = replace(decision, situation=plain)
    return Course(decision, tuple(candidates(decision, engine)), xgid.text(), choices)


def is_over(
    blocks: Sequence[Block],
    seconds: float,
    *,
    blocks_most: int = BLOCKS_MOST,
    choices: RolloutChoices = USUAL,
) -> bool:
    """Whether the rollout has gone far enough."""
    if choices.trials is not None:
        blocks_most = choices.blocks_most
    if len(blocks) >= blocks_most or seconds >= choices.seconds_most:
        return bool(blocks)
    is_exact = len(blocks) >= BLOCKS_ENOUGH and _largest_error(blocks) <= ERROR_GOAL
    return is_exact and choices.trials is None


def percent(blocks: Sequence[Block], seconds: float, choices: RolloutChoices = USUAL) -> int:
    """How far it is, by what ends it first: trials, seconds, or the standard error."""
    shares = [len(blocks) / choices.blocks_most, seconds / choices.seconds_most]
    if len(blocks) >= BLOCKS_ENOUGH and choices.trials is None:
        shares.append((ERROR_GOAL / max(_largest_error(blocks), ERROR_GOAL)) ** 2)
    return min(99, round(100 * max(shares)))


def _largest_error(blocks: Sequence[Block]) -> float:
    return max(estimate(column).error or 0.0 for column in zip(*blocks, strict=True))


def rollout_line(course: Course, blocks: Sequence[Block]) -> Line:
    """The answer of a rollout at its end, or the one so far."""
    columns = [list(column) for column in zip(*blocks, strict=True)]
    told = {
        "ply": course.choices.plies,
        "trials": BLOCK * len(blocks),
        "trials_most": BLOCK * course.choices.blocks_most,
        "turns": course.choices.turns,
        "cube": course.choices.cube,
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
    made = course.decision.played and course.decision.played.moves
    options = []
    for candidate, column in rolled:
        found = estimate(column)
        options.append(
            {
                "text": candidate.option.text,
                "own": candidate.moves == made,
                "moves": moves_line(candidate.moves),
                "equity": rounded(found.mean),
                "loss": rounded(best - found.mean),
                "ply": course.choices.plies,
                "chances": [rounded(chance) for chance in candidate.option.chances or ()] or None,
                **_exactness(found),
            }
        )
    compared = []
    first, column = rolled[0]
    for place, (candidate, other) in enumerate(rolled[1:], start=1):
        if place == 1 or candidate.moves == made:
            apart = _compared("play", difference(column, other))
            compared.append({**apart, "better": first.option.text, "worse": candidate.option.text})
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
