"""A house is restored again and again, each time to the chosen moment.

Each restore begins another branch of the log, and the others can still be restored. The tests use
real servers, a table of one column, and commits at known times.
"""

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
from django.core.management import call_command

from pasch.backups.backup import archive_settings, base_backup
from pasch.backups.restore import Restored, restore
from pasch.servers.embedded import EmbeddedError, Home, postgres_pid, postgres_start, postgres_stop
from pasch.servers.processes import wait_until_ended

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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_copy_without_any_log_beside_it_is_enough_for_itself(life: Life) -> None:
    life.write("a")
    base_backup(life.home.database_url(), life.backups, keys={}, keep=1)
    life.close()
    shutil.rmtree(life.backups / "wal")
    shutil.rmtree(life.home.postgres_data)
    life.back_to(None)
    assert life.read() == "a"


@pytest.mark.slow
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
