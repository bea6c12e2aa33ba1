"""Tables with events to pack, and what the database does with them."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

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
