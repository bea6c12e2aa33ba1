"""Train the net of a variant by self-play: `python -m backgammon.train.nets VARIANT --to FILE`."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Final

from backgammon.evaluation.nets.net import loaded, saved
from backgammon.evaluation.nets.trained import KEYS
from backgammon.rules.variants import by_key
from backgammon.train.nets.cards import (
    CONTEST_GAMES,
    card,
    check_boards,
    minute_net,
    strength,
    written,
)
from backgammon.train.nets.game import TrainingGame
from backgammon.train.nets.training import SelfPlay

_GAMES: Final = 100_000
_BAR: Final = 30


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, write the weights, measure, write the card."""
    parser = ArgumentParser(prog="python -m backgammon.train.nets", description=__doc__)
    parser.add_argument("variant", choices=sorted(KEYS))
    parser.add_argument("--to", metavar="FILE.npz", type=Path, required=True)
    parser.add_argument("--games", type=int, default=_GAMES, help="how many games to learn from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--contests",
        type=int,
        default=CONTEST_GAMES,
        help="games against each other player for the card; 0 writes no card",
    )
    options = parser.parse_args(arguments)
    to: Path = options.to
    if to.suffix != ".npz" or not to.parent.is_dir():
        parser.error(f"--to {to}: give the path of an .npz file in a folder that exists.")
    if options.games < 1:
        parser.error("--games: at least 1.")
    game = TrainingGame(by_key(options.variant))
    play = SelfPlay(game, options.seed)
    began = process_time()
    net = play.play(options.games, lambda done: _bar(done, options.games))
    spent_s = process_time() - began
    saved(to, net, check_boards(play))
    size = to.stat().st_size / 1e3
    print(f"{to}: {play.games:,} games in {spent_s:,.0f} s of a core, {size:.0f} kB")
    if options.contests:
        _measure(game, options, spent_s)


def _measure(game: TrainingGame, options: Namespace, spent_s: float) -> None:
    kept = loaded(options.to, game.inputs)
    scores = strength(game, kept, minute_net(game), options.contests)
    for name, score in scores.items():
        print(f"against {name}: {score.text()}")
    written(options.to, card(game, options.games, options.seed, spent_s, scores))


def _bar(done: int, games: int) -> None:
    if sys.stdout.isatty():
        share = min(1.0, done / games)
        filled = "#" * round(_BAR * share)
        print(f"\r{filled:<{_BAR}} {100 * share:3.0f} %", end="", flush=True)


if __name__ == "__main__":
    main()
