"""Cost and truth of the analysis: `python -m bench.analysis [--gnubg] [--short] [--write FILE]`.

Matches to five points between players of mixed strength are played by the engine, with an error of
some size in every judgement, and analysed. Printed are the processor time of each depth, and
whether the decisions counted are those of the written rule.

`--gnubg` lets GNU Backgammon judge 200 of these decisions at 2 plies: what the best play of each
depth costs by its judgement, and how often both name the same action about the cube. `--write`
keeps its answers as a file of tests/analysis. `--short` takes one match and eight decisions.

`--rollout` rolls positions out instead: trials a second, and the standard error with the luck of
the rolls and without it. `--bearoff` makes the exact table of bear-offs: time, size and answers a
second, and with `--gnubg` 200 random cubes beside GNU Backgammon's own table. `--races` compares
the plies of the house on 200 races outside of that table with GNU Backgammon.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any

from backgammon.analysis.depths import AGAIN, DEPTHS, Before, Depth, analysed, judged
from backgammon.analysis.rollouts import BLOCKS_MOST, course_of
from backgammon.counting.decisions import DecidedPlay, Decision, Doubling, decisions
from backgammon.counting.figures import Judged
from backgammon.counting.judging import DROPPED, CubeValue, PlayValue
from backgammon.counting.positions import key_of, xgid_text
from backgammon.counting.situation import MINE, Situation
from backgammon.counting.trials import estimate
from backgammon.engines import gnubg
from backgammon.engines.engine import EngineError
from backgammon.engines.playout import played
from backgammon.engines.rollout import BLOCK, dice_of
from backgammon.engines.sage import house_engine
from backgammon.evaluation.bearoff_table import ALL, solved
from backgammon.rules.cube import Cube
from backgammon.rules.notation import format_play
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Xgid
from backgammon.tests.analysis.matches import PERFECT, Player, played_match

MIXED = (Player(1, 0.12), Player(1, 0.04), Player(1, 0.02), PERFECT)
COMPARED: tuple[Depth, ...] = ("full", "deep")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; 1 if GNU Backgammon was wanted and is not there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gnubg", action="store_true", help="compare with GNU Backgammon")
    parser.add_argument("--short", action="store_true", help="one match, eight decisions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, metavar="FILE", help="keep its answers")
    parser.add_argument("--rollout", action="store_true", help="measure rollouts instead")
    parser.add_argument("--bearoff", action="store_true", help="measure the table of bear-offs")
    parser.add_argument("--races", action="store_true", help="compare the plies in races")
    wanted = parser.parse_args(arguments)
    if wanted.races:
        return races(4 if wanted.short else 200, wanted.seed)
    if wanted.bearoff:
        return bear_offs(20 if wanted.short else 200, wanted.seed, beside_gnubg=wanted.gnubg)
    house_engine().table((5, 5), False)  # it is loaded
    if wanted.rollout:
        rollouts(4 if wanted.short else BLOCKS_MOST)
        return 0
    matches = 1 if wanted.short else 6
    print(f"{house_engine().name} {house_engine().version}")
    costs(matches, wanted.seed)
    if not wanted.gnubg:
        return 0
    sample = sampled(8 if wanted.short else 200, wanted.seed + 1000)
    try:
        with gnubg.running() as judge:
            answers = [answered(judge, decision) for decision in sample]
            print(f"\n{judge.name} {judge.version}, {gnubg.PLIES}-ply, {len(sample)} decisions")
    except EngineError as error:
        print(error, file=sys.stderr)
        return 1
    compared(answers)
    if wanted.write:
        lines = ",\n".join(json.dumps(kept(answer)) for answer in answers)
        wanted.write.write_text(f"[\n{lines}\n]\n")
    return 0


def mixed_match(seed: int, length: int = 5) -> list[Decision]:
    """The decisions of a match between two of the players."""
    chance = random.Random(seed)
    players = (chance.choice(MIXED), chance.choice(MIXED))
    return list(decisions(played_match(seed, players, length=length)))


def costs(matches: int, seed: int) -> None:
    """The processor time of each depth, on matches of its own: the engine remembers positions.

    The last line is the deep pass over a full one, which another process has made.
    """
    print(
        f"{'depth':15} {'matches':>7} {'decisions':>9} {'counted':>7} {'3-ply':>5}"
        "   s a match ms a decision"
    )
    for number, depth in enumerate(DEPTHS):
        _cost(depth, depth, [mixed_match(seed + 100 * number + index) for index in range(matches)])
    played = [mixed_match(seed + 300 + index) for index in range(matches)]
    with ProcessPoolExecutor(1, get_context("spawn")) as other:
        before = list(other.map(_full, played))
    _cost("deep after full", "deep", played, before)


def _full(match: list[Decision]) -> dict[tuple[int, int], Judged]:
    rows = analysed(match, house_engine(), "full")
    return {(row.decision.place.game, row.decision.place.number): row for row in rows}


def _cost(
    name: str, depth: Depth, played: Sequence[list[Decision]], before: Sequence[Before] = ()
) -> None:
    known = before or [{}] * len(played)
    begin = process_time()
    rows = [
        row
        for match, before_it in zip(played, known, strict=True)
        for row in analysed(match, house_engine(), depth, before_it)
    ]
    seconds = process_time() - begin
    counted = sum(row.judgement.counted for row in rows)
    again = sum(row.judgement.ply == AGAIN for row in rows)
    wrong = sum(row.judgement.counted != by_rule(row) for row in rows)
    print(
        f"{name:15} {len(played):7} {len(rows):9} {counted:7} {again:5}"
        f" {seconds / len(played):11.2f} {1000 * seconds / len(rows):13.1f}"
    )
    if wrong:
        print(f"{wrong} decisions are counted against the written rule")


#: positions that are rolled out: an opening play, a cube behind a prime, a play from the bar at a
#: score, and a race about a double.
ROLLED = (
    ("opening 3-1", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"),
    ("prime, cube", "XGID=-b---BDBB---dC--ac-e----B-:0:0:1:00:0:0:0:0:10"),
    ("anchor, 4-2", "XGID=-b--BBC-----dE---bcb-b---A:0:0:1:42:2:1:0:5:10"),
    ("race, cube", "XGID=----BBCCBB-A---a-bbbccb---:0:0:1:00:0:0:0:0:10"),
)


def rollouts(blocks: int) -> None:
    """Trials a second of a core, and the standard error with and without the luck."""
    print(f"{'position':12} {'trials':>6} {'a second':>8} {'luck':>7} {'without':>8} {'ratio':>6}")
    for name, line in ROLLED:
        course = course_of(key_of(Xgid.parse(line)), house_engine())
        start, trials = course.candidates[0].start, blocks * BLOCK
        begin = process_time()
        found = [played(start, dice_of(course.seed, trial)) for trial in range(trials)]
        seconds = process_time() - begin
        errors = [
            estimate([fmean(each[at : at + BLOCK]) for at in range(0, trials, BLOCK)]).error or 0.0
            for each in ([t.result for t in found], [t.without_luck for t in found])
        ]
        print(
            f"{name:12} {trials:6} {trials / seconds:8.0f} {errors[0]:7.4f}"
            f" {errors[1]:8.4f} {errors[0] / (errors[1] or 1.0):6.1f}"
        )


def bear_offs(count: int, seed: int, *, beside_gnubg: bool) -> int:
    """Time and size of the exact table; its errors by GNU Backgammon's own."""
    begin = process_time()
    table = solved()
    seconds = process_time() - begin
    chance = random.Random(seed)
    asked = [_bear_off(chance) for _ in range(count)]
    house_engine().cube(asked[0], 1)
    begin = process_time()
    found = [house_engine().cube(each, 1) for each in asked for _ in range(50)][::50]
    each_s = (process_time() - begin) / (50 * count)
    megabytes = table.nbytes / 1e6
    print(f"made in {seconds:.2f} s, {megabytes:.1f} MB, {1 / each_s:.0f} answers a second")
    if not beside_gnubg:
        return 0
    try:
        with gnubg.running() as judge:
            _beside(asked, found, [judge.cube(each, 0) for each in asked])
    except EngineError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _bear_off(chance: random.Random) -> Situation:
    mine, theirs = chance.choice(ALL[1:]), chance.choice(ALL[1:])
    points = (*mine, *[0] * 12, *(-count for count in reversed(theirs)))
    position = Position(points, off=(15 - sum(mine), 15 - sum(theirs)))
    return Situation(position, cube=chance.choice((Cube(), Cube(2, MINE))))


def races(count: int, seed: int) -> int:
    """How far each ply is from GNU Backgammon's 2-ply on races outside of the exact table."""
    chance = random.Random(seed)
    asked = [_race(chance) for _ in range(count)]
    try:
        with gnubg.running() as judge:
            theirs = [judge.cube(each) for each in asked]
    except EngineError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{count} races; mean and largest distance: win, no double, double and take; cubes")
    for ply in (1, 2, 3):
        ours = [house_engine().cube(each, ply) for each in asked]
        pairs = list(zip(ours, theirs, strict=True))
        told = [
            [abs(our.chances[0] - their.chances[0]) for our, their in pairs],
            [abs(our.no_double - their.no_double) for our, their in pairs],
            [abs(our.double_take - their.double_take) for our, their in pairs],
        ]
        others = sum(_actions(our) != _actions(their) for our, their in pairs)
        figures = ", ".join(f"{fmean(each):.4f} {max(each):.4f}" for each in told)
        print(f"{ply}-ply: {figures}; {others} other actions", flush=True)
    return 0


def _race(chance: random.Random) -> Situation:
    """A race that is nearly even, with all checkers within 12 points of home."""
    while True:
        sides = [[0] * 12, [0] * 12]
        for side in sides:
            for _ in range(chance.randint(7, 15)):
                side[min(chance.randrange(12), chance.randrange(12))] += 1
        mine, theirs = (sum(n * p for p, n in enumerate(side, 1)) for side in sides)
        if 0.85 * theirs <= mine <= 1.05 * theirs:
            points = (*sides[0], *(-count for count in reversed(sides[1])))
            off = (15 - sum(sides[0]), 15 - sum(sides[1]))
            return Situation(Position(points, off=off), cube=chance.choice((Cube(), Cube(2, MINE))))


def _actions(value: CubeValue) -> tuple[bool, bool]:
    """Whether to double, and whether to take."""
    return min(value.double_take, DROPPED) >= value.no_double, value.double_take <= DROPPED


def _beside(
    asked: Sequence[Situation], ours: Sequence[CubeValue], theirs: Sequence[CubeValue]
) -> None:
    apart, wrong = 0.0, 0
    for situation, our, their in zip(asked, ours, theirs, strict=True):
        apart = max(apart, abs(our.no_double - their.no_double))
        apart = max(apart, abs(our.double_take - their.double_take))
        if _actions(our) != _actions(their):
            wrong += 1
            print(xgid_text(situation, None), our, their)
    print(f"{len(asked)} cubes beside its table: {wrong} other actions, apart {apart:.4f} at most")


def by_rule(row: Judged) -> bool:
    """Whether a decision counts, by the rule as docs/analysis.md has it."""
    decision, options = row.decision, row.judgement.options
    equities = [option.equity for option in options]
    if isinstance(decision, DecidedPlay):
        spread = max(equities) - min(equities)
        return decision.played is not None and len(options) > 1 and spread >= 0.001
    if not isinstance(decision, Doubling) or decision.doubled:
        return True
    worth = {option.text: option.equity for option in options}
    return worth["no double"] > 0 and worth["no double"] - worth["double"] < 0.200


@dataclass(frozen=True, slots=True)
class Answered:
    """A decision and the other engine's answer."""

    decision: Decision
    plays: list[PlayValue]
    cube: CubeValue | None


def sampled(count: int, seed: int) -> list[Decision]:
    """Decisions of many matches, half of them plays with a choice, half about the cube."""
    chance = random.Random(seed)
    found: list[Decision] = []
    for number in range(max(2, count // 5)):
        found += mixed_match(seed + number, chance.choice((1, 3, 5, 7)))
    plays = [each for each in found if isinstance(each, DecidedPlay) and len(each.choices) > 1]
    cubes = [each for each in found if not isinstance(each, DecidedPlay)]
    half = count // 2
    return [*chance.sample(plays, half), *chance.sample(cubes, min(half, len(cubes)))]


def answered(judge: gnubg.GnuBackgammon, decision: Decision) -> Answered:
    """The answer of GNU Backgammon."""
    if isinstance(decision, DecidedPlay):
        return Answered(decision, judge.plays(decision), None)
    return Answered(decision, [], judge.cube(decision.situation))


def compared(answers: Sequence[Answered]) -> None:
    """The loss of our best play, and how often the action about the cube is the same."""
    plays = [answer for answer in answers if isinstance(answer.decision, DecidedPlay)]
    cubes = [answer for answer in answers if answer.cube is not None]
    for depth in COMPARED:
        lost = [cost(answer, depth) for answer in plays]
        agreed = sum(agrees(answer, depth) for answer in cubes)
        print(
            f"{depth:6} best play costs {fmean(lost):.5f} (largest {max(lost):.4f}), "
            f"same play {sum(not loss for loss in lost)} of {len(lost)}, "
            f"same cube {agreed} of {len(cubes)}"
        )


def cost(answer: Answered, depth: Depth) -> float:
    """The loss of the best play of this depth by the other engine's judgement."""
    best = judged(answer.decision, house_engine(), depth).best
    theirs = dict(_texts(answer))
    return max(0.0, answer.plays[0].equity - theirs[best].equity)


def _texts(answer: Answered) -> list[tuple[str, PlayValue]]:
    play, values = answer.decision, {value.result: value for value in answer.plays}
    assert isinstance(play, DecidedPlay)
    variant, position = by_key(play.situation.variant), play.situation.position
    return [
        (format_play(variant, position, choice.moves), values[choice.result])
        for choice in play.choices
    ]


def agrees(answer: Answered, depth: Depth) -> bool:
    """Whether both engines name the same action: of the doubler, or of the one who answers."""
    assert answer.cube is not None
    best = judged(answer.decision, house_engine(), depth).best
    return best == action(answer.decision, answer.cube)


def action(decision: Decision, value: CubeValue) -> str:
    """The right action in a match by these equities."""
    if isinstance(decision, Doubling):
        return "double" if min(value.double_take, DROPPED) > value.no_double else "no double"
    return "take" if value.double_take <= DROPPED else "drop"


def kept(answer: Answered) -> dict[str, Any]:
    """A question and its answer for a file."""
    decision = answer.decision
    told: dict[str, Any] = {"kind": decision.kind, **_line(decision.situation)}
    if isinstance(decision, DecidedPlay):
        told["dice"] = list(decision.dice)
        deep = max(value.ply for value in answer.plays)
        told["plays"] = {text: value.equity for text, value in _texts(answer) if value.ply == deep}
    else:
        assert answer.cube is not None
        told |= {"no_double": answer.cube.no_double, "double_take": answer.cube.double_take}
    return told


def _line(situation: Situation) -> dict[str, str]:
    return {"xgid": xgid_text(situation, None)}


if __name__ == "__main__":
    sys.exit(main())
