"""Where the roots of seals are kept outside of the database: a file, a command, or a class of one's
own.

A place has a `name` for messages, takes lines with `append`, and gives all of them back with
`read`, in the order they came. It must never lose or change a line; the audit compares every line
with the database and reports what is missing. `LEDGER_SEAL_FILE`, `LEDGER_SEAL_COMMAND` with
`LEDGER_SEAL_READ_COMMAND`, and `LEDGER_SEAL_PLACE` (a dotted path of a class that is called without
arguments) add one place each.
"""

import os
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from django.conf import settings
from django.db import connection
from django.utils.module_loading import import_string

COMMAND_SECONDS: Final = 60
TAIL_BYTES: Final = 1 << 20


class SealPlace(Protocol):
    """The interface of a place for seals. Its methods raise `OSError` on failure."""

    name: str

    def append(self, lines: Sequence[str]) -> None:
        """Keep these lines behind all others; when this returns, they outlive a crash."""

    def read(self) -> list[str]:
        """Every line that was ever appended."""

    def tail(self) -> list[str]:
        """Some of the last lines, or all of them."""


class FilePlace:
    """A file that only grows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)

    def append(self, lines: Sequence[str]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())

    def read(self) -> list[str]:
        return self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []

    def tail(self) -> list[str]:
        if not self.path.exists():
            return []
        with self.path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            if size <= TAIL_BYTES:
                return self.read()
            file.seek(size - TAIL_BYTES)
            return file.read().decode("utf-8", "replace").splitlines()[1:]


class CommandPlace:
    """A command of the operator's that gets the new lines on its input, and one that prints all."""

    def __init__(self, append: str, read: str) -> None:
        self.name = append
        self._append, self._read = shlex.split(append), shlex.split(read)

    def append(self, lines: Sequence[str]) -> None:
        self._run(self._append, "".join(f"{line}\n" for line in lines))

    def read(self) -> list[str]:
        return self._run(self._read, "").splitlines()

    tail = read

    def _run(self, command: list[str], text: str) -> str:
        try:
            done = subprocess.run(
                command, input=text, capture_output=True, text=True, check=True,
                timeout=COMMAND_SECONDS,
            )  # fmt: skip
        except subprocess.SubprocessError as error:
            told = getattr(error, "stderr", "") or ""
            raise OSError(f"{shlex.join(command)}: {error} {told.strip()[:500]}") from error
        return done.stdout


def seal_places() -> list[SealPlace]:
    """The places that the settings name."""
    places: list[SealPlace] = []
    if name := getattr(settings, "LEDGER_SEAL_FILE", ""):
        places.append(FilePlace(Path(name)))
    if command := getattr(settings, "LEDGER_SEAL_COMMAND", ""):
        places.append(CommandPlace(command, settings.LEDGER_SEAL_READ_COMMAND))
    if dotted := getattr(settings, "LEDGER_SEAL_PLACE", ""):
        places.append(import_string(dotted)())
    return places


class Stream(NamedTuple):
    """One kind of rows: its table, its key, and its time column."""

    name: str
    table: str
    key: str
    stored: str


def streams() -> list[Stream]:
    """Every stream, by name."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, s.relation::text, s.key, s.stored"
            " FROM ledger_streams() name, ledger_stream_table(name) s ORDER BY name"
        )
        return [Stream(*row) for row in cursor.fetchall()]
