"""The net for devices: what it must say whatever it has learnt, and how near bgsage it is."""

from pathlib import Path

import numpy as np
import pytest

from backgammon.analysis.answers import answer_line
from backgammon.counting.positions import key_of, xgid_of
from backgammon.engines.device import device_engine
from backgammon.engines.engine import EngineError
from backgammon.evaluation.nets import device
from backgammon.evaluation.nets.boards import boards_of
from backgammon.evaluation.nets.device import device_net, is_race
from backgammon.evaluation.nets.net import NetError, loaded
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from backgammon.tests.analysis.test_nets_search import passed_through
from backgammon.train.imitation.__main__ import main as train
from backgammon.train.imitation.lessons import Teacher
from backgammon.train.imitation.measuring import distance, play_error

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


def board(*mine: int, theirs: tuple[int, ...] = (), bar: tuple[int, int] = (0, 0)) -> np.ndarray:
    """One row with checkers on these points, the mover's and the opponent's; the rest is off."""
    points = [mine.count(point) - theirs.count(point) for point in range(1, 25)]
    off = (15 - len(mine) - bar[0], 15 - len(theirs) - bar[1])
    return boards_of([Position(tuple(points), bar, off)])


@pytest.mark.parametrize(
    ("row", "chances"),
    [
        (board(theirs=(20, 21)), (1, 0, 0, 0, 0)),
        (board(theirs=(20,) * 15), (1, 1, 0, 0, 0)),
        (board(theirs=(20,) * 14 + (6,)), (1, 1, 1, 0, 0)),
        (board(theirs=(20,) * 14, bar=(0, 1)), (1, 1, 1, 0, 0)),
    ],
)
def test_a_won_game_is_what_it_is(row: np.ndarray, chances: tuple[int, ...]) -> None:
    assert device_net().chances(row)[0].tolist() == list(chances)


def test_nobody_loses_a_gammon_who_has_borne_off() -> None:
    both = device_net().chances(board(1, 2, 8, theirs=(24, 24, 5)))[0]
    assert both[1:].tolist() == [0, 0, 0, 0]
    mine = device_net().chances(board(1, 2, 3, theirs=(20,) * 14 + (4,)))[0]
    assert mine[3:].tolist() == [0, 0]
    assert mine[1] > 0


def test_no_chance_is_greater_than_the_one_it_is_part_of() -> None:
    found = device_net().chances(Teacher(3).lessons(2000).boards)
    win, gammon, backgammon, lost_gammon, lost_backgammon = found.T
    assert (backgammon <= gammon).all()
    assert (gammon <= win).all()
    assert (lost_backgammon <= lost_gammon).all()
    assert (lost_gammon <= 1 - win).all()


def test_a_race_is_one_by_the_rules() -> None:
    passed = [position for position, _, _ in passed_through(by_key("backgammon"), 400, 5)]
    apart = is_race(boards_of(passed))
    assert apart.any()
    assert apart.tolist() == [not position.contact() for position in passed]


def test_the_net_is_near_bgsage() -> None:
    """On boards that it has not learnt from; docs/analysis.md names the exact figures."""
    assert distance(device_net(), Teacher(77).lessons(4000)).mean < 0.06
    assert play_error(device_engine(), 40, seed=4).pr < 10


def test_the_engine_answers_as_others_do() -> None:
    line = answer_line(key_of(xgid_of(OPENING)), device_engine(), "quick")
    assert line["options"][0]["text"] == "8/5 6/5"
    assert line["ply"] == 1
    cube = answer_line(key_of(xgid_of(OPENING.replace(":31:", ":00:"))), device_engine(), "quick")
    assert cube["verdict"] == "no_double"


def test_at_a_score_the_cube_is_not_judged() -> None:
    asked = key_of(xgid_of(OPENING.replace(":31:0:0:0:0:", ":00:1:2:0:5:")))
    with pytest.raises(EngineError, match="at a score"):
        answer_line(asked, device_engine(), "quick")


def test_a_net_with_other_outputs_is_refused() -> None:
    inputs = device_net().contact.inputs
    with pytest.raises(NetError):
        loaded(device.CONTACT, inputs)


@pytest.mark.slow
def test_the_trainer_writes_what_the_house_reads(tmp_path: Path) -> None:
    train(["--to", str(tmp_path), "--boards", "30000", "--passes", "1"])
    for part in ("contact", "race"):
        loaded(tmp_path / f"{part}.npz", device_net().race.inputs, device.OUTPUTS)
    assert (tmp_path / "card.json").exists()
