"""Blunders of the house and of GNU Backgammon, side by side: `python -m bench.blunders N`.

N matches are played by bots of mixed strength, the same ones for the same seed, and judged by the
house at both depths of reports and by GNU Backgammon at its 2-ply, its usual analysis.

A blunder of one judge is a loss of 0.080 or more. It counts as agreed if the other judge sees a
loss of at least 0.040 in the same decision. Both directions are printed, by kind of decision, and
every decision about which the deep report and GNU Backgammon differ by 0.040 or more, with the loss
that a rollout finds. A rollout is nearer to one of the judges; none if it is as near to both.
`--short` takes two games and one rollout, and is content where GNU Backgammon is missing.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.exercises.themes import phase_of
from backgammon.analysis.checks import DIFFERS, check_of, checked, judges_differ, rolled_out
from backgammon.analysis.depths import analysed, judged_at
from backgammon.analysis.rollouts import BLOCKS_MOST
from backgammon.counting.decisions import DecidedPlay, Decision
from backgammon.counting.judging import MARKS, Judgement, depth_text
from backgammon.counting.positions import xgid_text
from backgammon.engines import gnubg
from backgammon.engines.engine import EngineError
from backgammon.engines.sage import house_engine
from bench.analysis import mixed_match

BLUNDER: Final = MARKS[0][0]

#: the loss from which on the other judge agrees.
AGREED: Final = 0.040

#: nobody waits for this program, so a busy machine may take its time.
ANSWER_MOST_S: Final = 600.0


@dataclass(frozen=True, slots=True)
class Both:
    """A decision with the judgements of the house, and that of GNU Backgammon."""

    decision: Decision
    full: Judgement
    deep: Judgement
    theirs: Judgement

    @property
    def kind(self) -> str:
        """The kind of the decision, and the phase of the game."""
        return f"{self.decision.kind}, {phase_of(self.decision.situation)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the comparison; 1 without GNU Backgammon."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("matches", type=int, nargs="?", default=12, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--length", type=int, default=5, help="points of a match")
    parser.add_argument("--rollouts", type=int, default=10_000, help="roll out so many at most")
    parser.add_argument("--short", action="store_true", help="two games, one rollout")
    wanted = parser.parse_args(arguments)
    if wanted.short:
        wanted.matches, wanted.length = 2, 1
    found: list[Both] = []
    try:
        with gnubg.running(answer_most_s=ANSWER_MOST_S) as judge:
            print(f"{house_engine().name} {house_engine().version}; {judge.name} {judge.version}")
            for number in range(wanted.matches):
                match = mixed_match(wanted.seed + number, wanted.length)
                found += judged_by_both(match, judge)
                print(f"match {number + 1}: {len(found)} decisions", file=sys.stderr, flush=True)
    except EngineError as error:
        print(error, file=sys.stderr)
        return 0 if wanted.short else 1
    agreement(found)
    disagreements(found, 1 if wanted.short else wanted.rollouts, 1 if wanted.short else BLOCKS_MOST)
    return 0


def judged_by_both(match: Sequence[Decision], judge: gnubg.GnuBackgammon) -> Iterator[Both]:
    """The decisions of a match in which something could be lost."""
    engine = house_engine()
    full = {(row.decision.place.game, row.decision.place.number): row
            for row in analysed(match, engine, "full")}  # fmt: skip
    for row in analysed(match, engine, "deep", full):
        decision = row.decision
        before = full[decision.place.game, decision.place.number].judgement
        is_open = not isinstance(decision, DecidedPlay) or len(decision.choices) > 1
        if is_open and row.judgement.loss is not None:
            yield Both(decision, before, row.judgement, judged_at(decision, judge, gnubg.PLIES))


def agreement(found: Sequence[Both]) -> None:
    """How many blunders of one judge the other agrees with, in both directions, by kind."""
    for depth in ("full", "deep"):
        pairs = [(row.kind, _loss(getattr(row, depth)), _loss(row.theirs)) for row in found]
        for name, ours, theirs in (
            (f"{depth} report", 1, 2),
            (f"GNU Backgammon, by the {depth} report", 2, 1),
        ):
            blunders = [pair for pair in pairs if pair[ours] >= BLUNDER]
            agreed = [pair for pair in blunders if pair[theirs] >= AGREED]
            share = 100 * len(agreed) / len(blunders) if blunders else 100.0
            print(f"{len(agreed)} of {len(blunders)} blunders of {name} are agreed: {share:.1f} %")
            missed = Counter(pair[0] for pair in blunders)
            missed.subtract(pair[0] for pair in agreed)
            print(
                "".join(f"  not: {count} {kind}\n" for kind, count in missed.items() if count),
                end="",
            )


def disagreements(found: Sequence[Both], most: int, blocks_most: int) -> None:
    """Every decision about which the judges differ, with its rollout and whom it is nearer to."""
    differing = [row for row in found if judges_differ((_loss(row.deep), _loss(row.theirs)))]
    print(f"{len(differing)} of {len(found)} decisions differ by {DIFFERS:.3f} or more")
    nearer: Counter[str] = Counter()
    for number, row in enumerate(differing):
        told = f"{_loss(row.deep):.3f} ({depth_text(row.deep.ply)}), {_loss(row.theirs):.3f}"
        line = f"  {row.kind}: {row.deep.played}: {told}"
        decided = _decided(row, blocks_most) if number < most else None
        if decided is None:
            print(f"{line}; not rolled out", flush=True)
            continue
        assert decided.rolled is not None
        side = _nearer(_loss(decided), row)
        nearer[side] += 1
        error = decided.rolled.error or 0.0
        print(
            f"{line}; rollout {_loss(decided):.3f} ± {error:.3f}"
            f" ({decided.rolled.trials} trials): {side}",
            flush=True,
        )
    print("rollouts are nearer to: " + ", ".join(f"{side} {n}" for side, n in nearer.items()))


def _decided(row: Both, blocks_most: int) -> Judgement | None:
    decision = row.decision
    dice = decision.dice if isinstance(decision, DecidedPlay) else None
    seed = xgid_text(decision.situation, dice)
    course = check_of(decision, row.deep, house_engine(), {row.theirs.best}, seed)
    if course is None:
        return None
    return checked(decision, row.deep, course, rolled_out(course, blocks_most))


def _nearer(loss: float, row: Both) -> str:
    ours, theirs = abs(loss - _loss(row.deep)), abs(loss - _loss(row.theirs))
    return "neither" if ours == theirs else "the house" if ours < theirs else "GNU Backgammon"


def _loss(judgement: Judgement) -> float:
    return judgement.loss or 0.0


if __name__ == "__main__":
    sys.exit(main())
