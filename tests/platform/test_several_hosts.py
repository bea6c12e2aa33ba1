"""The guide for several hosts, its rehearsal, and the log of the database."""

import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT
from tests.platform.test_operations import variables_read
from tests.platform.test_systemd import rehearsed

GUIDE = (ROOT / "deploy/several-hosts.md").read_text()
OVERVIEW = (ROOT / "docs/several-hosts.md").read_text()
PARTS = [part for part in GUIDE.split("\n## ")[1:] if "```sh" in part]
ARCHIVE = ROOT / "deploy/postgres/archive.sh"
SEGMENT = "000000010000000000000007"


def heading(part: str) -> str:
    return part.splitlines()[0]


def hosts(part: str) -> list[str]:
    """The hosts of a part, as its heading names them."""
    named = re.fullmatch(r"On (.+?): .+", heading(part))
    assert named, heading(part)
    return re.split(r", | and ", named[1])


def test_every_part_names_its_hosts_and_every_host_has_a_part() -> None:
    found = {host for part in PARTS for host in hosts(part)}
    table = OVERVIEW.split("| host | runs |")[1].split("\n\n")[0]
    wanted = set(re.findall(r"`([a-z]+\d?)`", "".join(
        line.split("|")[1] for line in table.splitlines()[1:] if line.startswith("|")
    )))  # fmt: skip
    assert found == wanted | {"your own machine"}
    assert len(wanted) == 12


def test_the_settings_that_the_guide_writes_are_variables_of_the_site() -> None:
    settings = GUIDE.split("pasch.env > web/pasch.env")[0].split("servers=")[1]
    written = set(re.findall(r"\|\^?([A-Z_]+)=", settings))
    assert {"DATABASE_URL", "REDIS_URL", "LEDGER_SEAL_COMMAND"} <= written <= variables_read()


def test_the_rehearsal_went_through_every_part_of_the_guide() -> None:
    shown = rehearsed("several-hosts")
    assert list(shown) == [heading(part) for part in PARTS]
    assert str(shown).count("0 findings") == GUIDE.count("pasch audit")


@pytest.fixture
def vault(tmp_path: Path) -> dict[str, str]:
    """A host of the log, and a program `ssh` that leads to its one command."""
    (tmp_path / "backup/wal").mkdir(parents=True)
    ssh = tmp_path / "bin/ssh"
    ssh.parent.mkdir()
    ssh.write_text(
        f"#!/bin/sh\nfor SSH_ORIGINAL_COMMAND; do :; done; export SSH_ORIGINAL_COMMAND\n"
        f"unset BACKUP_HOST\n${{CUT:-cat}} | BACKUP_FOLDER={tmp_path}/backup"
        f" exec sh {ARCHIVE} --receive\n"
    )
    ssh.chmod(0o755)
    return {**os.environ, "PATH": f"{ssh.parent}:{os.environ['PATH']}", "BACKUP_HOST": "vault"}


def archive(folder: Path, content: bytes, name: str, environment: dict[str, str]) -> int:
    """Hand in one segment; the exit status."""
    (folder / "segment").write_bytes(content)
    command = ["sh", str(ARCHIVE), str(folder / "segment"), name]
    return subprocess.run(command, env=environment, check=False, stderr=subprocess.PIPE).returncode


def test_a_segment_arrives_at_another_host_once_and_whole(
    tmp_path: Path, vault: dict[str, str]
) -> None:
    wal = tmp_path / "backup/wal"
    cut = {**vault, "CUT": "head -c 70000"}
    assert archive(tmp_path, b"log" * 50000, SEGMENT, cut) != 0
    assert list(wal.iterdir()) == []
    assert archive(tmp_path, b"log" * 50000, SEGMENT, vault) == 0
    assert archive(tmp_path, b"log" * 50000, SEGMENT, vault) == 0
    assert archive(tmp_path, b"gol" * 50000, SEGMENT, vault) != 0
    assert archive(tmp_path, b"history", "00000002.history", vault) == 0
    assert {path.name for path in wal.iterdir()} == {SEGMENT, "00000002.history"}
    assert (wal / SEGMENT).read_bytes() == b"log" * 50000


@pytest.mark.parametrize("name", ["../base", ".hidden", "a/b", "a;b", "a b"])
def test_the_key_of_the_log_writes_nothing_but_the_log(
    tmp_path: Path, vault: dict[str, str], name: str
) -> None:
    assert archive(tmp_path, b"log", name, vault) != 0
    assert [path.name for path in (tmp_path / "backup").iterdir()] == ["wal"]
    assert list((tmp_path / "backup/wal").iterdir()) == []


def test_what_a_killed_transfer_left_is_removed_an_hour_later(
    tmp_path: Path, vault: dict[str, str]
) -> None:
    wal = tmp_path / "backup/wal"
    for name, age_s in ((".received.aB3xYz", 2 * 3600), (".received.Zz9xQq", 60)):
        (wal / name).write_bytes(b"log")
        os.utime(wal / name, (time.time() - age_s,) * 2)
    assert archive(tmp_path, b"log" * 50000, SEGMENT, vault) == 0
    assert {path.name for path in wal.iterdir()} == {SEGMENT, ".received.Zz9xQq"}
