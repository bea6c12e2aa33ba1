"""The trial of a heartbeat: PostgreSQL does for it what it does for a command.

A row of heartbeats can be updated while commands fail: on a full disk, behind a lock on the tables
of commands, or without rights there. So a heartbeat first tries what a command needs. What a trial
cannot know, a process without a free connection above all, is known by what is refused to others:
`commands_fail` where that comes often, although the trials succeed.

Nothing is left behind: the locks end with the transaction, and what is written to the disk is a
temporary file. One trial takes a millisecond.
"""

import threading
import time
from collections import deque
from typing import Final

import psycopg
from django.conf import settings
from django.db import connection
from redis.exceptions import RedisError

from kit.valkey.clients import client

#: so long a command, and so a trial, waits for a lock.
LOCK_TIMEOUT: Final = "3s"

#: what every command writes. The lock is that of a row that is inserted or updated: it needs the
#: same right, and waits for whoever keeps all others away from the table.
_LOCK: Final = (
    "LOCK TABLE games_table, games_tableevent, games_commandrecord, games_deadline,"
    " games_gamedice, games_diceroll IN ROW EXCLUSIVE MODE"
)
#: more rows than the memory for them (64 kB) takes, so that they need space on the disk of the
#: database, as what a command stores may.
_WRITE: Final = "SELECT count(*) FROM generate_series(1, 5000)"

#: so many refusals within this time are no accident.
REFUSALS_MANY: Final = 3
REFUSALS_SECONDS: Final = 5.0

#: too little of something (53), an error of the system (58) or of the server itself (XX), the end
#: of a connection by the server (57P0x), a lock that was not to be had, no right, a server that
#: takes no changes. What a player's own input can cause is not among them.
_CLASSES: Final = ("53", "58", "XX", "57P0")
_STATES: Final = frozenset({"55P03", "42501", "25006"})

_refused_at: deque[float] = deque(maxlen=REFUSALS_MANY)
_lock = threading.Lock()

#: where a web process says that it has no way to the database, and for how long that counts.
_CUT_OFF: Final = "cut-off"
CUT_OFF_SECONDS: Final = 5


def try_what_commands_need() -> None:
    """Try all that a command needs of PostgreSQL, in this transaction. Raises Django's `Error`."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'; SET LOCAL work_mem = '64kB'")
        cursor.execute(_LOCK)
        cursor.execute(_WRITE)


def refusal_note(error: psycopg.Error) -> None:
    """Note that this error ended a statement or a try to connect, if it is the house's fault."""
    state = error.sqlstate
    if state is None:
        counts = isinstance(error, psycopg.OperationalError)
    else:
        counts = state in _STATES or state.startswith(_CLASSES)
    if counts:
        with _lock:
            _refused_at.append(time.monotonic())


def refusals_are_many() -> bool:
    """Return True if this process was refused something often within the last seconds."""
    with _lock:
        many = len(_refused_at) == REFUSALS_MANY
        return many and time.monotonic() - _refused_at[0] < REFUSALS_SECONDS


def refusals_forget() -> None:
    """Forget them: whatever it is, the heartbeat does not succeed either."""
    with _lock:
        _refused_at.clear()


def cut_off_tell() -> None:
    """Say by Valkey that a web process has no way to the database, which others may have."""
    try:
        client(settings.REDIS_URL).set(_key(), 1, ex=CUT_OFF_SECONDS)
    except RedisError:  # without both nobody gets an answer here, and `/health/ready/` says so
        return


def some_are_cut_off() -> bool:
    """Return True if a web process has lately said that it has no way to the database."""
    try:
        return bool(client(settings.REDIS_URL).exists(_key()))
    except RedisError:
        return False


def _key() -> str:
    return f"{settings.BROADCAST_PREFIX}{_CUT_OFF}"
