"""A house that ran the migrations before `0001_initial` is migrated with its rows unchanged.

`old_house.sql.xz` is such a house, in which everything has happened, with seals and audits, as
`pg_dump --no-owner --inserts` wrote it; `old_house_seals.log` has the roots of its seals.
"""

import lzma
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from psycopg.conninfo import make_conninfo

from ledger.catalog import definitions
from tests.architecture.sources import ROOT
from tests.platform.test_migrations import OURS

pytestmark = pytest.mark.django_db

HERE = Path(__file__).parent
LATER = [app for app in OURS if len(list((ROOT / app / "migrations").glob("0*.py"))) > 1]

NEW_APPS = {"analysis", "chouette", "fairplay", "tournaments"}
"""They came after the version of the old house."""

BOOKS = """
    SELECT json_agg(x) FROM (
        SELECT a.key, a.balance_cents, a.version, sum(e.amount_cents) AS cents, count(e.line)
        FROM ledger_account a LEFT JOIN ledger_entry e ON e.account_id = a.id
        GROUP BY a.id ORDER BY a.id) x
"""
SEALS = "SELECT json_agg(s ORDER BY s.id) FROM ledger_seal s"

Manage = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def old_house(db: None) -> Iterator[psycopg.Connection]:
    """A database with the old house in it."""
    params = connection.get_connection_params()
    server = {"host": str(params["host"]), "user": str(params["user"])}
    name = f"{params['dbname']}_of_before"
    dump = lzma.decompress((HERE / "old_house.sql.xz").read_bytes()).decode()
    text = "\n".join(line for line in dump.splitlines() if not line.startswith("\\"))
    maintenance = make_conninfo(**server, dbname="postgres")
    with psycopg.connect(maintenance, autocommit=True) as keeper:
        keeper.execute(f"DROP DATABASE IF EXISTS {name}")
        keeper.execute(f"CREATE DATABASE {name}")
        try:
            with psycopg.connect(make_conninfo(**server, dbname=name), autocommit=True) as house:
                house.execute(text)
                house.execute("SET search_path = public")
                yield house
        finally:
            keeper.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def manage(old_house: psycopg.Connection, tmp_path: Path) -> Manage:
    """Run a management command of today's version against the old house."""
    seals = shutil.copy(HERE / "old_house_seals.log", tmp_path / "seals.log")
    info = old_house.info
    more = {
        "DATABASE_URL": f"postgres://{info.user}@/{info.dbname}?host={quote(info.host, safe='')}",
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "LEDGER_SEAL_FILE": str(seals),
    }

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, ROOT / "manage.py", *arguments],
            env={**os.environ, **more},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_an_old_house_goes_on_and_proves_itself(
    old_house: psycopg.Connection, manage: Manage
) -> None:
    assert settings.SECRET_KEY.startswith("only-the-tests")  # which signed the roots
    books, seals = (old_house.execute(query).fetchone() for query in (BOOKS, SEALS))
    schema = definitions(old_house)
    migrated = manage("migrate", "--no-color")
    assert migrated.returncode == 0, migrated.stderr
    begun = re.findall(r"Applying (\w+)\.0001_initial", migrated.stdout)
    assert set(begun) <= NEW_APPS  # of the others none was run
    assert old_house.execute(BOOKS).fetchone() == books
    assert old_house.execute(SEALS).fetchone() == seals
    if not LATER:
        assert definitions(old_house) == schema
    audit = manage("audit")
    assert audit.returncode == 0, audit.stdout
    assert "0 findings" in audit.stdout


def test_a_house_on_the_way_there_is_sent_to_the_version_before(
    old_house: psycopg.Connection, manage: Manage
) -> None:
    old_house.execute("DELETE FROM django_migrations WHERE app = 'games' AND name LIKE '0017%'")
    schema = definitions(old_house)
    for command in ("migrate", "prepare"):
        refused = manage(command)
        assert refused.returncode == 1
        assert "Houses from before the first release" in refused.stderr
        assert "Traceback" not in refused.stderr
    assert definitions(old_house) == schema
