"""The drill: play and settle, back up, settle more, do damage, and restore the moment before.

The restored house, on a PostgreSQL of its own, has all that was committed before the moment and
nothing after it, and its books pass the audit.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import psutil
import psycopg
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
from pasch.backups.backup import archive_settings, base_backup, key_mark
from pasch.backups.folder import Backups
from pasch.backups.restore import Restored, _name_free, restore
from pasch.postgresql.address import database
from pasch.servers.embedded import EmbeddedError, Home, postgres_pid, postgres_start, postgres_stop
from pasch.servers.processes import wait_until_ended

pytestmark = pytest.mark.slow


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


# --- branches -------------------------------------------------------------------------------------
STEP = timedelta(milliseconds=50)


@dataclass
class Life:
    """A house with one table, and the folder of its backups."""

    home: Home
    backups: Path

    def open(self) -> None:
        postgres_start(self.home, settings=archive_settings(self.backups))

    def close(self) -> None:
        postgres_stop(self.home)

    def crash(self) -> None:
        """Kill the server: the end of its log is not archived."""
        server = psutil.Process(postgres_pid(self.home))
        family = [server, *server.children(recursive=True)]
        for process in family:
            process.kill()
        assert wait_until_ended(family, 30) == []

    def write(self, *notes: str) -> datetime:
        """Commit notes one by one; return a moment after them and before any later commit."""
        with psycopg.connect(self.home.database_url(), autocommit=True) as server:
            for note in notes:
                server.execute("INSERT INTO note VALUES (%s)", [note])
            server.execute("SELECT pg_sleep(0.1)")
            row = server.execute("SELECT clock_timestamp()").fetchone()
            server.execute("SELECT pg_sleep(0.1)")
        assert row is not None
        at: datetime = row[0]
        return at

    def read(self) -> str:
        with psycopg.connect(self.home.database_url()) as server:
            return "".join(row[0] for row in server.execute("SELECT text FROM note ORDER BY text"))

    def back_to(self, moment: datetime | None, branch: int | None = None) -> Restored:
        """Restore the closed house and open it."""
        done = restore(self.home, self.backups, to=moment, branch=branch)
        self.open()
        return done

    def refused(self, moment: datetime, branch: int | None = None) -> str:
        with pytest.raises(EmbeddedError) as caught:
            restore(self.home, self.backups, to=moment, branch=branch)
        return f"{caught.value.code}: {caught.value}"


@pytest.fixture
def life() -> Iterator[Life]:
    folder = Path(tempfile.mkdtemp(prefix="pasch-branches-"))
    life = Life(Home(folder / "var"), folder / "backups")
    try:
        life.open()
        with psycopg.connect(life.home.database_url(), autocommit=True) as server:
            server.execute("CREATE TABLE note (text text)")
        base_backup(life.home.database_url(), life.backups, keys={}, keep=7)
        yield life
    finally:
        postgres_stop(life.home, at_once=True)
        shutil.rmtree(folder)


def test_two_restores_of_one_second_keep_what_was_there_apart(tmp_path: Path) -> None:
    aside = tmp_path / "postgres.20261128T231117Z"
    assert _name_free(aside) == aside
    aside.mkdir()
    assert _name_free(aside).name == "postgres.20261128T231117Z.2"


def test_every_branch_stays_within_reach(life: Life, settings: Any) -> None:
    after_a, after_b = life.write("a"), life.write("b")
    life.write("c")
    life.close()
    done = life.back_to(after_a)
    assert (life.read(), done.reach.branch.number, done.goes_on_as) == ("a", 1, 2)
    after_d = life.write("d")
    life.write("e")
    life.close()

    done = life.back_to(after_b)  # later than the moment at which the second branch left the first
    assert (life.read(), done.reach.branch.number, done.goes_on_as) == ("ab", 1, 3)
    life.close()
    done = life.back_to(None)  # nothing happened on it: the house stays as it is
    assert (life.read(), done.reach.branch.number) == ("ab", 3)
    life.close()
    done = life.back_to(after_d)
    assert (life.read(), done.reach.branch.number) == ("ad", 2)
    base_backup(life.home.database_url(), life.backups, keys={}, keep=7)
    after_f = life.write("f")
    life.write("g")
    life.close()
    life.back_to(after_f)
    assert life.read() == "adf"
    life.close()
    life.back_to(after_b)
    assert life.read() == "ab", "a newer copy is of another branch"
    life.close()

    settings.HOME, said = life.home, StringIO()
    call_command("restore", str(life.backups), "--list", stdout=said)
    lines = said.getvalue().splitlines()
    assert lines[0].startswith("branch 1: 20")
    assert lines[1].startswith(f"branch 2: {after_d:%Y-%m-%d %H:%M:%S}"[:20])


def test_a_moment_on_no_branch_is_refused_and_what_there_is_is_said(life: Life) -> None:
    after_a = life.write("a")
    life.write("b")
    life.close()
    life.back_to(after_a)
    between = life.write() - STEP  # the house is open again, and nothing has happened
    after_c = life.write("c")
    life.close()
    data = life.home.postgres_data.stat().st_ino
    assert life.refused(between).startswith("no_branch: ")
    told = life.refused(after_c + timedelta(days=1))
    assert told.startswith("not_reached: The log ends before ")
    assert "branch 1: " in told
    assert "branch 2: " in told
    assert life.refused(after_a - timedelta(days=1)).startswith("no_backup: There is no backup")
    assert life.refused(after_a, branch=2).startswith("no_backup: ")
    assert life.refused(after_a, branch=7).startswith("no_branch: There is no branch 7.")
    assert life.home.postgres_data.stat().st_ino == data, "nothing has changed"


def test_a_moment_that_two_houses_lived_needs_the_number_of_a_branch(life: Life) -> None:
    """A copy of the house was opened elsewhere, and both archived their logs in one folder."""
    after_a = life.write("a")
    life.write("b")
    life.close()
    life.open()  # closing archived the log
    other = Life(Home(life.home.root.parent / "other"), life.backups)
    try:
        other.back_to(after_a)
        other.write("x")
        life.write("c")
        both = life.write()
        life.write("d")
        other.write("y")
        life.close()
        other.close()
        told = life.refused(both)
        assert told.startswith("several_branches: ")
        assert "lies on branches 1 and 2; say which with --branch" in told
        life.back_to(both, branch=2)
        assert life.read() == "ax"
        life.close()
        life.back_to(both, branch=1)
        assert life.read() == "abc"
    finally:
        postgres_stop(other.home, at_once=True)


def test_a_copy_without_any_log_beside_it_is_enough_for_itself(life: Life) -> None:
    life.write("a")
    base_backup(life.home.database_url(), life.backups, keys={}, keep=1)
    life.close()
    shutil.rmtree(life.backups / "wal")
    shutil.rmtree(life.home.postgres_data)
    life.back_to(None)
    assert life.read() == "a"


def test_the_end_of_a_branch_that_was_never_laid_down_is_kept(life: Life) -> None:
    after_a = life.write("a")
    after_b = life.write("b")
    life.write("c")
    life.crash()
    life.back_to(after_a)
    life.write("d")
    life.close()
    for aside in life.home.root.glob("postgres.*"):
        shutil.rmtree(aside)  # the operator was content and removed it
    life.back_to(after_b)
    assert life.read() == "ab"
