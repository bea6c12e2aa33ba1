"""The card of a net: how it was trained, and how strong it is in games against others."""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np

from backgammon.evaluation.nets.inputs import VERSION
from backgammon.evaluation.nets.net import UNIT, Net
from backgammon.train.nets.contests import Score, by_chance, by_eye, by_net, contest
from backgammon.train.nets.game import TrainingGame
from backgammon.train.nets.learning import HIDDEN
from backgammon.train.nets.training import SelfPlay

CONTEST_GAMES: Final = 2000
#: the games of a net that is trained for about a minute, to show what longer training gives.
MINUTE_GAMES: Final[dict[str, int]] = {"tabula": 1_000, "misere": 6_000, "russian": 12_000}
MINUTE_GAMES_ELSE: Final = 15_000
CHECK_BOARDS: Final = 24
_MINUTE_SEED: Final = 77
_CONTEST_SEED: Final = 4321

Card = dict[str, Any]


def minute_games(key: str) -> int:
    """The number of games that a net of about one minute has learnt from."""
    return MINUTE_GAMES.get(key, MINUTE_GAMES_ELSE)


def minute_net(game: TrainingGame, games: int | None = None) -> Net:
    """A net of about a minute, trained to its end like any other."""
    return SelfPlay(game, _MINUTE_SEED).play(games or minute_games(game.variant.key))


def strength(game: TrainingGame, net: Net, minute: Net, games: int) -> dict[str, Score]:
    """`games` games each against the eye, against chance and against the net of one minute."""
    mine = by_net(game, net)
    chance = by_chance(np.random.default_rng(_CONTEST_SEED))
    others = {"eye": by_eye(game), "chance": chance, "minute": by_net(game, minute)}
    return {
        name: contest(game, (mine, other), games, _CONTEST_SEED + number)
        for number, (name, other) in enumerate(others.items())
    }


def card(game: TrainingGame, games: int, seed: int, cpu_s: float, scores: dict[str, Score]) -> Card:
    """The content of the file beside the weights."""
    return {
        "variant": game.variant.key,
        "games": games,
        "seed": seed,
        "cpu_s": round(cpu_s),
        "inputs_version": VERSION,
        "inputs": game.inputs.count,
        "hidden": HIDDEN,
        "unit": UNIT,
        "minute_games": minute_games(game.variant.key),
        "strength": {
            name: {
                "games": score.games,
                "wins_percent": round(100 * score.share, 1),
                "band_percent": round(100 * score.share_band, 1),
                "points_a_game": round(score.points, 2),
                "points_band": round(score.points_band, 2),
            }
            for name, score in scores.items()
        },
    }


def written(path: Path, content: Card) -> None:
    """Write the card beside the weights."""
    path.with_suffix(".json").write_text(json.dumps(content, indent=1) + "\n")


def check_boards(play: SelfPlay) -> np.ndarray:
    """Some boards of the last games, for the check on loading."""
    found: np.ndarray = np.ascontiguousarray(play.boards[:CHECK_BOARDS])
    return found
