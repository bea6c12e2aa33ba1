"""Which of the servers at an address takes changes.

A standby answers queries, and so does a primary that was set read-only. To the house such a server
is away: a connection to it is dropped, and nothing is stored until a primary is found.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_attempts, make_conninfo
from psycopg.pq import Ping, TransactionStatus

#: "on" at a standby and where default_transaction_read_only is on; right behind a pooler, too
ASK: Final = "SHOW transaction_read_only"


class Seen(Enum):
    """The result of asking the servers at an address; the first that fits."""

    PRIMARY = auto()
    BUSY = auto()  # a server is there and lets nobody in, as one without a free connection
    READ_ONLY = auto()
    NOTHING = auto()


class ReadOnly(psycopg.OperationalError):
    """The server takes no changes."""


def check(connection: "psycopg.Connection[Any]") -> None:
    """Return if the connection works and its server takes changes; else an `OperationalError`.

    A transaction that is open stays as it is, and without one there is none afterwards. Inside one
    only the connection is tried, for the transaction itself may be read-only. A connection to a
    server that takes no changes is closed, or a pool would take it back.
    """
    inside = connection.pgconn.transaction_status != TransactionStatus.IDLE
    row = connection.execute(ASK).fetchone()
    if inside:
        return
    if connection.pgconn.transaction_status == TransactionStatus.INTRANS:
        connection.rollback()
    if row is None or row[0] != "off":
        connection.close()
        raise ReadOnly("This PostgreSQL server takes no changes.")


def became_read_only(connection: "psycopg.Connection[Any]") -> bool:
    """Whether the server itself is read-only, and not just a transaction of ours.

    For use after an error, when nothing can be asked: the server reports these two by itself. A
    pooler does not pass its reports on.
    """
    reported = (
        connection.pgconn.parameter_status(name)
        for name in (b"in_hot_standby", b"default_transaction_read_only")
    )
    return b"on" in reported


def look(parameters: Mapping[str, Any]) -> Seen:
    """Ask the servers, one after the other, until one takes changes."""
    anywhere = {name: each for name, each in parameters.items() if name != "target_session_attrs"}
    try:
        attempts = conninfo_attempts(anywhere)
    except psycopg.OperationalError:  # no name could be resolved
        return Seen.NOTHING
    seen = {Seen.NOTHING}
    for attempt in attempts:
        found = _look_at(attempt)
        if found is Seen.PRIMARY:
            return found
        seen.add(found)
    return next(each for each in Seen if each in seen)


def _look_at(attempt: Mapping[str, Any]) -> Seen:
    try:
        with psycopg.connect(**attempt, autocommit=True) as connection:
            check(connection)
    except ReadOnly:
        return Seen.READ_ONLY
    except psycopg.errors.ConnectionTimeout:
        return Seen.NOTHING
    except psycopg.Error:
        found = psycopg.pq.PGconn.ping(make_conninfo(**attempt).encode())
        return Seen.BUSY if found == Ping.OK else Seen.NOTHING
    return Seen.PRIMARY
