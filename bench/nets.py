"""How strong the nets are: games against the eye, chance and a net of one minute, by variant.

`python -m bench.nets fevga --games 2000` trains the net of one minute anew (that is the minute).
`--plies` plays the net two plies deep against itself at one ply. Half the games are begun by each.
"""

import argparse
from time import process_time
from typing import Final

from backgammon.evaluation.nets import trained
from backgammon.evaluation.nets.judge import NetJudge, judge_of
from backgammon.rules.variants import by_key
from backgammon.train.nets.cards import CONTEST_GAMES, minute_net, strength
from backgammon.train.nets.contests import by_net, by_net_deep, contest
from backgammon.train.nets.game import TrainingGame

_SEED: Final = 99


def main() -> None:
    """Play and print, variant by variant."""
    asked = _asked()
    for key in asked.variants or sorted(trained.PRESENT):
        game, judge = TrainingGame(by_key(key)), judge_of(key)
        if judge is None:
            raise SystemExit(f"there is no net for {key}")
        began = process_time()
        if asked.plies:
            print(f"{key}, two plies against one: {_plies(game, judge, asked.games)}", flush=True)
            continue
        for name, score in strength(
            game, judge.net, minute_net(game, asked.minute_games), asked.games
        ).items():
            print(f"{key} against {name}: {score.text()}", flush=True)
        print(f"{key}: {asked.games} games each in {process_time() - began:.0f} s of a core")


def _plies(game: TrainingGame, judge: NetJudge, games: int) -> str:
    judges = by_net_deep(game, judge), by_net(game, judge.net)
    return contest(game, judges, games, _SEED).text()


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help="all that have a net")
    parser.add_argument("--games", type=int, default=CONTEST_GAMES)
    parser.add_argument("--minute-games", type=int, help="games of the net of one minute")
    parser.add_argument("--plies", action="store_true", help="two plies against one")
    return parser.parse_args()


if __name__ == "__main__":
    main()
