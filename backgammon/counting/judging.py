"""The cost of a decision, and whether it counts: from an engine's equities to a judgement.

Equities are normalised: in points of the cube as it stands before the decision, so that a plain win
is worth 1 and a plain loss -1, also at a score. `docs/analysis.md` has the rule of counting.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from backgammon.counting.decisions import Answer, Choice, DecidedPlay, Doubling
from backgammon.formats.record import CubeVerb
from backgammon.rules.notation import format_play
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key

#: plays whose equities are all nearer than this are one to the count.
SAME: Final = 0.001

#: without a double the cube counts only if the equity is above 0 and doubling costs less than this.
CLOSE: Final = 0.200

#: losses below the first are shown as no error; the names are those of the marks.
MARKS: Final = ((0.080, "??"), (0.040, "?"), (0.020, "?!"))
SHOWN: Final = MARKS[-1][0]

#: the equity of a double that is dropped.
DROPPED: Final = 1.0

#: the depth of what was looked up in a table of exact values: it is deeper than every search.
EXACT: Final = 99

#: the depth of what was rolled out: deeper than every search.
ROLLED: Final = 90

NO_DOUBLE: Final = "no double"
DOUBLE: Final = "double"

#: chances of the player who decides: to win, with a gammon, with a backgammon; to lose likewise.
Chances = tuple[float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class PlayValue:
    """The worth of the position after a play for the player who made it, seen `ply` deep.

    `ply` is `EXACT` where it was looked up.
    """

    result: Position
    equity: float
    ply: int
    chances: Chances


@dataclass(frozen=True, slots=True)
class CubeValue:
    """The worth of the cube for the player on roll: not doubled, and doubled and taken."""

    no_double: float
    double_take: float
    ply: int
    chances: Chances


@dataclass(frozen=True, slots=True)
class Option:
    """Something that could have been done, as it is written, with its equity.

    The equity is that of the player who decides. `chances` is None where the engine has none.
    """

    text: str
    equity: float
    ply: int
    chances: Chances | None = None


@dataclass(frozen=True, slots=True)
class RolledOut:
    """The trials of the rollout that decided, and the standard error of the loss that it found."""

    trials: int
    error: float | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A decision judged: the options, the best first, and what the one taken lost.

    `loss` is None if nothing was decided (the game ended before the play). `gap` is how much worse
    the second option is than the best: the smaller, the harder; None without a choice. `cube` is
    what a decision about the cube was judged by. `rolled` is set if a rollout decided.
    """

    options: tuple[Option, ...]
    played: str
    loss: float | None
    counted: bool
    gap: float | None
    ply: int
    cube: CubeValue | None = None
    rolled: RolledOut | None = None

    @property
    def best(self) -> str:
        """The best option as it is written."""
        return self.options[0].text

    @property
    def mark(self) -> str:
        """The mark beside an error that is shown; "" for none."""
        return mark_of(self.loss)


def depth_text(ply: int) -> str:
    """How deep an answer is, as it is written."""
    return {EXACT: "exact", ROLLED: "rollout"}.get(ply, f"{ply}-ply")


def mark_of(loss: float | None) -> str:
    """The mark of a loss; "" if it is too small to be called an error."""
    if loss is None:
        return ""
    return next((mark for least, mark in MARKS if loss >= least), "")


def judge_play(play: DecidedPlay, values: Sequence[PlayValue]) -> Judgement:
    """Judge a play by its values, the best first; the play made is among the deepest.

    A value that is less deep than the first is never taken for better.
    """
    by_result = {choice.result: choice for choice in play.choices}
    options = tuple(
        Option(_text(play, by_result[value.result]), value.equity, value.ply, value.chances)
        for value in values
    )
    equities = [value.equity for value in values]
    loss = None
    if play.played is not None:
        made = next(value for value in values if value.result == play.played.result)
        loss = max(0.0, equities[0] - made.equity)
    return Judgement(
        options=options,
        played="" if play.played is None else _text(play, play.played),
        loss=loss,
        counted=play.played is not None
        and len(play.choices) > 1
        and max(equities) - min(equities) >= SAME,
        gap=max(0.0, equities[0] - equities[1]) if len(equities) > 1 else None,
        ply=values[0].ply,
    )


def _text(play: DecidedPlay, choice: Choice) -> str:
    situation = play.situation
    return format_play(by_key(situation.variant), situation.position, choice.moves)


def judge_doubling(doubling: Doubling, value: CubeValue) -> Judgement:
    """Judge a double, or that there was none."""
    doubled = worth_of_turn(value.double_take, 1, doubling.situation.cube_turns_most)
    worth = {NO_DOUBLE: value.no_double, DOUBLE: doubled}
    counted = doubling.doubled or (value.no_double > 0 and value.no_double - doubled < CLOSE)
    return _judged(worth, DOUBLE if doubling.doubled else NO_DOUBLE, value, counted=counted)


def judge_answer(answer: Answer, value: CubeValue) -> Judgement:
    """Judge the answer to a double, a beaver or a raccoon; it always counts."""
    made = answer.turns + (answer.verb in (CubeVerb.BEAVER, CubeVerb.RACCOON))
    most = max(made, answer.situation.cube_turns_most)
    worth = _answers(value.double_take, answer.turns, most)
    if answer.turns % 2:  # the opponent of the player who doubled first
        worth = {verb: -equity for verb, equity in worth.items()}
    return _judged(worth, answer.verb.value, value, counted=True)


def worth_of_turn(double_take: float, turns: int, most: int) -> float:
    """The doubler's equity when the cube has been turned so often and both go on rightly.

    The two sides answer in turn: after one turn the opponent, after a beaver the doubler.
    """
    answers = _answers(double_take, turns, most).values()
    return min(answers) if turns % 2 else max(answers)


def _answers(double_take: float, turns: int, most: int) -> dict[str, float]:
    """The doubler's equity after each answer to the cube that was turned `turns` times.

    Whoever answers loses the value before the last turn by dropping; every turn after the first
    doubles the stake of a position in which the same player owns the cube.
    """
    factor = 2.0 ** (turns - 1)
    worth = {
        CubeVerb.TAKE.value: factor * double_take,
        CubeVerb.DROP.value: factor * (DROPPED if turns % 2 else -DROPPED),
    }
    if turns < most:
        again = CubeVerb.BEAVER if turns == 1 else CubeVerb.RACCOON
        worth[again.value] = worth_of_turn(double_take, turns + 1, most)
    return worth


def _judged(worth: dict[str, float], done: str, value: CubeValue, *, counted: bool) -> Judgement:
    """The judgement of a choice between words; of equals the one that was done is the best."""
    order = sorted(worth, key=lambda word: (-worth[word], word != done))
    best, second = worth[order[0]], worth[order[1]]
    return Judgement(
        options=tuple(Option(word, worth[word], value.ply) for word in order),
        played=done,
        loss=best - worth[done],
        counted=counted,
        gap=best - second,
        ply=value.ply,
        cube=value,
    )
