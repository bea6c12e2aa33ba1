"""Train the net for devices: `python -m backgammon.train.imitation --to FOLDER`.

It writes `contact.npz`, `race.npz` and `card.json`.
"""

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Final

import numpy as np

from backgammon.evaluation.nets.device import DeviceNet, is_race
from backgammon.evaluation.nets.inputs import VERSION
from backgammon.evaluation.nets.net import UNIT, Net, loaded, saved
from backgammon.train.imitation.learning import learnt
from backgammon.train.imitation.lessons import Lessons, Teacher
from backgammon.train.imitation.measuring import distance
from backgammon.train.nets.cards import CHECK_BOARDS

_BOARDS: Final = 3_200_000
_PASSES: Final = 24
_HIDDEN: Final = {"contact": 128, "race": 80}
_SEED: Final = 100
#: so many boards come from one seed; the next ones from the next.
_PART: Final = 400_000
_TESTED, _TESTED_SEED = 20_000, 77


def main(arguments: Sequence[str] | None = None) -> None:
    """Have bgsage judge boards, learn, write the weights and the card."""
    parser = ArgumentParser(prog="python -m backgammon.train.imitation", description=__doc__)
    parser.add_argument("--to", metavar="FOLDER", type=Path, required=True)
    parser.add_argument("--boards", type=int, default=_BOARDS, help="how many to learn from")
    parser.add_argument("--passes", type=int, default=_PASSES, help="how often over each of them")
    parser.add_argument("--seed", type=int, default=_SEED)
    options = parser.parse_args(arguments)
    to: Path = options.to
    if not to.is_dir():
        parser.error(f"--to {to}: give the path of a folder that exists.")
    began = process_time()
    lessons = _lessons(options.boards, options.seed)
    _say(f"{len(lessons.boards):,} boards in {process_time() - began:,.0f} s of a core")
    apart, nets = is_race(lessons.boards), dict[str, Net]()
    for part, rows in (("contact", ~apart), ("race", apart)):
        mine = Lessons(lessons.boards[rows], lessons.chances[rows])
        net = learnt(mine, _HIDDEN[part], options.passes)
        saved(to / f"{part}.npz", net, mine.boards[:CHECK_BOARDS])
        nets[part] = loaded(to / f"{part}.npz", net.inputs, net.weights.second.shape[1])
        _say(f"{part}: {(to / f'{part}.npz').stat().st_size / 1e3:.0f} kB")
    found = distance(DeviceNet(**nets), Teacher(_TESTED_SEED).lessons(_TESTED))
    spent_s = process_time() - began
    _say(f"{found.mean:.4f} points from bgsage in the mean, {spent_s:,.0f} s of a core")
    card = {
        "boards": len(lessons.boards),
        "passes": options.passes,
        "seed": options.seed,
        "cpu_s": round(spent_s),
        "inputs_version": VERSION,
        "hidden": _HIDDEN,
        "unit": UNIT,
        "tested_boards": found.boards,
        "mean_error": round(found.mean, 4),
        "root_mean_square_error": round(found.root, 4),
    }
    (to / "card.json").write_text(json.dumps(card, indent=1) + "\n")


def _lessons(boards: int, seed: int) -> Lessons:
    parts = []
    for number, at in enumerate(range(0, boards, _PART)):
        parts.append(Teacher(seed + number).lessons(min(_PART, boards - at)))
    return Lessons(
        np.concatenate([part.boards for part in parts]),
        np.concatenate([part.chances for part in parts]),
    )


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
