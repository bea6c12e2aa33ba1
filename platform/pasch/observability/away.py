"""A server that is away: the errors raised then, and the few lines in the log about it.

Everything that runs while PostgreSQL or Valkey is away fails with a traceback of its own, all for
the same reason. The log has one line at first, one every minute with how much failed in between,
and one when it is over.
"""

import logging
import shutil
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import psycopg
from django.db import OperationalError
from redis.exceptions import ConnectionError as NoValkey
from redis.exceptions import TimeoutError as LateValkey

POSTGRESQL: Final = "PostgreSQL"
VALKEY: Final = "Valkey"
#: not away, but nothing can be stored: as many lines would follow
DISK: Final = "The disk of PostgreSQL"
SAID: Final = "%s does not answer: %s"
FULL: Final = "%s is full, so that nobody can play: %s"
#: less is no space for one more piece of PostgreSQL's log, without which it ends
FULL_BYTES: Final = 16 * 1024**2
REPEAT_SECONDS: Final = 60
LATE_SECONDS: Final = 3
#: An administrator or a crash ended the connection, or the server is only starting; or a pooler has
#: no connection to it (08P01).
GOING: Final = ("57P01", "57P02", "57P03", "08P01")

_lock = threading.Lock()
_said_at: dict[str, float] = {}
_back_at: dict[str, float] = {}
_unsaid: dict[str, int] = {}


def missing(error: BaseException | None) -> tuple[str, str] | None:
    """The server whose absence caused an error, and the first line of the error; else None."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if _is_postgresql(error):
            return POSTGRESQL, _first_line(error)
        if isinstance(error, NoValkey | LateValkey):
            return VALKEY, _first_line(error)
        error = error.__cause__ or error.__context__
    return None


def _is_postgresql(error: BaseException) -> bool:
    if isinstance(error, psycopg.OperationalError):
        return error.sqlstate in (None, *GOING)
    # Django's, if the server is read-only and not just a transaction (pasch/postgresql/base.py)
    refused = isinstance(error.__cause__, psycopg.errors.ReadOnlySqlTransaction)
    return refused and isinstance(error, OperationalError)


def to_be_said(server: str) -> bool:
    """Whether to log now that a server is away: the first time, and every minute."""
    now = time.monotonic()
    with _lock:
        before = _said_at.get(server)
        if before is not None and now - before < REPEAT_SECONDS:
            _unsaid[server] = _unsaid.get(server, 0) + 1
            return False
        _said_at[server] = now
    return True


def besides(server: str) -> str:
    """The end of the line: how much failed since the last one, and a disk that is full."""
    with _lock:
        count = _unsaid.pop(server, 0)
    told = f" ({count} more failed since the last line)" if count else ""
    if server == POSTGRESQL:  # it says that it recovers, and not from what
        told += "".join(f"; the disk of {folder} is full" for folder in _full_folders())
    return told


def _full_folders() -> list[Path]:
    from pasch.observability.parts import folders_written  # the log is set up before the models

    with suppress(OSError):  # a folder that went, or none for temporary files; the line must stand
        folders = sorted(folders_written())
        return [folder for folder in folders if shutil.disk_usage(folder).free < FULL_BYTES]
    return []


def is_back(server: str) -> None:
    """The server answers; log its next absence again."""
    with _lock:
        _said_at.pop(server, None)
        _unsaid.pop(server, None)
        _back_at[server] = time.monotonic()


def _lately_back(server: str) -> bool:
    """Whether what fails now may have begun before the server was back."""
    with _lock:
        return time.monotonic() - _back_at.get(server, -LATE_SECONDS) < LATE_SECONDS


class OncePerAbsence(logging.Filter):
    """Reduces failures for want of a server to one line, and drops the lines that follow."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let a record pass unless its reason has been logged."""
        if _is_health_check(record):
            return False
        reason = _reason(record.exc_info[1]) if record.exc_info else _reason_among(record.args)
        if reason is None:
            return True
        if _lately_back(reason[0]) or not to_be_said(reason[0]):
            return False
        server, why = reason
        record.msg, record.args = FULL if server == DISK else SAID, (server, why + besides(server))
        record.exc_info = record.exc_text = None
        return True


def _reason(error: BaseException | None) -> tuple[str, str] | None:
    """The cause of an error that has many others of its kind, and its first line; else None."""
    found = missing(error)
    while found is None and error is not None:
        if isinstance(error, psycopg.errors.DiskFull):
            return DISK, _first_line(error)
        error = error.__cause__
    return found


def _is_health_check(record: logging.LogRecord) -> bool:
    """Whether this is Django's record of a 503 that a view returned on purpose."""
    status = getattr(record, "status_code", None)
    return record.name == "django.request" and status == 503 and not record.exc_info


def _reason_among(values: object) -> tuple[str, str] | None:
    given = values if isinstance(values, tuple) else ()
    errors = (value for value in given if isinstance(value, BaseException))
    return next((found for error in errors if (found := _reason(error))), None)


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
