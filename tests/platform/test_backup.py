"""The drill: play and settle, back up, settle more, do damage, and restore the moment before.

The restored house, on a PostgreSQL of its own, has all that was committed before the moment and
nothing after it, and its books pass the audit.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections

from accounts.models import User
from games.models import Match, TableEvent
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.sitting import Sitting
from ledger.models import Entry
from ledger.seals import books_seal
from pasch.backups.backup import archive_settings, key_mark
from pasch.backups.folder import Backups
from pasch.postgresql.address import database
from pasch.servers.embedded import Home, postgres_start, postgres_stop


@contextmanager
def connected(url: str) -> Iterator[None]:
    """Let this thread use another database."""
    told = database("DATABASE_URL", url)
    kept = dict(connections["default"].settings_dict)
    connection.close()
    connections["default"].settings_dict.update(
        NAME=told["NAME"], USER=told["USER"], HOST=told["HOST"], OPTIONS={}
    )
    try:
        yield
    finally:
        connection.close()
        connections["default"].settings_dict.update(kept)


@pytest.fixture
def house(transactional_db: None, settings: Any, monkeypatch: Any) -> Iterator[Home]:
    """A PostgreSQL that archives its log, with the house's empty database in it."""
    folder = Path(tempfile.mkdtemp(prefix="pasch-drill-"))
    home = Home(folder / "var")
    settings.HOME, settings.DATABASE_URL = home, home.database_url()
    settings.LEDGER_SEAL_FILE = str(home.root / "seals.log")
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("MIGRATE_DATABASE_URL", raising=False)
    try:
        postgres_start(home, settings=archive_settings(folder / "backups"))
        with connected(home.database_url()):
            # a copied schema has the same tables, but its guards are spelled differently
            call_command("migrate", interactive=False, verbosity=0)
            call_command("database_roles", stdout=StringIO())
            yield home
    finally:
        postgres_stop(home, at_once=True)
        shutil.rmtree(folder)


def told(command: str, *arguments: object, into: StringIO | None = None, **options: object) -> str:
    """The output of a command."""
    said = into or StringIO()
    call_command(command, *map(str, arguments), stdout=said, stderr=said, **options)
    return said.getvalue()


def match_begin(people: tuple[User, User]) -> Sitting:
    table = table_open(user=people[0], mode="prize5", stake_cents=250)
    table_join(user=people[1], table_id=table.pk)
    return Sitting(table, people)


def played(people: tuple[User, User]) -> None:
    """A match of a few turns, whose guest leaves."""
    sitting = match_begin(people)
    for _ in range(4):
        sitting.turn()
    sitting.give(1, cmd.Leave())


def everything() -> dict[str, list[Any]]:
    """The rows that must not be lost."""
    return {
        "entries": list(Entry.objects.order_by("pk").values_list()),
        "events": list(TableEvent.objects.order_by("pk").values_list()),
        "matches": list(Match.objects.order_by("pk").values_list()),
        "people": list(User.objects.order_by("pk").values_list()),
    }


def database_now() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        at: datetime = cursor.fetchone()[0]
    return at


def damage() -> None:
    """Damage by a person with every right."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("DELETE FROM ledger_entry")
        cursor.execute("UPDATE accounts_user SET username = 'nobody' || id")


@pytest.mark.slow
def test_a_house_comes_back_to_the_moment_before_the_damage(house: Home, settings: Any) -> None:
    backups = house.root.parent / "backups"
    people = (User.objects.create_user("magriel"), User.objects.create_user("hilde"))
    played(people)
    books_seal()
    with pytest.raises(CommandError, match="house is open"):
        told("restore", backups)
    before_it = database_now()
    assert key_mark(settings.DICE_KEY) in told("backup", backups)

    played(people)
    running = match_begin(people)
    running.turn()
    books_seal()
    kept, moment = everything(), database_now()
    damage()
    books_seal()
    connection.close()
    postgres_stop(house)

    with pytest.raises(CommandError, match="no backup"):
        told("restore", backups, "--to", before_it.isoformat())
    with pytest.raises(CommandError, match="log ends before"):
        told("restore", backups, "--to", (moment + timedelta(days=1)).isoformat())
    said = told("restore", backups, "--to", moment.isoformat())
    assert "0 findings" in said
    assert "The house is in order" in said
    assert len(list(house.root.glob("postgres.*"))) == 1, "what was there is set aside"

    postgres_start(house, settings=archive_settings(backups))
    assert everything() == kept
    running.give(running.state.game.on_roll, cmd.Leave())
    assert Match.objects.filter(ended_at=None).count() == 0
    books_seal()
    assert "0 findings" in told("audit")

    # a restore with other keys names them, before the audit finds the consequences
    connection.close()
    postgres_stop(house)
    kept_keys = settings.SECRET_KEY, settings.DICE_KEY
    settings.SECRET_KEY, settings.DICE_KEY = "another key of this house", "another key of the dice"
    with pytest.raises(SystemExit):
        told("restore", backups, "--to", moment.isoformat(), into=(said := StringIO()))
    assert "SECRET_KEY is not the one of the backup" in said.getvalue()
    assert "DICE_KEY is not the one of the backup" in said.getvalue()
    settings.SECRET_KEY, settings.DICE_KEY = kept_keys
    assert "is not the one of" not in told("restore", backups)
    postgres_start(house, settings=archive_settings(backups))

    # the next backup deletes the first one, and the log that only that one needed
    pieces = {path.name for path in Backups(backups).wal.iterdir()}
    told("backup", backups, keep=1)
    (base,) = Backups(backups).bases()
    assert base.ended_at > moment
    left = {path.name for path in Backups(backups).wal.iterdir()}
    assert pieces - left
    assert all(name[8:24] >= base.first_piece()[8:] for name in left if len(name) == 24)
