"""The trainer: the same seed gives the same net, and learning makes it better."""

from pathlib import Path

import numpy as np
import pytest

from backgammon.evaluation import eye
from backgammon.evaluation.nets.boards import boards_of
from backgammon.evaluation.nets.inputs import Inputs
from backgammon.evaluation.nets.net import loaded
from backgammon.rules.variants import by_key
from backgammon.tests.analysis.test_nets_search import KEYS, passed_through
from backgammon.train.nets.__main__ import main as train
from backgammon.train.nets.contests import by_chance, by_eye, by_net, contest
from backgammon.train.nets.eye import Eye
from backgammon.train.nets.game import TrainingGame
from backgammon.train.nets.learning import LAMBDA, returns
from backgammon.train.nets.training import SelfPlay


@pytest.mark.parametrize("key", KEYS)
def test_the_eye_of_many_boards_is_that_of_one(key: str) -> None:
    variant = by_key(key)
    positions = [position for position, _, _ in passed_through(variant, 120, 3)]
    found = Eye(variant, TrainingGame(variant).kind)(boards_of(positions))
    for position, worth in zip(positions, found, strict=True):
        assert worth == pytest.approx(eye.standing(variant, position), abs=1e-4)


def test_a_return_lies_between_the_next_board_and_the_end() -> None:
    """By hand: three boards of two players, the last one won by the player who moved first."""
    values = np.array([[0.6, 0.1, 0.0], [0.5, 0.2, 0.1], [1.0, 0.0, 0.0]], np.float32)
    wanted = returns(values, np.array([False, True, False]))
    second = np.array([1 - 1.0, 0.0, 0.0])
    first = (1 - LAMBDA) * np.array([0.5, 0.1, 0.2]) + LAMBDA * np.array([1.0, 0.0, 0.0])
    assert wanted == pytest.approx(np.stack([first, second]), abs=1e-6)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_net() -> None:
    game = TrainingGame(by_key("plakoto"))
    one, two, other = (SelfPlay(game, seed).play(250) for seed in (5, 5, 6))
    for mine, again in zip(one.weights.all(), two.weights.all(), strict=True):
        assert (mine == again).all()
    assert (one.weights.first != other.weights.first).any()


@pytest.mark.slow
def test_a_few_seconds_teach_a_net_to_beat_chance() -> None:
    game = TrainingGame(by_key("plakoto"))
    chance = by_chance(np.random.default_rng(1))
    fresh, taught = (SelfPlay(game, 1).play(games) for games in (1, 500))
    before = contest(game, (by_net(game, fresh), chance), 100, 2).share
    after = contest(game, (by_net(game, taught), chance), 100, 2).share
    assert after > max(0.6, before)
    assert contest(game, (by_eye(game), chance), 100, 2).share > 0.9


@pytest.mark.slow
def test_the_command_writes_a_net_that_can_be_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tapa.npz"
    train(["tapa", "--games=60", "--contests=0", f"--to={path}"])
    assert "games" in capsys.readouterr().out
    assert loaded(path, Inputs(TrainingGame(by_key("tapa")).kind)).weights.first.shape[1] == 80


@pytest.mark.parametrize("wrong", ["--to=net.txt", "--to=/nowhere/net.npz"])
def test_a_wrong_path_is_refused_before_training(
    wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        train(["tapa", wrong])
    assert "--to" in capsys.readouterr().err
