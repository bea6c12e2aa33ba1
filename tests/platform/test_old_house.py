"""A house that ran the migrations before `0001_initial` is migrated with its rows unchanged.

`old_house.sql.xz` is such a house, in which everything has happened, with seals and audits, as
`pg_dump --no-owner --inserts` wrote it; `old_house_seals.log` has the roots of its seals.
"""

import lzma
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings

from ledger.catalog import definitions
from tests.architecture.sources import ROOT
from tests.platform.restored import Run, managed, python_of, restored
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


@pytest.fixture
def old_house(db: None) -> Iterator[psycopg.Connection]:
    """A database with the old house in it."""
    dump = lzma.decompress((HERE / "old_house.sql.xz").read_bytes()).decode()
    with restored(dump, "of_before") as house:
        yield house


@pytest.fixture
def manage(old_house: psycopg.Connection, tmp_path: Path) -> Run:
    """Run a management command of today's version against the old house."""
    seals = shutil.copy(HERE / "old_house_seals.log", tmp_path / "seals.log")
    return managed(python_of(old_house, Path(seals)))


@pytest.mark.slow
def test_an_old_house_goes_on_and_proves_itself(old_house: psycopg.Connection, manage: Run) -> None:
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


@pytest.mark.slow
def test_a_house_on_the_way_there_is_sent_to_the_version_before(
    old_house: psycopg.Connection, manage: Run
) -> None:
    old_house.execute("DELETE FROM django_migrations WHERE app = 'games' AND name LIKE '0017%'")
    schema = definitions(old_house)
    for command in ("migrate", "prepare"):
        refused = manage(command)
        assert refused.returncode == 1
        assert "Houses from before the first release" in refused.stderr
        assert "Traceback" not in refused.stderr
    assert definitions(old_house) == schema
