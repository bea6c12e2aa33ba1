"""The nets of the house: what is checked on loading, and that they play."""

import json
from pathlib import Path

import numpy as np
import pytest

from backgammon.bots.strength import STRONGEST
from backgammon.evaluation.nets import trained
from backgammon.evaluation.nets.boards import boards_of, kind_of
from backgammon.evaluation.nets.endings import other_side
from backgammon.evaluation.nets.inputs import Inputs
from backgammon.evaluation.nets.judge import NetJudge, equities_deep, equities_plain, judge_of
from backgammon.evaluation.nets.net import NetError, loaded
from backgammon.rules.variants import KEYS, by_key
from games.bots.plays import judged_by
from harness.bot_games import played_out

PRESENT = sorted(trained.PRESENT)


def judge(key: str) -> NetJudge:
    found = judge_of(key)
    assert found is not None
    return found


def changed(path: Path, to: Path, **changes: object) -> Path:
    """A copy of the file with other arrays."""
    with np.load(path) as file:
        kept = dict(file) | changes
    np.savez_compressed(to, **kept)
    return to


def test_every_variant_has_a_judge_of_its_own() -> None:
    """The engine, a net, or rules of thumb; the nets are those of the folder."""
    by_net = {key for key in KEYS if judged_by(key) == "net"}
    assert by_net == trained.PRESENT
    assert judged_by("portes") == judged_by("short_nardi") == "engine"


@pytest.mark.parametrize("key", PRESENT)
def test_a_net_is_small_and_has_a_card(key: str) -> None:
    path = trained.path_of(key)
    assert path.stat().st_size < 300_000
    card = json.loads(path.with_suffix(".json").read_text())
    assert card["variant"] == key
    assert card["inputs"] == judge(key).net.inputs.count
    assert card["strength"]["eye"]["games"] >= 2000
    assert card["strength"]["minute"]["wins_percent"] >= 50


@pytest.mark.parametrize("key", PRESENT)
def test_a_net_that_answers_otherwise_is_refused(key: str, tmp_path: Path) -> None:
    """Another unit, other inputs, one changed weight: none is noticed by playing."""
    path, inputs = trained.path_of(key), Inputs(kind_of(by_key(key)))
    with np.load(path) as file:
        hidden = file["array1"] + np.float16(1)
    for name, change in (
        ("unit", {"unit": np.array("relu")}),
        ("version", {"version": np.array(99)}),
        ("weights", {"array1": hidden}),
        ("inputs", {"array0": np.zeros((5, 80), np.float16)}),
    ):
        with pytest.raises(NetError):
            loaded(changed(path, tmp_path / f"{name}.npz", **change), inputs)


@pytest.mark.parametrize("key", PRESENT)
def test_the_mean_over_the_rolls_is_near_the_bare_answer(key: str) -> None:
    """Two plies see the same game as one: on the start they differ by little."""
    variant, net = by_key(key), judge(key)
    boards = boards_of([variant.start])
    two = net.worth(net.before_roll(boards))[0]
    one = net.worth(other_side(net.net.chances(net.kind.turned(boards))))[0]
    # of the most that a game can count: 2, 3 or 15 points
    assert two == pytest.approx(one, abs=max(0.25, 0.03 * net.kind.most))
    assert net.weights.sum() == pytest.approx(1)


@pytest.mark.parametrize("key", PRESENT)
def test_a_finished_game_is_worth_what_it_counts(key: str) -> None:
    variant, net = by_key(key), judge(key)
    all_off = variant.start.__class__(
        points=tuple(-min(0, count) * -1 for count in variant.start.points),
        off=(variant.checkers, 0),
        hand=(0, variant.in_hand),
    )
    outcome = variant.outcome(all_off)
    assert outcome is not None
    sign = 1 if outcome.winner == "mover" else -1
    for equities in (equities_plain, equities_deep):
        assert equities(net, [all_off])[0] == pytest.approx(sign * outcome.level, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("key", PRESENT)
def test_a_game_between_bots_comes_to_its_end(key: str) -> None:
    assert played_out(key, 3, (STRONGEST, "beginner")).state.phase == "over"
