"""Takes a file apart and prints what is in it: a process of its own (`analysis.imports.sandbox`).

    python -m analysis.imports.extracting unpack NAME < files.zip   a line of JSON for each file
    python -m analysis.imports.extracting read NAME < match.mat     one for each match, then faults

It begins by giving up what a hostile file could use: memory, processor time, files.
"""

import json
import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from analysis.reading import FAULTS_MOST, fault_told, limits_set
from backgammon.counting.decisions import length_check
from backgammon.counting.situation import MatchTooLong
from backgammon.formats.archives import read_archive
from backgammon.formats.digest import match_digest
from backgammon.formats.errors import FormatError
from backgammon.formats.reading import Fault, FileRead, GameExtent, MatchRead
from backgammon.formats.record import (
    GameRecord,
    Heading,
    MatchRecord,
    RecordedTurn,
)
from backgammon.formats.record_json import record_to_json
from backgammon.formats.registry import read_file
from backgammon.rules.errors import RulesError

Row = dict[str, Any]

#: matches of one file that are kept.
MATCHES_MOST: Final = 500

_NAME_MOST: Final = 80
_EVENT_MOST: Final = 120
_IN_PART: Final = (GameExtent.CUT_OFF, GameExtent.UNREADABLE)


def main() -> None:
    """Read standard input, print lines."""
    limits_set()
    what, name = sys.argv[1:]
    data = sys.stdin.buffer.read()
    for row in unpacked(data, name) if what == "unpack" else matches_in(data):
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")


def unpacked(data: bytes, name: str) -> Iterator[Row]:
    """Each file of a ZIP with its bytes, or why it cannot be had."""
    for found in read_archive(data, name):
        if found.fault is None:
            yield {"path": found.path, "data": b64encode(found.data).decode()}
        else:
            yield {"path": found.path, "fault": fault_told(Fault(found.fault), FileRead(()))}


def matches_in(data: bytes) -> Iterator[Row]:
    """Each match with a play in it, then one row with the faults of the file."""
    try:
        read = read_file(data)
    except (FormatError, RulesError) as error:
        read = FileRead((), (Fault(_format_error(error)),))
    except (ValueError, OverflowError, MemoryError, RecursionError) as error:
        read = FileRead((), (Fault(FormatError(str(error) or type(error).__name__)),))
    faults = [fault_told(fault, read) for fault in read.faults]
    if not read.matches and not faults:
        nothing = FormatError("the file ends before a game has begun")
        faults.append(fault_told(Fault(nothing), read))
    at_fault = {fault.match for fault in read.faults}
    for number, match in enumerate(read.matches[:MATCHES_MOST], start=1):
        with suppress(FormatError, RulesError):
            yield from _match_row(match, in_part=number in at_fault)
    yield {"faults": faults[:FAULTS_MOST], "faults_count": len(faults)}


def _format_error(error: FormatError | RulesError) -> FormatError:
    return error if isinstance(error, FormatError) else FormatError(str(error))


def _match_row(match: MatchRead, *, in_part: bool) -> Iterator[Row]:
    """The match as it is stored; nothing for one in which no checker was moved."""
    record = match.record
    first = first_seat(record)
    if first is None:
        return
    heading, score = record.heading, score_of(record)
    yield {
        "names": [_line(name, _NAME_MOST) for name in record.players],
        "source": match.source,
        "date": heading.date and heading.date.isoformat(),
        "event": _line(heading.event, _EVENT_MOST),
        "match_id": heading.match_id,
        "variant": record.variants[0],
        "length": record.length,
        "score": score,
        "winner": winner_of(record, score),
        "digest": match_digest(record),
        "first": first,
        "record": record_to_json(nameless(record)),
        "judged": is_judged(record),
        "jacoby_assumed": match.jacoby_assumed,
        "in_part": in_part or any(game.state in _IN_PART for game in match.games),
    }


def first_seat(record: MatchRecord) -> int | None:
    """Return who moved the first checker; None if nobody did."""
    turns = (action for game in record.games for action in game.actions)
    moved = (turn.seat for turn in turns if isinstance(turn, RecordedTurn) and turn.moves)
    return next(moved, None)


def score_of(record: MatchRecord) -> list[int]:
    """Return the points of both seats after the last game that has a result."""
    score = [0, 0]
    for game in record.games:
        score = list(game.score)
        if game.result is not None and game.result.winner is not None:
            score[game.result.winner] += game.result.points
    return score


def winner_of(record: MatchRecord, score: list[int]) -> int | None:
    """Return who won; without a length who has more points, None for an unfinished match."""
    high = max(score)
    if score[0] == score[1] or (record.length and high < record.length):
        return None
    return score.index(high)


def nameless(record: MatchRecord) -> MatchRecord:
    """The match without names, heading and comments."""
    games = tuple(_without_comments(game) for game in record.games)
    return replace(record, players=("", ""), heading=Heading(), stakes=None, games=games)


def _without_comments(game: GameRecord) -> GameRecord:
    actions = tuple(replace(action, comment="") for action in game.actions)
    return replace(game, comment="", actions=actions)


def is_judged(record: MatchRecord) -> bool:
    """Return True if no game of the match is at a score without an equity."""
    try:
        length_check(record)
    except MatchTooLong:
        return False
    return True


def _line(text: str, most: int) -> str:
    """One line of signs that can be seen."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())[:most]


if __name__ == "__main__":
    main()
