"""Failures in operation name their cause: another PostgreSQL, a full disk, another key."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.home import ROOT
from harness.waiting import PROGRAM_SECONDS
from pasch.backups.backup import base_backup
from pasch.backups.restore import restore
from pasch.servers.embedded import EmbeddedError, Home, postgres_start, postgres_stop
from pasch.servers.processes import cause

START = """
import sys
from pathlib import Path
from pasch.servers.embedded import EmbeddedError, Home, postgres_start
try:
    postgres_start(Home(Path(sys.argv[1])))
except EmbeddedError as error:
    print(error)
"""


@pytest.fixture
def home() -> Iterator[Home]:
    folder = Path(tempfile.mkdtemp(prefix="pasch-causes-"))
    home = Home(folder / "var")
    yield home
    postgres_stop(home, at_once=True)
    shutil.rmtree(folder)


@pytest.mark.slow
def test_a_data_folder_of_another_version_names_both_and_what_to_do(home: Home) -> None:
    postgres_start(home)
    url, backups = home.database_url(), home.root.parent / "backups"
    base = base_backup(url, backups, keys={}, keep=1)
    postgres_stop(home)
    for version in (home.postgres_data / "PG_VERSION", base.data / "PG_VERSION"):
        version.write_text("16\n")
    with pytest.raises(EmbeddedError) as caught:
        postgres_start(home)
    assert caught.value.code == "other_version"
    text = str(caught.value)
    assert f"The data folder {home.postgres_data} was made by PostgreSQL 16" in text
    assert "this house runs PostgreSQL 18" in text
    assert "docs/operations.md" in text
    assert "### Another version of PostgreSQL" in (ROOT / "docs/operations.md").read_text()
    shutil.rmtree(home.postgres_data)
    with pytest.raises(EmbeddedError, match="was made by PostgreSQL 16"):
        restore(home, backups)
    assert not home.postgres_data.exists()


@pytest.mark.slow
def test_a_full_disk_is_named(tmp_path: Path) -> None:
    """On a disk of 16 MiB, which needs the right to mount one."""
    folder = Path(tempfile.mkdtemp(prefix="pasch-full-"))
    mount = f'mount -t tmpfs -o size=16m none {folder} && exec "$@"'
    command = ["unshare", "--mount", "sh", "-c", mount, "sh"]
    try:
        if (
            not shutil.which("unshare")
            or subprocess.run([*command, "true"], capture_output=True, check=False).returncode
        ):
            pytest.skip("no disk can be mounted here")
        ran = subprocess.run(
            [*command, sys.executable, "-c", START, folder / "var"],
            capture_output=True,
            text=True,
            cwd=ROOT,
            timeout=PROGRAM_SECONDS,
            check=False,
        )
    finally:
        shutil.rmtree(folder)
    assert "cannot be made: the disk is full (No space left on device)." in ran.stdout, ran.stderr


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (
            'creating directory … ok\ninitdb: error: could not write to file "x": No space left on'
            ' device\ninitdb: removing contents of data directory "x"\n',
            "the disk is full (No space left on device)",
        ),
        (
            "pg_basebackup: error: connection to server failed: FATAL:  no such role\n"
            "pg_basebackup: removing data directory\n",
            "connection to server failed: FATAL:  no such role",
        ),
        (
            '2026-11-22 10:00:00.000 UTC [7] FATAL:  data directory "x" has wrong ownership\n',
            'data directory "x" has wrong ownership',
        ),
        ("done\nwhat it said last\n", "what it said last"),
        ("", "no reason given"),
    ],
    ids=["full", "error before the clean-up", "log of the server", "no complaint", "nothing"],
)
def test_the_cause_is_the_first_complaint_and_not_the_last_line(said: str, found: str) -> None:
    assert cause(said) == found
