"""Against GNU Backgammon's own list of plays, where it is installed.

Its text console lists every legal play of a roll with `hint`, and the test makes those plays
on plain numbers. Like OpenSpiel it keeps only plays with both dice (D7).
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from backgammon.tests.rules.playing import rolled_positions, scattered

GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
pytestmark = pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")

PLAY = re.compile(r"^\s*\d+\.\s.*?-ply\s+(.*?)\s+Eq\.:", re.MULTILINE)
MOVE = re.compile(r"(bar|\d+)((?:/(?:off|\d+)\*?)+)(?:\((\d)\))?")


SETTINGS = """\
set automatic game off
set automatic roll off
set automatic move off
set automatic bearoff off
set player 0 human
set player 1 human
set confirm new off
set evaluation chequerplay evaluation plies 0
new session
"""
ROLLED = "The dice have been set to"
NO_PLAY = "There are no legal moves"
Board = tuple[tuple[int, ...], tuple[int, int]]


def board(position: Position) -> Board:
    """Points and bar; GNU Backgammon derives the checkers that are off."""
    return position.points, position.bar


def carried_out(position: Position, play: str) -> Board:
    """The board after a play in GNU Backgammon's notation, without the project's rules."""
    points, (own_bar, his_bar) = [0, *position.points], position.bar
    for source, hops, times in MOVE.findall(play):
        for _ in range(int(times or 1)):
            if source == "bar":
                own_bar -= 1
            else:
                points[int(source)] -= 1
            *between, last = hops.strip("/").split("/")
            for hop in (*between, last):
                if hop.endswith("*") and points[int(hop[:-1])] < 0:
                    points[int(hop[:-1])] = 0
                    his_bar += 1
            if last != "off":
                points[int(last.rstrip("*"))] += 1
    return tuple(points[1:]), (own_bar, his_bar)


def answers(asked: list[tuple[Position, tuple[int, ...]]], home: Path) -> list[str]:
    """The output of GNU Backgammon for each position and roll."""
    lines = [SETTINGS]
    for position, (first, second) in asked:
        counts = [position.bar[0], *position.points, -position.bar[1]]
        lines.append("set turn 1")
        lines.append("set board simple " + " ".join(map(str, counts)))
        lines.append(f"set dice {first} {second}")
        lines.append("hint 3000")
    done = subprocess.run(
        [str(GNUBG), "-t", "-q", "-r"],
        input="\n".join([*lines, "quit", "y", ""]),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"HOME": str(home), "LC_ALL": "C", "PATH": "/usr/bin:/bin"},
    )
    return done.stdout.split(ROLLED)[1:]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["backgammon", "nackgammon", "hypergammon"])
def test_the_results_are_gnu_backgammons(key: str, tmp_path: Path) -> None:
    variant, chance = by_key(key), random.Random(41)
    asked = [(rolled.position, rolled.dice) for rolled in rolled_positions(variant, 42, 200)]
    asked += [
        (scattered(variant, chance), (chance.randint(1, 6), chance.randint(1, 6)))
        for _ in range(80)
    ]
    printed = answers(asked, tmp_path)
    assert len(printed) == len(asked)
    direct = 0
    for (position, dice), text in zip(asked, printed, strict=True):
        plays = variant.legal_plays(position, dice)
        if NO_PLAY in text:
            assert plays.dice_played == 0, f"{position.text()} {dice}"
            continue
        theirs = {carried_out(position, play) for play in PLAY.findall(text)}
        assert theirs, text
        ours = {board(result): result for result in plays.results}
        assert theirs <= set(ours), f"{position.text()} {dice}"
        extra = [ours[key] for key in set(ours) - theirs]
        assert all(p.off[0] == variant.checkers for p in extra), f"{position.text()} {dice}"
        direct += bool(extra)
    assert direct <= 5, "D7 is rare"
