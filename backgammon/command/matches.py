"""Reading the matches that a command line names: what is sound is answered, faults are named.

A fault is a line `FILE:LINE:COLUMN: reason; what was kept` on standard error.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from backgammon.command.asking import read_bytes
from backgammon.formats.archives import FileFound, files_below, read_archive
from backgammon.formats.errors import FormatError
from backgammon.formats.reading import Fault, FileRead, GameExtent
from backgammon.formats.registry import read_file

#: the exit status of an answer about files that have faults.
FAULTY: Final = 3

#: what the help of a question says about it.
ABOUT_FAULTS: Final = (
    "FILE may be a folder or a ZIP. What is sound is answered. Each fault is a line"
    f" FILE:LINE:COLUMN on standard error, and the exit status is then {FAULTY}; it is 1 if no game"
    " is sound."
)


_ASSUMED: Final = "it does not say whether Jacoby holds, which is taken for no (--jacoby)"


class FilesNamed:
    """The files of a command line, those of folders and of ZIPs among them.

    Iterating gives the name and the content of each file with a sound game, and says the faults.
    `status` is then the exit status of the answer, and `are_many` says whether it is about several.
    """

    def __init__(self, names: Sequence[str], *, jacoby: bool | None = None) -> None:
        """Read nothing yet; `-` is the standard input. `jacoby` is for files that say nothing."""
        self.names = names
        self.jacoby = jacoby
        self.status = 0
        self.are_many = len(names) > 1

    def __iter__(self) -> Iterator[tuple[str, FileRead]]:
        """Read file by file.

        :raises BadQuestion: if one of the names cannot be read.
        :raises FormatError: for the first fault, if no file has a sound game.
        """
        first, is_any_sound = None, False
        for found in self._found():
            read = _read(found, self.jacoby)
            for fault in read.faults:
                place = _place(found.path, fault)
                print(f"{place}: {fault.error.reason}{_kept(fault, read)}", file=sys.stderr)
            if any(match.jacoby_assumed for match in read.matches):
                print(f"{found.path}: {_ASSUMED}", file=sys.stderr)
            self.status = self.status or status_of(read)
            if _is_sound(read):
                is_any_sound = True
                yield found.path, read
            elif first is None:
                first = read.faults[0].error
        if not is_any_sound:
            raise first or FormatError("there is no file")

    def _found(self) -> Iterator[FileFound]:
        for name in self.names:
            path = Path(name)
            if name != "-" and path.is_dir():
                self.are_many = True
                for file in files_below(path):
                    yield from self._opened(str(file))
            else:
                yield from self._opened(name)

    def _opened(self, name: str) -> Iterator[FileFound]:
        for found in read_archive(read_bytes(name), name):
            if found.path == name:
                yield found
            else:
                self.are_many = True
                yield FileFound(f"{name}/{found.path}", found.data, found.fault)


def add_jacoby(asked: ArgumentParser) -> None:
    """Add `--jacoby` and `--no-jacoby`."""
    about = "unlimited play has Jacoby, or not, where a .mat file does not say"
    asked.add_argument("--jacoby", action=BooleanOptionalAction, help=about)


def _read(found: FileFound, jacoby: bool | None) -> FileRead:
    if found.fault is not None:
        return FileRead((), (Fault(found.fault),))
    read = read_file(found.data, jacoby=jacoby)
    if not read.matches and not read.faults:
        return FileRead((), (Fault(FormatError("the file ends before a game has begun")),))
    return read


def _is_sound(read: FileRead) -> bool:
    if read.is_whole:
        return True
    return any(game.actions for match in read.matches for game in match.games)


def status_of(read: FileRead) -> int:
    """The exit status of an answer about this file."""
    return 0 if read.is_whole else FAULTY


def title_of(files: FilesNamed, name: str, read: FileRead, number: int) -> str:
    """The line that stands above a match, if it is not the only one; else ""."""
    title = f"match {number}: {' – '.join(read.matches[number - 1].record.players)}"
    if files.are_many:
        return f"{name}: {title}"
    return title if len(read.matches) > 1 else ""


def place_of(files: FilesNamed, name: str, number: int) -> dict[str, object]:
    """The same for a line of JSON: the number of the match, and the file if there are several."""
    return {"file": name, "match": number} if files.are_many else {"match": number}


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
