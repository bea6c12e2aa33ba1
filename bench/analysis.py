"""Cost and truth of the analysis: `python -m bench.analysis [--gnubg] [--short] [--write FILE]`.

Matches to five points between players of mixed strength are played by the engine, with an error of
some size in every judgement, and analysed. Printed are the processor time of each depth, and
whether the decisions counted are those of the written rule.

`--gnubg` lets GNU Backgammon judge 200 of these decisions at 2 plies: what the best play of each
depth costs by its judgement, and how often both name the same action about the cube. `--write`
keeps its answers as a file of tests/analysis. `--short` takes one match and eight decisions.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any

from analysis.counting.decisions import Decision, Doubling, Play, decisions
from analysis.counting.figures import Judged
from analysis.counting.judging import DROPPED, CubeValue, PlayValue
from analysis.counting.positions import xgid_text
from analysis.counting.situation import Situation
from analysis.engines import gnubg
from analysis.engines.engine import EngineError
from analysis.engines.sage import house_engine
from analysis.passes import DEPTHS, Depth, analysed, judged
from games.rules.notation import format_play
from games.rules.variants import by_key
from tests.analysis.matches import PERFECT, Player, played_match

MIXED = (Player(1, 0.12), Player(1, 0.04), Player(1, 0.02), PERFECT)
COMPARED: tuple[Depth, ...] = ("full", "deep")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; 1 if GNU Backgammon was wanted and is not there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gnubg", action="store_true", help="compare with GNU Backgammon")
    parser.add_argument("--short", action="store_true", help="one match, eight decisions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, metavar="FILE", help="keep its answers")
    wanted = parser.parse_args(arguments)
    house_engine().table((5, 5), False)  # it is loaded
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
    """The processor time of each depth, on matches of its own: the engine remembers positions."""
    print(
        f"{'depth':6} {'matches':>7} {'decisions':>9} {'counted':>7} {'3-ply':>5} {'s a match':>9}"
    )
    for number, depth in enumerate(DEPTHS):
        played = [mixed_match(seed + 100 * number + index) for index in range(matches)]
        begin = process_time()
        rows = [row for match in played for row in analysed(match, house_engine(), depth)]
        seconds = (process_time() - begin) / matches
        counted = sum(row.judgement.counted for row in rows)
        again = sum(row.judgement.ply > 2 for row in rows)
        wrong = sum(row.judgement.counted != by_rule(row) for row in rows)
        print(f"{depth:6} {matches:7} {len(rows):9} {counted:7} {again:5} {seconds:9.2f}")
        if wrong:
            print(f"{wrong} decisions are counted against the written rule")


def by_rule(row: Judged) -> bool:
    """Whether a decision counts, by the rule as docs/analysis.md has it."""
    decision, options = row.decision, row.judgement.options
    equities = [option.equity for option in options]
    if isinstance(decision, Play):
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
    plays = [each for each in found if isinstance(each, Play) and len(each.choices) > 1]
    cubes = [each for each in found if not isinstance(each, Play)]
    half = count // 2
    return [*chance.sample(plays, half), *chance.sample(cubes, min(half, len(cubes)))]


def answered(judge: gnubg.GnuBackgammon, decision: Decision) -> Answered:
    """The answer of GNU Backgammon."""
    if isinstance(decision, Play):
        return Answered(decision, judge.plays(decision), None)
    return Answered(decision, [], judge.cube(decision.situation))


def compared(answers: Sequence[Answered]) -> None:
    """The loss of our best play, and how often the action about the cube is the same."""
    plays = [answer for answer in answers if isinstance(answer.decision, Play)]
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
    assert isinstance(play, Play)
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
    if isinstance(decision, Play):
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
