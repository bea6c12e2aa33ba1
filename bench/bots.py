"""How well each level of the house bot plays: `python -m bench.bots [--games N] [--json]`.

Each level plays practice games of backgammon against itself on the pure machine, and the analysis
of the house judges every decision. Printed are the PR with its 95 % band and the counted decisions
it rests on, plays without an error, errors about the cube, and the games against the next level.
`--depth quick` is for looking for parameters; the figures of the house are those of `full`.

Then each level plays the next stronger one, where nothing is judged: its wins and points.
`--variants` lets them do so in other games.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev

from backgammon.analysis.depths import DEPTHS, Depth, analysed
from backgammon.bots.strength import STRENGTHS
from backgammon.counting.decisions import DecidedPlay, decisions
from backgammon.counting.figures import PR_SCALE, Judged, band
from backgammon.engines.house import engine_for
from games.records import record_of
from harness.bot_games import played_out

JUDGED = "backgammon"
#: a loss from which a play is a blunder that anybody sees.
GROSS = 0.25


@dataclass(frozen=True, slots=True)
class Rates:
    """The figures of a level over all its games."""

    level: str
    games: int
    depth: str
    decisions: int
    pr: float
    low: float
    high: float
    plays_pr: float
    plays_right_percent: float
    gross_percent: float
    cube_pr: float
    doubles_missed: int
    doubles_wrong: int
    takes_wrong: int
    drops_wrong: int


@dataclass(frozen=True, slots=True)
class Contest:
    """A level against the next stronger one: how often this one won, and the points a game."""

    variant: str
    level: str
    other: str
    games: int
    wins_percent: float
    wins_band: float
    points: float
    points_band: float


def judged_games(level: str, seeds: Iterable[int], depth: Depth) -> Iterator[list[Judged]]:
    """Games of a level against itself, judged."""
    for seed in seeds:
        rig = played_out(JUDGED, seed, (level, level))
        record = record_of(rig.events, terms=rig.state.terms, players=(level, level))
        yield list(analysed(decisions(record), engine_for(record.variants), depth))


def rates(level: str, seeds: Sequence[int], depth: Depth) -> Rates:
    """Play and judge."""
    return rates_of(level, depth, list(judged_games(level, seeds, depth)))


def rates_of(level: str, depth: Depth, games: Sequence[Sequence[Judged]]) -> Rates:
    """The figures of judged games; all losses of both seats go into one rate, as in a report."""
    rows = [row for game in games for row in game]
    plays = [row for row in rows if isinstance(row.decision, DecidedPlay)]
    cubes = [row for row in rows if not isinstance(row.decision, DecidedPlay)]
    losses = _counted(plays)
    within = band(_counted(rows))
    return Rates(
        level=level,
        games=len(games),
        depth=depth,
        decisions=len(_counted(rows)),
        pr=_pr(rows),
        low=within.low if within else 0.0,
        high=within.high if within else 0.0,
        plays_pr=_pr(plays),
        plays_right_percent=100 * fmean(_is_right(row) for row in plays if row.judgement.counted),
        gross_percent=100 * fmean(loss >= GROSS for loss in losses),
        cube_pr=_pr(cubes),
        doubles_missed=_errors(cubes, "no double"),
        doubles_wrong=_errors(cubes, "double"),
        takes_wrong=_errors(cubes, "take"),
        drops_wrong=_errors(cubes, "drop"),
    )


def contest(variant: str, level: str, other: str, seeds: Sequence[int]) -> Contest:
    """Games of two levels; each sits in either seat, with the same dice."""
    points = []
    for seed in seeds:
        seats = (level, other) if seed % 2 else (other, level)
        ended = played_out(variant, seed // 2, seats).state.match
        assert ended is not None
        last = ended.last_game
        assert last is not None
        won = last.winner is not None and seats[last.winner] == level
        points.append(last.points if won else -last.points)
    wins = fmean(point > 0 for point in points)
    return Contest(
        variant=variant,
        level=level,
        other=other,
        games=len(seeds),
        wins_percent=100 * wins,
        wins_band=196 * sqrt(wins * (1 - wins) / len(seeds)),
        points=fmean(points),
        points_band=1.96 * stdev(points) / sqrt(len(seeds)) if len(seeds) > 1 else 0.0,
    )


def _counted(rows: Iterable[Judged]) -> list[float]:
    return [row.judgement.loss or 0.0 for row in rows if row.judgement.counted]


def _pr(rows: Sequence[Judged]) -> float:
    counted = len(_counted(rows))
    lost = sum(row.judgement.loss or 0.0 for row in rows)
    return PR_SCALE * lost / counted if counted else 0.0


def _is_right(row: Judged) -> bool:
    return not row.judgement.mark


def _errors(rows: Iterable[Judged], choice: str) -> int:
    return sum(row.judgement.played == choice and bool(row.judgement.mark) for row in rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, judge and print, level by level."""
    wanted = _wanted(arguments)
    seeds = range(wanted.seed, wanted.seed + wanted.games)
    for level in wanted.levels:
        if wanted.games:
            _print(rates(level, seeds, wanted.depth), as_json=wanted.json)
    pairs = [pair for pair in pairwise(STRENGTHS) if pair[0] in wanted.levels]
    for variant in wanted.variants:
        for level, other in pairs:
            if wanted.contests:
                fought = range(wanted.seed, wanted.seed + wanted.contests)
                _print(contest(variant, level, other, fought), as_json=wanted.json)
    return 0


def _wanted(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20, help="games of each level that are judged")
    parser.add_argument("--contests", type=int, default=40, help="games against the next level")
    parser.add_argument("--levels", nargs="+", choices=STRENGTHS, default=STRENGTHS)
    parser.add_argument("--variants", nargs="+", default=[JUDGED], help="of the contests")
    parser.add_argument("--depth", choices=DEPTHS, default="full")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="a line of JSON for each result")
    return parser.parse_args(arguments)


def _print(result: Rates | Contest, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(asdict(result)), flush=True)
        return
    print(_rates_text(result) if isinstance(result, Rates) else _contest_text(result), flush=True)


def _rates_text(found: Rates) -> str:
    return (
        f"{found.level:12} PR {found.pr:5.2f} ({found.low:.2f} to {found.high:.2f}), "
        f"{found.decisions} decisions of {found.games} games, {found.depth}; "
        f"plays {found.plays_pr:.2f}, {found.plays_right_percent:.1f} % without error, "
        f"{found.gross_percent:.2f} % lose {GROSS} or more; cube {found.cube_pr:.2f}: "
        f"{found.doubles_missed} doubles missed, {found.doubles_wrong} wrong, "
        f"{found.takes_wrong} takes and {found.drops_wrong} drops wrong"
    )


def _contest_text(found: Contest) -> str:
    return (
        f"{found.variant}: {found.level} against {found.other}, {found.games} games: "
        f"{found.wins_percent:.1f} ± {found.wins_band:.1f} % won, "
        f"{found.points:+.2f} ± {found.points_band:.2f} points a game"
    )


if __name__ == "__main__":
    sys.exit(main())
