"""The content of a file of unknown origin, found where it can do no harm.

The file is taken apart by a process of its own (`analysis.imports.extracting`) that gets nothing
but the bytes and its name. It answers a line at a time, so only one match is held here at once.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from tempfile import TemporaryFile
from threading import Timer
from typing import Any, Final, Literal

from analysis.files import UNREADABLE, environment

Row = dict[str, Any]

#: seconds until the process is ended; `analysis.reading.limits_set` limits its processor time,
#: because a worker works only while nothing else wants the core, so a good file may wait long.
TIME_MOST_S: Final = 600.0

#: the longest line that is taken from it: a file of an archive, in base64.
LINE_MOST_BYTES: Final = 16 * 1024 * 1024


class FileUnreadable(Exception):
    """Taking the file apart needed too much time or memory; `told` says so as a fault."""

    told = UNREADABLE


def rows_of_file(
    what: Literal["unpack", "read"], data: bytes, *, time_most_s: float = TIME_MOST_S
) -> Iterator[Row]:
    """Everything that the process finds, in its order.

    :raises FileUnreadable: if it ended before it had said all.
    """
    with TemporaryFile() as source:
        source.write(data)
        source.seek(0)
        command = [sys.executable, "-m", "analysis.imports.extracting", what, "file"]
        with subprocess.Popen(
            command,
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
        ) as process:
            timer = Timer(time_most_s, process.kill)
            timer.start()
            try:
                yield from _rows(process)
            finally:
                timer.cancel()
                process.kill()
        if process.returncode:
            raise FileUnreadable


def _rows(process: subprocess.Popen[bytes]) -> Iterator[Row]:
    assert process.stdout is not None
    while line := process.stdout.readline(LINE_MOST_BYTES):
        try:
            yield json.loads(line)
        except ValueError as error:  # cut off at its end, or too long
            raise FileUnreadable from error
    process.wait()
