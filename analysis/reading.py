"""Reads a match file and prints its decisions as JSON: a process of its own (`analysis.files`).

    python -m analysis.reading < match.xg

It begins by giving up what a hostile file could use: memory, processor time, files.
"""

import json
import resource
import sys
from collections.abc import Iterator
from typing import Any, Final

from backgammon.counting.decisions import Answer, DecidedPlay, Decision, decisions, length_check
from backgammon.counting.positions import key_of, xgid_of_situation
from backgammon.counting.situation import MatchTooLong
from backgammon.counting.xg_file import IS_XG, xg_decisions
from backgammon.formats.errors import FormatError
from backgammon.formats.record import MatchRecord
from backgammon.formats.registry import decoded, parse_match
from backgammon.rules.errors import RulesError
from backgammon.rules.notation import format_play
from backgammon.rules.variants import by_key

#: what the process may use.
MEMORY_MOST_BYTES: Final = 768 * 1024 * 1024
CPU_MOST_S: Final = 15
FILE_MOST_BYTES: Final = 1024 * 1024

#: a longer list is cut; no match between people has as many decisions.
DECISIONS_MOST: Final = 4_000

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
    """The decisions of a file, or what is wrong with it and where."""
    try:
        rows, players = [], ("", "")
        if data.startswith(IS_XG):
            players, found = xg_decisions(data)
            rows = list(found)
        else:
            record = parse_match(decoded(data))
            length_check(record)
            players, rows = record.players, list(_rows(record))
        if not rows:
            raise NothingFound("the file has no decision of backgammon")
    except (RulesError, FormatError, NothingFound, MatchTooLong) as error:
        return {"error": _error(error)}
    except (ValueError, OverflowError, MemoryError, RecursionError) as error:
        return {"error": {"code": "broken_file", "message": str(error) or type(error).__name__}}
    return {
        "players": list(players),
        "decisions": rows[:DECISIONS_MOST],
        "cut": len(rows) > DECISIONS_MOST,
    }


def _rows(record: MatchRecord) -> Iterator[Row]:
    for decision in decisions(record):
        if decision.situation.variant in _VARIANTS and not isinstance(decision, Answer):
            yield _row(decision, record.length)


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


def _error(error: Exception) -> Row:
    """An error with its place in the file, where it has one."""
    told: Row = {
        "code": getattr(error, "code", "broken_file"),
        "message": getattr(error, "reason", str(error)),
    }
    places = {name: getattr(error, name, None) for name in ("line", "column", "path")}
    return told | {name: place for name, place in places.items() if place is not None}


if __name__ == "__main__":
    main()
