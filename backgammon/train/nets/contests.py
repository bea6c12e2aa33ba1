"""Many games between two judges: how strong a net is beside the eye, chance or another net."""

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from backgammon.evaluation.nets.boards import Bytes, Floats, Numbers
from backgammon.evaluation.nets.endings import best_of_each, ended, other_side
from backgammon.evaluation.nets.judge import DEEPER_MOST, NetJudge
from backgammon.evaluation.nets.net import Net
from backgammon.evaluation.nets.search import GOES_ON, Steps
from backgammon.train.nets.eye import Eye
from backgammon.train.nets.game import Judge, TrainingGame
from backgammon.train.nets.training import Rolls

#: games that are not over after so many turns count half for each side.
TURNS_MOST: Final = 800
_Z: Final = 1.96


@dataclass(frozen=True, slots=True)
class Score:
    """The result of the first judge: its share of wins and points a game, with the 95 % bands."""

    games: int
    share: float
    share_band: float
    points: float
    points_band: float

    def text(self) -> str:
        """`73.7 ± 1.9 %, +0.84 ± 0.04 points a game`."""
        return (
            f"{100 * self.share:.1f} ± {100 * self.share_band:.1f} %,"
            f" {self.points:+.2f} ± {self.points_band:.2f} points a game"
        )


def by_net(game: TrainingGame, net: Net) -> Judge:
    """One ply of a net."""
    return lambda boards, standing, games: game.worth(game.chances(net, boards, standing))


def by_net_deep(game: TrainingGame, judge: NetJudge) -> Judge:
    """The best plays of a net two plies deep, as the strongest bot plays."""

    def deep(boards: Bytes, standing: Steps, games: Numbers) -> Floats:
        worth = game.worth(game.chances(judge.net, boards, standing))
        order = np.lexsort((-worth, games))
        first = np.searchsorted(games[order], games[order])
        best = order[np.arange(len(order)) - first < DEEPER_MOST]
        searched = best[standing[best] == GOES_ON]
        worth_deep = np.full(len(boards), -np.inf, np.float32)
        worth_deep[best] = worth[best]
        if len(searched):
            theirs = judge.before_roll(game.kind.turned(boards[searched]))
            worth_deep[searched] = game.worth(other_side(theirs))
        return worth_deep

    return deep


def by_eye(game: TrainingGame) -> Judge:
    """The judgement without a net."""
    eye = Eye(game.variant, game.kind)

    def judge(boards: Bytes, standing: Steps, games: Numbers) -> Floats:
        worth = eye(boards)
        over = np.flatnonzero(standing != GOES_ON)
        worth[over] = game.worth(ended(game.variant, boards[over], standing[over]))
        return worth

    return judge


def by_chance(random: np.random.Generator) -> Judge:
    """Any legal play."""
    return lambda boards, standing, games: random.random(len(boards)).astype(np.float32)


def contest(game: TrainingGame, judges: tuple[Judge, Judge], games: int, seed: int) -> Score:
    """`games` games, half of them begun by each; the score of the first judge."""
    rolls = Rolls(game.variant, games, np.random.default_rng(seed))
    rolls.mover[:] = np.arange(games) % 2
    boards = np.repeat(game.start[None], games, 0)
    points, live = np.zeros(games), np.ones(games, bool)
    for _ in range(TURNS_MOST):
        steps, owners = rolls.roll()
        here = np.flatnonzero(live)
        if not len(here):
            break
        place = np.full(games, -1)
        place[here] = np.arange(len(here))
        mine = live[owners]
        found = game.search.results(
            boards[here], steps[mine], place[owners[mine]], rolls.first_doubles()[here]
        )
        mover, worth = rolls.mover[here], np.empty(len(found.boards), np.float32)
        for side, judge in enumerate(judges):
            rows = np.flatnonzero(mover[found.games] == side)
            if len(rows):
                worth[rows] = judge(found.boards[rows], found.standing[rows], found.games[rows])
        best = best_of_each(worth, found.games, len(here))
        boards[here], standing = found.boards[best], found.standing[best]
        over = np.flatnonzero(standing != GOES_ON)
        value = game.worth(ended(game.variant, boards[here[over]], standing[over]))
        points[here[over]] = np.where(mover[over] == 0, value, -value)
        live[here[over]] = False
        played = np.zeros(games, np.int8)
        played[here] = found.played
        turned = np.flatnonzero(rolls.played(played) & live)
        boards[turned] = game.kind.turned(boards[turned])
    return _score(points)


def _score(points: np.ndarray) -> Score:
    games = len(points)
    share = float((points > 0).sum() + 0.5 * (points == 0).sum()) / games
    return Score(
        games,
        share,
        _Z * sqrt(share * (1 - share) / games),
        float(points.mean()),
        _Z * float(points.std()) / sqrt(games),
    )
