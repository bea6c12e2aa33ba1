"""A small net: one hidden layer of sigmoids, a few outputs, and the file that keeps it.

The outputs are chances for the player who has just moved: three in a net of self-play, to win, and
what a win and a loss count beyond a plain game as a share of the most the variant has; five in the
net for devices (`device.py`). The file is a NumPy archive; beside the weights it has boards with
the answers that the trained net gave, which are checked on loading.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from backgammon.evaluation.nets.boards import Bytes, Floats
from backgammon.evaluation.nets.inputs import VERSION, Inputs

OUTPUTS: Final = 3
UNIT: Final = "sigmoid"
#: how far the answers of another machine may lie from those in the file.
TOLERANCE: Final = 2e-3
_CHUNK: Final = 1024


class NetError(ValueError):
    """The file of a net cannot be used; the message says why."""


@dataclass(slots=True)
class Weights:
    """(count, hidden), (hidden,), (hidden, outputs), (outputs,): two layers with their offsets."""

    first: Floats
    first_offset: Floats
    second: Floats
    second_offset: Floats

    def all(self) -> tuple[Floats, Floats, Floats, Floats]:
        """The four arrays, in their order."""
        return self.first, self.first_offset, self.second, self.second_offset


class Net:
    """The weights of one variant, ready to judge boards."""

    def __init__(self, inputs: Inputs, weights: Weights) -> None:
        self.inputs, self.weights = inputs, weights
        plain = inputs.plain
        self._folded = weights.first[:plain] + inputs.race @ weights.first[plain:]

    def chances(self, boards: Bytes) -> Floats:
        """The outputs for boards in the view of who has just moved, (boards, outputs)."""
        found = np.empty((len(boards), len(self.weights.second_offset)), np.float32)
        for at in range(0, len(boards), _CHUNK):
            hidden = self.inputs.plain_of(boards[at : at + _CHUNK]) @ self._folded
            hidden += self.weights.first_offset
            found[at : at + _CHUNK] = squashed(hidden) @ self.weights.second
        found += self.weights.second_offset
        return squashed(found)


def squashed(sums: Floats) -> Floats:
    """The sigmoid, in place."""
    np.negative(sums, out=sums)
    np.exp(sums, out=sums)
    sums += 1
    np.reciprocal(sums, out=sums)
    return sums


def equities(chances: Floats, most: int) -> Floats:
    """Points of a plain game; `most` is the largest level of the variant."""
    worth: Floats = 2 * chances[:, 0] - 1
    if most > 1:
        worth = worth + (most - 1) * (chances[:, 1] - chances[:, 2])
    return worth


def saved(path: Path, net: Net, checks: Bytes) -> None:
    """Write a net with half precision, and its answers on the boards `checks` as it is read."""
    halves = [array.astype(np.float16) for array in net.weights.all()]
    read = Net(net.inputs, Weights(*(half.astype(np.float32) for half in halves)))
    np.savez_compressed(
        path,
        unit=np.array(UNIT),
        version=np.array(VERSION),
        boards=checks,
        answers=read.chances(checks),
        array0=halves[0],
        array1=halves[1],
        array2=halves[2],
        array3=halves[3],
    )


def loaded(path: Path, inputs: Inputs, outputs: int = OUTPUTS) -> Net:
    """Read a net and check that it answers as it did when it was written.

    :raises NetError: if it is of another kind, or answers differently.
    :raises OSError: if the file cannot be read.
    """
    with np.load(path, allow_pickle=False) as file:
        kept: dict[str, Any] = dict(file)
    try:
        unit, version = str(kept["unit"]), int(kept["version"])
        arrays = [kept[f"array{number}"].astype(np.float32) for number in range(4)]
        boards, answers = kept["boards"], kept["answers"]
    except KeyError as missing:
        raise NetError(f"{path.name}: {missing} is missing") from None
    if unit != UNIT or version != VERSION:
        raise NetError(f"{path.name}: {unit}, inputs {version}; expected {UNIT}, inputs {VERSION}")
    if arrays[0].shape[0] != inputs.count or arrays[2].shape[1] != outputs:
        raise NetError(f"{path.name}: {arrays[0].shape[0]} inputs instead of {inputs.count}")
    net = Net(inputs, Weights(*arrays))
    if float(np.abs(net.chances(boards) - answers).max()) > TOLERANCE:
        raise NetError(f"{path.name}: the net does not answer as it did when it was trained")
    return net
