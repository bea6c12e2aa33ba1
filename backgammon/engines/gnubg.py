"""GNU Backgammon as a second judge, where it is installed.

It runs as a program of its own and is talked to in its command language, as a person would. It
calls the bare net 0-ply, so its 2-ply looks as far ahead as bgsage's 3-ply; the plies of this
module's answers are its own.
"""

import os
import pty
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Final, TextIO

from backgammon.counting.decisions import DecidedPlay
from backgammon.counting.judging import Chances, CubeValue, PlayValue
from backgammon.counting.positions import xgid_text
from backgammon.counting.situation import Situation
from backgammon.engines.engine import EngineError
from backgammon.rules.errors import RulesError
from backgammon.rules.notation import match_play
from backgammon.rules.variants import by_key

#: Debian installs games where only people look.
_PLACES: Final = ("/usr/games", "/usr/local/games")

#: the plies of its own that this house compares with.
PLIES: Final = 2

#: the program is killed if an answer takes longer.
ANSWER_MOST_S: Final = 20.0

#: how many plays go on from the bare net, unless that of the player is worse than all of them.
#: Never fewer, else it answers by the bare net alone.
_LEAST_PLAYS: Final = 6

_SETTINGS: Final = (
    "set confirm new off",
    "set confirm save off",
    "set automatic roll off",
    "set output mwc off",
    "set evaluation chequerplay evaluation cubeful on",
)

#: the last command of every question, and the line that answers it.
_MARKER: Final = "set output digits 5"
_MARKED: Final = "5 digits after the decimal"

_PLAY: Final = re.compile(
    r"^\s*\d+\. Cubeful (\d)-ply\s+(\S.*?)\s+Eq\.:\s+([+-]\d+\.\d+).*\n\s+([\d. ]+) - ([\d. ]+)$",
    re.MULTILINE,
)
_CUBE: Final = re.compile(
    r"^\d\. (No (?:re)?double|(?:Re)?double, (?:pass|take|beaver))\s+([+-]\d+\.\d+)",
    re.MULTILINE | re.IGNORECASE,
)
_CHANCES: Final = re.compile(r"cubeless equity.*\n\s+([\d. ]+) - ([\d. ]+)$", re.MULTILINE)
_VERSION: Final = re.compile(r"GNU Backgammon (\d\S*)")


def find() -> str | None:
    """Where the program is; None if it is not installed."""
    return shutil.which("gnubg") or shutil.which("gnubg", path=os.pathsep.join(_PLACES))


class GnuBackgammon:
    """One running process; use it as `with running() as judge`."""

    name = "GNU Backgammon"

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        out: TextIO,
        answer_most_s: float = ANSWER_MOST_S,
    ) -> None:
        self._process, self._out, self._most_s = process, out, answer_most_s
        self._looks: tuple[int, int] | None = None
        found = _VERSION.search(self._told(*_SETTINGS, "show version"))
        self.version = found[1] if found else "unknown"

    def supports(self, situation: Situation) -> bool:
        """Backgammon with a cube, on 30 checkers."""
        return situation.variant in ("backgammon", "nackgammon") and situation.has_cube

    def plays(self, play: DecidedPlay, ply: int = PLIES) -> list[PlayValue]:
        """The choices of a roll, the best first; a roll without a choice is not worth a question.

        :raises EngineError: if the answer lacks a play.
        """
        values = self._plays(play, ply, _LEAST_PLAYS)
        made = play.played
        if made is not None and ply:  # its loss is known only if it is as deep as the best
            place, value = next(
                (number, each)
                for number, each in enumerate(values, start=1)
                if each.result == made.result
            )
            if value.ply < values[0].ply:
                values = self._plays(play, ply, place)
        return values

    def _plays(self, play: DecidedPlay, ply: int, deep: int) -> list[PlayValue]:
        """The choices, with so many of them or more searched."""
        self._look(ply, deep)
        told = self._told(f"set xgid {xgid_text(play.situation, play.dice)}", "hint 999")
        variant, position = by_key(play.situation.variant), play.situation.position
        plays = variant.legal_plays(position, play.dice)
        values = []
        for depth, text, equity, won, lost in _PLAY.findall(told):
            try:
                result = plays.graph.follow(match_play(position, plays, text))
            except RulesError as error:
                raise EngineError(f"GNU Backgammon names the play {text!r}: {error}") from error
            values.append(PlayValue(result, float(equity), int(depth), _chances(won, lost)))
        missing = {choice.result for choice in play.choices} - {value.result for value in values}
        if missing:
            raise EngineError(
                f"GNU Backgammon has no answer on {len(missing)} plays: {told[-500:]}"
            )
        return sorted(values, key=lambda value: (-value.ply, -value.equity))

    def cube(self, situation: Situation, ply: int = PLIES) -> CubeValue:
        """The cube before the roll.

        :raises EngineError: if there is no answer, because the cube cannot be turned here.
        """
        self._look(ply, _LEAST_PLAYS)
        told = self._told(f"set xgid {xgid_text(situation, None)}", "hint")
        worth = {name.lower(): float(equity) for name, equity in _CUBE.findall(told)}
        chances = _CHANCES.search(told)
        no_double = worth.get("no double", worth.get("no redouble"))
        taken = worth.get("double, take", worth.get("redouble, take"))
        if taken is None and "double, beaver" in worth:  # it counts the beaver, we do not yet
            taken = worth["double, beaver"] / 2
        if no_double is None or taken is None or chances is None:
            raise EngineError(f"GNU Backgammon gave no answer about the cube: {told[-500:]}")
        return CubeValue(no_double, taken, ply, _chances(chances[1], chances[2]))

    def _look(self, ply: int, plays: int) -> None:
        if (ply, plays) != self._looks:
            self._told(
                f"set evaluation chequerplay evaluation plies {ply}",
                f"set evaluation cubedecision evaluation plies {ply}",
                f"set evaluation movefilter {max(ply, 1)} 0 {plays} 6 0.20",
            )
            self._looks = (ply, plays)

    def _told(self, *commands: str) -> str:
        """The output of commands; the program is killed if it takes too long."""
        killer = Timer(self._most_s, self._process.kill)
        killer.daemon = True
        killer.start()
        try:
            return self._answer(commands)
        finally:
            killer.cancel()

    def _answer(self, commands: tuple[str, ...]) -> str:
        assert self._process.stdin is not None
        lines: list[str] = []
        try:
            self._process.stdin.write("\n".join([*commands, _MARKER, ""]).encode())
            self._process.stdin.flush()
            for line in self._out:
                if _MARKED in line:
                    return "".join(lines)
                lines.append(line)
        except OSError as error:
            raise EngineError(f"GNU Backgammon has ended: {error}") from error
        raise EngineError("GNU Backgammon has ended")


@contextmanager
def running(
    program: str | None = None, answer_most_s: float = ANSWER_MOST_S
) -> Iterator[GnuBackgammon]:
    """A process of GNU Backgammon, which ends with the block.

    :raises EngineError: if it is not installed, or does not answer.
    """
    program = program or find()
    if program is None:
        raise EngineError("GNU Backgammon is not installed")
    with TemporaryDirectory() as home:
        # its output comes at once only on a terminal
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [program, "--tty", "--quiet", "--no-rc"],
            stdin=subprocess.PIPE,
            stdout=theirs,
            stderr=subprocess.STDOUT,
            env={**os.environ, "HOME": home, "LC_ALL": "C.UTF-8", "TERM": "dumb"},
            cwd=Path(home),
        )
        os.close(theirs)
        try:
            with open(ours, encoding="utf-8", errors="replace") as out:
                yield GnuBackgammon(process, out, answer_most_s)
        finally:
            process.kill()
            if process.stdin is not None:
                with suppress(OSError):  # it may have ended before it read everything
                    process.stdin.close()
            process.wait()


def _chances(won: str, lost: str) -> Chances:
    win, gammon, backgammon = map(float, won.split())
    _, lost_gammon, lost_backgammon = map(float, lost.split())
    return (win, gammon, backgammon, lost_gammon, lost_backgammon)
