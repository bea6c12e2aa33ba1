"""Tables with events to pack, and what the database does with them."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from psycopg.conninfo import make_conninfo

from accounts.models import User
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.sitting import Sitting
from kit.database import database_now_ms, moment
from ledger.audit import AuditMark, AuditTurn, run
from ledger.roles import APPLICATION_ROLE, rights_grant, role_create
from ledger.seals import books_seal

NOW = timedelta(0)


def played(one: User, other: User) -> Sitting:
    """A table with a match that runs."""
    table = table_open(user=one, mode="prize5", stake_cents=250)
    table_join(user=other, table_id=table.pk)
    sitting = Sitting(table, (one, other))
    sitting.turn()
    return sitting


def close(sitting: Sitting) -> None:
    sitting.give(1, cmd.Leave())
    sitting.give(0, cmd.StandUp())
    books_seal()
    assert sitting.table.phase == "closed"


def findings() -> dict[str, set[str]]:
    """What the whole audit, a recent one and one in turns find, by check."""
    news = AuditMark(0, now())
    found: dict[str, set[str]] = {}
    for report in (run(), run(since=news), run(since=news, turn=AuditTurn((0,), 1))):
        for result in report.results:
            for finding in result.findings:
                found.setdefault(result.code, set()).add(f"{finding.row}: {finding.message}")
    return found


def now() -> datetime:
    return moment(database_now_ms())


def rows(query: str, *values: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return list(cursor.fetchall())


def execute(statement: str, *values: Any) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)


@contextmanager
def as_the_application() -> Iterator[None]:
    assert role_create()
    rights_grant()
    execute(f"SET ROLE {APPLICATION_ROLE}")
    try:
        yield
    finally:
        execute("RESET ROLE")


def killed(program: str, argument: object) -> str:
    """Run a program on this database that kills itself, and return what it had printed."""
    options = connection.get_connection_params()
    house = make_conninfo(**{k: str(options[k]) for k in ("host", "user", "dbname")})
    died = subprocess.run(
        [sys.executable, "-c", program, house, str(argument)], capture_output=True, text=True
    )
    assert died.returncode == -signal.SIGKILL, died.stderr
    return died.stdout


def changes_are_found(changes: dict[str, set[str]], codes: tuple[str, ...]) -> None:
    """Make each change without the guards, and see which of these checks find it."""
    for statement, found_by in changes.items():
        with transaction.atomic():
            execute("SET LOCAL session_replication_role = replica")
            assert execute(statement) == 1
            results = run(codes).results
            assert {result.code for result in results if result.findings} == found_by, statement
            transaction.set_rollback(True)
