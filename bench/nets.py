"""How strong the nets are: games against the eye, chance and a net of one minute, by variant.

`python -m bench.nets fevga --games 2000` trains the net of one minute anew (that is the minute).
`--against FILE` plays one ply of the net of a file instead; `--plies` plays two plies deep against
that or, without a file, against one ply of the same net. `--times` prints what a decision costs a
bot at each depth. Half the games are begun by each.

`python -m bench.nets backgammon --games 500` is about the net for devices: its distance from
bgsage, what its plays lose in so many decisions, and the time of an answer in Chromium.
"""

import argparse
from hashlib import sha256
from pathlib import Path
from random import Random
from time import process_time
from typing import Final

import numpy as np

from backgammon.evaluation.nets import device, trained
from backgammon.evaluation.nets.judge import NetJudge, equities_deep, equities_plain, judge_of
from backgammon.evaluation.nets.net import loaded
from backgammon.rules.variants import by_key
from backgammon.train.nets.cards import CONTEST_GAMES, minute_net, strength
from backgammon.train.nets.contests import by_net, by_net_deep, contest
from backgammon.train.nets.game import TrainingGame
from bench.device import measured

_SEED: Final = 99
_LETTERS: Final = 8
_DECISIONS: Final = 200
_FACES: Final = 6


def main() -> None:
    """Play and print, variant by variant."""
    asked = _asked()
    for key in asked.variants or [*sorted(trained.PRESENT), device.KEY]:
        if key == device.KEY:
            measured(asked.games)
            continue
        game, judge = TrainingGame(by_key(key)), judge_of(key)
        if judge is None:
            raise SystemExit(f"there is no net for {key}")
        began = process_time()
        if asked.times:
            _times(key, judge, asked.decisions)
            continue
        if asked.plies or asked.against:
            _contest(game, judge, asked)
        else:
            minute = minute_net(game, asked.minute_games)
            for name, score in strength(game, judge.net, minute, asked.games).items():
                print(f"{key} against {name}: {score.text()}", flush=True)
        print(f"{key}: {asked.games} games each in {process_time() - began:.0f} s of a core")


def _contest(game: TrainingGame, judge: NetJudge, asked: argparse.Namespace) -> None:
    """Against the net of a file, or against itself."""
    other, named = judge.net, "one"
    if asked.against:
        other = loaded(asked.against, game.inputs)
        digest = sha256(asked.against.read_bytes()).hexdigest()[:_LETTERS]
        named = f"one of {asked.against.name} ({digest})"
    mine = by_net_deep(game, judge) if asked.plies else by_net(game, judge.net)
    score = contest(game, (mine, by_net(game, other)), asked.games, _SEED)
    plies = "two plies" if asked.plies else "one ply"
    print(f"{game.variant.key}, {plies} against {named}: {score.text()}", flush=True)


def _times(key: str, judge: NetJudge, decisions: int) -> None:
    """Print the time of one decision, alone in a process, along games by the net."""
    variant, random = by_key(key), Random(_SEED)
    spent_ms: dict[str, list[float]] = {"one ply": [], "two plies": []}
    position, turn = variant.start, 0
    while turn < decisions:
        dice = [random.randint(1, _FACES) for _ in range(variant.dice_count)]
        results = sorted(variant.plays_from(position, dice).results, key=lambda end: end.text())
        for name, asks in (("one ply", equities_plain), ("two plies", equities_deep)):
            began = process_time()
            worth = asks(judge, results)
            spent_ms[name].append(1000 * (process_time() - began))
        best = results[int(np.argmax(worth))]
        turn += 1
        position = variant.start if variant.outcome(best) else best.turned(variant.way)
    for name, ms in spent_ms.items():
        mean, high = float(np.mean(ms)), float(np.percentile(ms, 95))
        print(f"{key}, {name}: {mean:.2f} ms a decision, 95 % within {high:.2f} ms", flush=True)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help="all that have a net")
    parser.add_argument("--games", type=int, default=CONTEST_GAMES)
    parser.add_argument("--minute-games", type=int, help="games of the net of one minute")
    parser.add_argument("--plies", action="store_true", help="two plies against one")
    parser.add_argument("--against", type=Path, metavar="FILE.npz", help="the net of this file")
    parser.add_argument("--times", action="store_true", help="milliseconds a decision")
    parser.add_argument("--decisions", type=int, default=_DECISIONS, help="so many of them")
    return parser.parse_args()


if __name__ == "__main__":
    main()
