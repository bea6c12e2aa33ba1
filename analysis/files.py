"""The positions in a file of unknown origin, read where it can do no harm.

The file is read by a process of its own (`analysis.reading`) that gets nothing but the bytes: no
settings, no database, little memory, little time, and no way to write a file of any size.
"""

import json
import os
import subprocess
import sys
from typing import Any, Final

#: seconds until the reader is ended.
TIME_MOST_S: Final = 20

#: the largest list that is taken from the reader.
_LIST_MOST_BYTES: Final = 4 * 1024 * 1024

#: what is said if the reader ended without an answer.
UNREADABLE: Final = {"code": "too_much", "message": "reading it takes too much time or memory"}


def positions_in(data: bytes, *, time_most_s: float = TIME_MOST_S) -> dict[str, Any]:
    """The `decisions` of a file or the `error` with which it is refused; `faults` in both cases."""
    try:
        told = subprocess.run(
            [sys.executable, "-m", "analysis.reading"],
            input=data,
            capture_output=True,
            timeout=time_most_s,
            check=True,
            env=environment(),
        )
        if len(told.stdout) > _LIST_MOST_BYTES:
            return {"error": UNREADABLE}
        found: dict[str, Any] = json.loads(told.stdout)
    except (subprocess.SubprocessError, ValueError):
        return {"error": UNREADABLE}
    return found


def environment() -> dict[str, str]:
    """The environment of the reader: no word about the house."""
    return {"PATH": os.defpath, "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
