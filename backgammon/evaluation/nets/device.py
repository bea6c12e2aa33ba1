"""The net for backgammon that is small enough for a reader's device.

It answers with the five chances of bgsage's bare net, which it has learnt to imitate
(`backgammon.train.imitation`): one part knows positions in which the sides still meet, the other
races. `static/js/device/` gives the same answers in a browser, from the same files.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np

from backgammon.evaluation.nets.boards import Bytes, Flags, Floats, kind_of
from backgammon.evaluation.nets.inputs import Inputs
from backgammon.evaluation.nets.net import Net, loaded
from backgammon.rules.packed import BAR_LANE
from backgammon.rules.variants import by_key

KEY: Final = "backgammon"
FOLDER: Final = Path(__file__).with_name("weights") / "device"
CONTACT, RACE = (FOLDER / f"{part}.npz" for part in ("contact", "race"))

#: the chances to win, to win a gammon, a backgammon, to lose a gammon, a backgammon.
OUTPUTS: Final = 5

_QUARTER: Final = 6


class DeviceNet:
    """The two parts as one net."""

    def __init__(self, contact: Net, race: Net) -> None:
        self.contact, self.race = contact, race

    def chances(self, boards: Bytes) -> Floats:
        """The five chances of the players who have just moved, (boards, 5)."""
        found = np.empty((len(boards), OUTPUTS), np.float32)
        apart = is_race(boards)
        for net, rows in ((self.contact, ~apart), (self.race, apart)):
            if rows.any():
                found[rows] = net.chances(boards[rows])
        over = (boards[:, 0] & 15) == by_key(KEY).checkers
        found[over] = _won(boards[over])
        return _possible(found, boards)


def is_race(boards: Bytes) -> Flags:
    """Where no checker can meet one of the other side any more."""
    lanes = np.arange(1, BAR_LANE + 1)
    own = np.where(boards[:, 1 : BAR_LANE + 1] & 15, lanes, 0).max(1)
    opposing = np.where(boards[:, 1:BAR_LANE] >> 4, lanes[:-1], BAR_LANE).min(1)
    waiting = boards[:, BAR_LANE] >> 4 > 0
    apart: Flags = (own < opposing) & (~waiting | (own == 0))
    return apart


def _won(boards: Bytes) -> Floats:
    """The chances of the player who has just moved."""
    none_off = boards[:, 0] >> 4 == 0
    behind = (boards[:, 1 : _QUARTER + 1] >> 4).any(1) | (boards[:, BAR_LANE] >> 4 > 0)
    found = np.zeros((len(boards), OUTPUTS), np.float32)
    found[:, 0], found[:, 1], found[:, 2] = 1, none_off, none_off & behind
    return found


def _possible(chances: Floats, boards: Bytes) -> Floats:
    """The same, none greater than the one it is part of; no gammons once a checker is off."""
    chances[boards[:, 0] >> 4 > 0, 1:3] = 0
    chances[boards[:, 0] & 15 > 0, 3:5] = 0
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances.T
    np.minimum(gammon, win, out=gammon)
    np.minimum(backgammon, gammon, out=backgammon)
    np.minimum(lost_gammon, 1 - win, out=lost_gammon)
    np.minimum(lost_backgammon, lost_gammon, out=lost_backgammon)
    return chances


@cache
def device_net() -> DeviceNet:
    """The net of this version, loaded once in a process.

    :raises NetError: if a file is not what this version can use.
    """
    inputs = Inputs(kind_of(by_key(KEY)))
    return DeviceNet(loaded(CONTACT, inputs, OUTPUTS), loaded(RACE, inputs, OUTPUTS))


@cache
def digest() -> str:
    """The SHA-256 of both files, which names their version."""
    return sha256(CONTACT.read_bytes() + RACE.read_bytes()).hexdigest()
