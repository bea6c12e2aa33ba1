"""Reads a match file and prints its decisions as JSON: a process of its own (`analysis.files`).

    python -m analysis.reading < match.xg

It begins by giving up what a hostile file could use: memory, processor time, files.
"""

import json
import resource
import sys
from collections.abc import Iterator
from typing import Any, Final

from backgammon.counting.decisions import (
    Answer,
    DecidedPlay,
    Decision,
    decisions,
    length_check,
    next_doubling,
)
from backgammon.counting.positions import key_of, xgid_of_situation
from backgammon.counting.situation import MatchTooLong
from backgammon.formats.errors import FormatError
from backgammon.formats.reading import Fault, FileRead, MatchRead
from backgammon.formats.registry import read_file
from backgammon.rules.errors import RulesError
from backgammon.rules.notation import format_play
from backgammon.rules.variants import by_key

#: what the process may use.
MEMORY_MOST_BYTES: Final = 768 * 1024 * 1024
CPU_MOST_S: Final = 15
FILE_MOST_BYTES: Final = 1024 * 1024

#: a longer list is cut; no match between people has as many decisions.
DECISIONS_MOST: Final = 4_000

#: how many faults are told, and how many characters of the reason of each.
FAULTS_MOST: Final = 100
_MESSAGE_MOST: Final = 300

_NOTHING: Final = "the file has no decision of backgammon"

#: the variants whose positions the notation can say.
_VARIANTS: Final = ("backgammon", "nackgammon")

Row = dict[str, Any]


class NothingFound(ValueError):
    """The file has no position that can be asked about."""

    code = "nothing_found"


def main() -> None:
    """Read standard input, print one object."""
    limits_set()
    json.dump(found_in(sys.stdin.buffer.read()), sys.stdout, ensure_ascii=False)


def limits_set() -> None:
    """Give up memory, time and files beyond what reading a match needs."""
    for limit, most in (
        (resource.RLIMIT_AS, MEMORY_MOST_BYTES),
        (resource.RLIMIT_CPU, CPU_MOST_S),
        (resource.RLIMIT_FSIZE, FILE_MOST_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (most, most))


def found_in(data: bytes) -> Row:
    """The decisions of a file and its faults, or why it has no decision."""
    try:
        return _in_file(read_file(data))
    except (RulesError, FormatError, NothingFound, MatchTooLong) as error:
        return _refused(_told(error))
    except (ValueError, OverflowError, MemoryError, RecursionError) as error:
        told = {"code": "broken_file", "message": str(error) or type(error).__name__}
        return _refused(told)


def _in_file(read: FileRead) -> Row:
    """The decisions of all matches that can be judged; a game at fault has those before it."""
    if not read.matches and not read.faults:
        raise FormatError("the file ends before a game has begun")
    faults = [fault_told(fault, read) for fault in read.faults]
    rows: list[Row] = []
    too_long = None
    for number, match in enumerate(read.matches, start=1):
        try:
            length_check(match.record)
        except MatchTooLong as error:
            too_long = _told(error) | {"match": number, "game": 0}
            faults.append(too_long)
        else:
            rows += _rows(match, number)
    if rows:
        return _listed(rows, [list(match.record.players) for match in read.matches], faults)
    return _refused(too_long or (faults[0] if faults else _told(NothingFound(_NOTHING))), faults)


def _listed(rows: list[Row], players: list[list[str]], faults: list[Row]) -> Row:
    return {
        "players": players[0],
        "matches": players,
        "decisions": rows[:DECISIONS_MOST],
        "cut": len(rows) > DECISIONS_MOST,
        **_in_part(faults),
    }


def _refused(error: Row, faults: list[Row] | None = None) -> Row:
    return {"error": error, **_in_part(faults or [])}


def _in_part(faults: list[Row]) -> Row:
    return {"faults": faults[:FAULTS_MOST], "faults_count": len(faults)}


def _rows(match: MatchRead, number: int) -> Iterator[Row]:
    games = {game.index: game.number for game in match.games}
    for decision in decisions(match.record):
        if decision.situation.variant in _VARIANTS and not isinstance(decision, Answer):
            row = _row(decision, match.record.length)
            yield {"match": number, **row, "game": games[decision.place.game - 1]}
    for game in match.games:
        if game.on_roll is not None and game.index is not None:
            asked = next_doubling(match.record, game.index, game.on_roll)
            if asked.situation.variant in _VARIANTS:
                row = _row(asked, match.record.length)
                yield {"match": number, **row, "game": game.number}


def fault_told(fault: Fault, read: FileRead) -> Row:
    """A fault, with what was kept of its game."""
    told = _told(fault.error) | {"match": fault.match, "game": fault.game}
    if fault.game and fault.match <= len(read.matches):
        game = read.matches[fault.match - 1].games[fault.game - 1]
        told |= {"state": game.state.value, "actions": game.actions}
    return told


def _row(decision: Decision, length: int) -> Row:
    dice = None
    played = ""
    if isinstance(decision, DecidedPlay):
        dice = (decision.dice[0], decision.dice[1])
        if decision.played is not None:
            variant = by_key(decision.situation.variant)
            played = format_play(variant, decision.situation.position, decision.played.moves)
    return {
        "game": decision.place.game,
        "number": decision.place.number,
        "seat": decision.place.seat,
        "xgid": key_of(xgid_of_situation(decision.situation, length, dice)).text(),
        "dice": dice,
        "played": played,
        "doubled": getattr(decision, "doubled", False),
    }


def _told(error: Exception) -> Row:
    """An error with its place in the file, where it has one."""
    told: Row = {
        "code": getattr(error, "code", "broken_file"),
        "message": str(getattr(error, "reason", error))[:_MESSAGE_MOST],
    }
    places = {name: getattr(error, name, None) for name in ("line", "column", "path")}
    return told | {name: place for name, place in places.items() if place is not None}


if __name__ == "__main__":
    main()
