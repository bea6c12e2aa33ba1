"""The set-up of the tests itself: servers, database, threads, processes and browser."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.db import IntegrityError, connection

from accounts.models import User
from accounts.roles import Role, role_give
from harness.chromium import NoBrowser, chromium_find
from harness.home import ROOT
from harness.postgresql.base import connections_give_back
from harness.servers import HOME_VARIABLE
from harness.waiting import WAIT_SECONDS, wait_until
from ledger.models import Entry
from pasch.servers.embedded import Home
from pasch.servers.processes import wait_until_ended
from tests.racing import racers


@pytest.mark.django_db
@pytest.mark.skipif(bool(os.environ.get("DATABASE_URL")), reason="the server is not the tests' own")
def test_the_log_of_the_database_names_errors_and_no_values_for_its_owner_alone() -> None:
    log = Home(Path(os.environ[HOME_VARIABLE])).logs / "postgres.log"
    before = log.stat().st_size
    User.objects.create_user("only-in-the-table")
    with pytest.raises(IntegrityError):
        User.objects.create_user("only-in-the-table")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    said = log.read_bytes()[before:].decode(errors="replace")
    assert "duplicate key value violates unique constraint" in said
    assert "only-in-the-table" not in said


# --- an emptied database --------------------------------------------------------------------------
def flush() -> None:
    """As Django does after a test that commits."""
    call_command("flush", verbosity=0, interactive=False, reset_sequences=False)


def house_rows() -> tuple[list[str], list[tuple[str, str]]]:
    pairs = Group.objects.order_by("name", "permissions__codename")
    codenames = Permission.objects.order_by("codename").values_list("codename", flat=True)
    return list(codenames), list(pairs.values_list("name", "permissions__codename"))


@pytest.mark.django_db(transaction=True)
def test_people_and_credits_go_and_roles_stay() -> None:
    before = house_rows()
    role_give(User.objects.create_user("anna"), Role.ADMINISTRATOR)
    assert Entry.objects.exists(), "the guards of the books are to be passed over, too"
    flush()
    assert not User.objects.exists()
    assert not Entry.objects.exists()
    assert house_rows() == before
    assert len(before[1]) > 10


@pytest.mark.django_db(transaction=True)
def test_roles_that_a_test_changed_are_made_anew() -> None:
    before = house_rows()
    Group.objects.get(name=Role.MODERATOR.value).permissions.clear()
    Group.objects.create(name="strangers")
    Permission.objects.first().delete()
    flush()
    assert house_rows() == before


# --- threads --------------------------------------------------------------------------------------
def in_use() -> int:
    stats: dict[str, Any] = connection.pool.get_stats()  # type: ignore[attr-defined]  # not in the stubs
    return int(stats["pool_size"]) - int(stats["pool_available"])


@pytest.mark.django_db(transaction=True)
def test_a_connection_of_a_thread_that_ended_goes_back() -> None:
    connection.ensure_connection()
    before = in_use()
    with ThreadPoolExecutor(3) as threads:
        list(threads.map(lambda _: connection.ensure_connection(), range(9)))
    assert in_use() > before
    connections_give_back()
    assert in_use() == before


@pytest.mark.django_db(transaction=True)
def test_a_race_that_cannot_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_connection() -> None:
        raise ConnectionError("no connection is left")

    monkeypatch.setattr("tests.racing.connection_open", no_connection)
    with pytest.raises(ConnectionError, match="no connection is left"), racers(2) as race:
        race([list, list])


# --- the end of a process -------------------------------------------------------------------------
#: has a child that dies, does not reap it, and lives until it is killed
CARELESS = """
import os, time
child = os.fork()
if child == 0:
    os._exit(0)
print(child, flush=True)
time.sleep(600)
"""
#: ends its first thread while another one runs on
HALF_DEAD = """
import ctypes, threading, time
threading.Thread(target=time.sleep, args=(600,)).start()
print("gone", flush=True)
ctypes.CDLL(None).pthread_exit(None)
"""


@pytest.fixture
def careless() -> Iterator[tuple[psutil.Process, psutil.Process]]:
    """A running process, and a dead child that it has not reaped."""
    command = [sys.executable, "-S", "-c", CARELESS]
    parent = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    try:
        yield psutil.Process(parent.pid), psutil.Process(int(parent.stdout.readline()))
    finally:
        parent.kill()
        parent.communicate()


def test_a_dead_one_has_ended_and_a_living_one_has_not(
    careless: tuple[psutil.Process, psutil.Process],
) -> None:
    parent, child = careless
    assert wait_until_ended([child], WAIT_SECONDS) == []
    assert psutil.pid_exists(child.pid), "its number stands in the table for ever"
    assert wait_until_ended([parent], 0) == [parent]


def test_a_child_of_ours_is_buried() -> None:
    child = subprocess.Popen(["true"])
    assert wait_until_ended([psutil.Process(child.pid)], WAIT_SECONDS) == []
    assert not psutil.pid_exists(child.pid)
    child.wait()


def test_one_lives_while_a_thread_of_it_does() -> None:
    half_dead = subprocess.Popen(
        [sys.executable, "-S", "-c", HALF_DEAD], stdout=subprocess.PIPE, text=True
    )
    assert half_dead.stdout is not None
    half_dead.stdout.readline()
    process = psutil.Process(half_dead.pid)
    assert wait_until_ended([process], 0) == [process]
    wait_until(lambda: process.status() == psutil.STATUS_ZOMBIE, "its first thread goes on")
    assert wait_until_ended([process], 0) == [process], "the other thread holds its files"
    half_dead.kill()
    half_dead.communicate()


# --- the browser ----------------------------------------------------------------------------------
@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the PATH, empty: a machine with neither a browser nor npm."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("CHROME_BIN", raising=False)
    return folder


def program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_the_installed_browser_is_taken(programs: Path, tmp_path: Path) -> None:
    program(programs / "chromium", "#!/bin/sh\n")
    assert chromium_find(tmp_path / "var").program == programs / "chromium"
    program(programs / "chromium-headless-shell", "#!/bin/sh\n")
    assert chromium_find(tmp_path / "var").program == programs / "chromium-headless-shell"


def test_a_named_browser_that_is_none_is_refused(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHROME_BIN", str(tmp_path / "nothing"))
    with pytest.raises(NoBrowser, match=r"CHROME_BIN names .*nothing, which is not a program"):
        chromium_find(tmp_path / "var")


def test_another_package_than_the_known_one_is_refused(programs: Path, tmp_path: Path) -> None:
    program(programs / "npm", '#!/bin/sh\necho "not a browser" > "$5/chromium.tgz"\n')
    with pytest.raises(NoBrowser, match="its digest differs"):
        chromium_find(tmp_path / "var")
    assert not list((tmp_path / "var").glob("chromium-*"))


def test_an_npm_that_fails_is_one_sentence(programs: Path, tmp_path: Path) -> None:
    program(programs / "npm", "#!/bin/sh\necho no network >&2\nexit 1\n")
    with pytest.raises(NoBrowser, match=r"npm could not fetch .*: no network; install chromium"):
        chromium_find(tmp_path / "var")


@pytest.mark.slow
@pytest.mark.parametrize(("option", "status"), [((), 1), (("--no-browser",), 0)])
def test_without_a_browser_its_tests_fail_unless_they_are_left_out(
    programs: Path, tmp_path: Path, option: tuple[str, ...], status: int
) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import *")
    (tmp_path / "test_it.py").write_text("def test_page(page): ...\n\ndef test_other(): ...\n")
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "-n", "0", *option]
    command += ["-p", "no:schemathesis"]  # it takes long to load and is not needed here
    # A separate folder for the download: a browser unpacked earlier must not be used.
    result = subprocess.run(
        [*command, tmp_path],
        cwd=ROOT,
        env={**os.environ, "PASCH_BROWSERS": str(tmp_path / "var")},
        capture_output=True,
        text=True,
        check=False,
    )
    said = "there is neither one nor npm to fetch one with" in result.stdout
    assert (result.returncode, said) == (status, not option), result.stdout + result.stderr
