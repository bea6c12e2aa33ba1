"""Reading the matches that a command line names: what is sound is answered, faults are named.

A fault is a line `FILE:LINE:COLUMN: reason; what was kept` on standard error.
"""

from __future__ import annotations

import sys
from typing import Final

from backgammon.command.asking import read_bytes
from backgammon.formats.reading import Fault, FileRead, GameExtent, MatchRead
from backgammon.formats.registry import decoded, read_text

#: the exit status of an answer about a file that has faults.
FAULTY: Final = 3

#: what the help of a question says about it.
ABOUT_FAULTS: Final = (
    "What is sound in FILE is answered. Each fault is a line FILE:LINE:COLUMN on standard error,"
    f" and the exit status is then {FAULTY}; it is 1 if no game is sound."
)


def text_in(name: str) -> str:
    """The text of a file; `-` is the standard input.

    :raises BadQuestion: if it cannot be read.
    """
    return decoded(read_bytes(name))


def matches_in(text: str, name: str) -> FileRead:
    """All matches in the text of a file of this name, of which at least one has a sound game.

    :raises FormatError: if none has, for the first fault.
    """
    read = read_text(text)
    for fault in read.faults:
        print(f"{_place(name, fault)}: {fault.error.reason}{_kept(fault, read)}", file=sys.stderr)
    if not read.matches or (
        read.faults and not any(game.actions for match in read.matches for game in match.games)
    ):
        read.sole()  # raises for what is wrong
    return read


def status_of(read: FileRead) -> int:
    """The exit status of an answer about this file."""
    return 0 if read.is_whole else FAULTY


def match_title(number: int, match: MatchRead) -> str:
    """The line that stands above a match, if its file has several."""
    return f"match {number}: {' – '.join(match.record.players)}"


def _place(name: str, fault: Fault) -> str:
    error = fault.error
    places = (error.path,) if error.line is None else (error.line, error.column)
    return ":".join(str(each) for each in (name, *places) if each is not None)


def _kept(fault: Fault, read: FileRead) -> str:
    if not fault.game or fault.match > len(read.matches):
        return ""
    game = read.matches[fault.match - 1].games[fault.game - 1]
    whose = f"game {fault.game}" + (f" of match {fault.match}" if len(read.matches) > 1 else "")
    if game.state in (GameExtent.WHOLE, GameExtent.UNFINISHED):
        return f"; {whose} is kept whole"
    return f"; entries kept of {whose}: {game.actions}"
