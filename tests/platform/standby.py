"""A primary and its synchronous standby, each a PostgreSQL of its own, and the change of roles."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil
import psycopg
from django.db import connection, connections

from harness.dice import DICE_FILE
from harness.processes import Processes
from harness.waiting import WAIT_SECONDS, wait_until
from pasch.postgresql.address import database
from pasch.servers.embedded import (
    Home,
    postgres_pid,
    postgres_program,
    postgres_start,
    postgres_stop,
)
from pasch.servers.processes import server_user, wait_until_ended
from tests.platform.conftest import schema_copy

TOKEN = "figures-of-the-house-are-for-its-operator"
#: nothing here survives the machine, and every commit waits for the standby all the same
QUICK = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "on"}


class Servers:
    """Two servers; `primary` and `standby` are swapped by `promote`."""

    def __init__(self, root: Path) -> None:
        self.primary, self.standby = Home(root / "a"), Home(root / "b")
        self._both = (self.primary, self.standby)

    @property
    def url(self) -> str:
        """The address of both, always in the same order."""
        hosts = ",".join(quote(str(home.run), safe="") for home in self._both)
        return f"postgresql://postgres@/pasch?host={hosts}"

    def start(self) -> None:
        """Start both; every commit is confirmed once the standby has it, too."""
        postgres_start(self.primary, settings=QUICK)
        self.follow()

    def follow(self) -> None:
        """Make the standby a copy of the primary, and let commits wait for it."""
        postgres_stop(self.standby, at_once=True)
        shutil.rmtree(self.standby.postgres_data, ignore_errors=True)
        self.standby.root.mkdir(exist_ok=True)
        copy = [postgres_program("pg_basebackup"), "-D", self.standby.postgres_data, "-R"]
        copy += ["-h", self.primary.run, "-U", "postgres", "-c", "fast"]
        subprocess.run([str(part) for part in copy], check=True, capture_output=True)
        _give(self.standby.postgres_data)
        postgres_start(self.standby, settings=QUICK)
        self.on_primary("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.on_primary("SELECT pg_reload_conf()")
        synchronous = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        wait_until(lambda: self.on_primary(synchronous) == 1, "the standby does not follow")

    def kill_primary(self) -> None:
        """End every process of the primary at once, as a power cut would."""
        pid = postgres_pid(self.primary)
        assert pid is not None
        first = psutil.Process(pid)
        doomed = [first, *first.children(recursive=True)]
        for process in doomed:
            process.kill()
        assert wait_until_ended(doomed, WAIT_SECONDS) == []

    def promote(self) -> None:
        """Make the standby the primary; the other one is the standby by name from now on."""
        with psycopg.connect(self.standby.database_url(), autocommit=True) as db:
            row = db.execute("SELECT pg_promote(wait_seconds => %s)", [WAIT_SECONDS]).fetchone()
            assert row == (True,), "the standby does not become the primary"
        self.primary, self.standby = self.standby, self.primary

    def on_primary(self, statement: str) -> Any:
        """The first value of a statement's result at the primary."""
        return _value(self.primary, statement)

    def on_standby(self, statement: str) -> Any:
        """The first value of a statement's result at the standby."""
        return _value(self.standby, statement)

    def stop(self) -> None:
        """Stop both, and forget their data."""
        for home in self._both:
            postgres_stop(home, at_once=True)
            if home.run != home.root / "run":
                shutil.rmtree(home.run, ignore_errors=True)


@contextmanager
def two_servers() -> Iterator[Servers]:
    """A primary and its synchronous standby, both new and empty."""
    root = Path(tempfile.mkdtemp(prefix="pasch-pair-"))
    servers = Servers(root)
    try:
        servers.start()
        yield servers
    finally:
        servers.stop()
        shutil.rmtree(root)


@contextmanager
def using(url: str) -> Iterator[None]:
    """Let this thread use the database at another address, on connections of its own."""
    connection.close()
    wrapper = connections["default"]
    kept = wrapper.settings_dict
    wrapper.settings_dict = {**kept, **database("DATABASE_URL", url)}
    try:
        yield
    finally:
        connection.close()
        wrapper.settings_dict = kept


@contextmanager
def house_on(servers: Servers, folder: Path, **addresses: str) -> Iterator[Processes]:
    """A house of one web process with the dice of the house; the caller starts its processes."""
    schema_copy(servers.primary)
    with Processes(folder, []) as house:
        del house.environment[DICE_FILE]
        house.environment |= {"WEB_WORKERS": "1", "METRICS_TOKEN": TOKEN, **addresses}
        yield house


def _value(home: Home, statement: str) -> Any:
    with psycopg.connect(home.database_url(), autocommit=True) as db:
        cursor = db.execute(statement)
        row = cursor.fetchone() if cursor.description else None
        return row and row[0]


def _give(folder: Path) -> None:
    """Let the user that the servers run as own a folder."""
    user = server_user()
    if user is None:
        return
    entry = pwd.getpwnam(user)
    for path in (folder, *folder.rglob("*")):
        os.chown(path, entry.pw_uid, entry.pw_gid, follow_symlinks=False)
