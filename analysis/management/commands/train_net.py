"""``manage.py train_net``: train the net of a variant by self-play."""

from argparse import ArgumentParser
from pathlib import Path
from time import process_time
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from backgammon.evaluation.nets.here import KEYS
from backgammon.evaluation.nets.net import loaded, saved
from backgammon.rules.variants import by_key
from backgammon.train.nets.cards import (
    CONTEST_GAMES,
    card,
    check_boards,
    minute_net,
    strength,
    written,
)
from backgammon.train.nets.game import Game
from backgammon.train.nets.training import SelfPlay

_GAMES: Final = 100_000
_BAR: Final = 30


class Command(BaseCommand):
    """``manage.py train_net VARIANT --to FILE [--games N] [--seed S]``."""

    help = "Train the net of a variant by self-play (docs/analysis.md). Needs no database."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The variant, how long, and where the weights go."""
        parser.add_argument("variant", choices=sorted(KEYS))
        parser.add_argument("--to", metavar="FILE.npz", type=Path, required=True)
        parser.add_argument(
            "--games", type=int, default=_GAMES, help="how many games to learn from"
        )
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--contests",
            type=int,
            default=CONTEST_GAMES,
            help="games against each other player for the card; 0 writes no card",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Train, write the weights, measure, write the card."""
        to: Path = options["to"]
        if to.suffix != ".npz" or not to.parent.is_dir():
            raise CommandError(f"--to {to}: give the path of an .npz file in a folder that exists.")
        if options["games"] < 1:
            raise CommandError("--games: at least 1.")
        game = Game(by_key(options["variant"]))
        play = SelfPlay(game, options["seed"])
        began = process_time()
        net = play.play(options["games"], lambda done: self._bar(done, options["games"]))
        spent_s = process_time() - began
        saved(to, net, check_boards(play))
        size = to.stat().st_size / 1e3
        self.stdout.write(
            f"{to}: {play.games:,} games in {spent_s:,.0f} s of a core, {size:.0f} kB"
        )
        if options["contests"]:
            self._measure(game, to, options, spent_s)

    def _measure(self, game: Game, to: Path, options: dict[str, Any], spent_s: float) -> None:
        kept = loaded(to, game.inputs)
        scores = strength(game, kept, minute_net(game), options["contests"])
        for name, score in scores.items():
            self.stdout.write(f"against {name}: {score.text()}")
        written(to, card(game, options["games"], options["seed"], spent_s, scores))

    def _bar(self, done: int, games: int) -> None:
        if self.stdout.isatty():
            share = min(1.0, done / games)
            filled = "#" * round(_BAR * share)
            self.stdout.write(f"\r{filled:<{_BAR}} {100 * share:3.0f} %", ending="")
            self.stdout.flush()
