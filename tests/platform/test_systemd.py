"""The units and guides for one host and for several, as far as this machine can follow them."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from configparser import RawConfigParser
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command

from pasch.servers.embedded import Home, postgres_program, postgres_start, postgres_stop
from tests.architecture.sources import ROOT
from tests.platform.test_operations import COMPOSE, variables_read

FOLDER = ROOT / "deploy" / "systemd"
SERVICES = sorted(FOLDER.glob("*.service"))
GUIDE = (ROOT / "deploy" / "one-host.md").read_text()
EXPOSURE_MAX = 20  # of 100; a service without any hardening has 96

analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


def systemd(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run systemd-analyze on the units of this folder and those of the system."""
    return subprocess.run(
        ["systemd-analyze", "--no-pager", *map(str, arguments)],
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{FOLDER}:"},
        capture_output=True,
        text=True,
        check=False,
    )


def directives(unit: Path) -> RawConfigParser:
    """A unit; of names that stand several times the last one."""
    parsed = RawConfigParser(strict=False, comment_prefixes="#")
    parsed.optionxform = str  # type: ignore[assignment,method-assign]
    parsed.read(unit)
    return parsed


@analyze
@pytest.mark.parametrize(
    "unit", sorted(each for each in FOLDER.iterdir() if each.is_file() and "." in each.name
                   and each.suffix != ".env"), ids=lambda unit: unit.name
)  # fmt: skip
def test_systemd_understands_every_line(unit: Path) -> None:
    said = systemd("verify", unit)
    ours = [line for line in said.stderr.splitlines() if "pasch" in line]
    # the programs are on the host alone
    assert [line for line in ours if "is not executable: No such file" not in line] == []


@analyze
@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_every_service_is_shut_in(unit: Path) -> None:
    done = systemd("security", "--offline=true", f"--threshold={EXPOSURE_MAX}", unit)
    assert done.returncode == 0, done.stdout[-400:] + done.stderr


def test_a_unit_that_fails_tells_the_operator(
    settings: Any, mailoutbox: list[EmailMessage]
) -> None:
    for unit in SERVICES:
        once = directives(unit)["Service"].get("Type") == "oneshot"
        tells = directives(unit)["Unit"].get("OnFailure") == "pasch-failed@%N.service"
        assert tells == (once and unit.stem != "pasch-failed@"), unit.name
    command = directives(FOLDER / "pasch-failed@.service")["Service"]["ExecStart"]
    assert command.endswith("manage.py unit_failed %i")
    settings.OPERATOR = replace(settings.OPERATOR, mail="op@pasch.example")
    call_command("unit_failed", "pasch-backup")
    (mail,) = mailoutbox
    assert (mail.to, mail.subject) == (["op@pasch.example"], "Pasch: pasch-backup failed")
    assert "journalctl -u pasch-backup" in mail.body
    settings.OPERATOR = replace(settings.OPERATOR, mail=None)
    with pytest.raises(CommandError, match="OPERATOR_MAIL names nobody"):
        call_command("unit_failed", "pasch-backup")


def test_the_units_run_what_the_containers_run() -> None:
    web, worker, beat, analysis = (
        directives(FOLDER / f"pasch-{name}.service")["Service"]["ExecStart"].split()[1:]
        for name in ("web@", "worker", "beat", "analysis")
    )
    services = COMPOSE["services"]
    assert ["celery", *worker] == services["worker"]["command"]
    assert ["celery", *beat] == services["beat"]["command"]
    assert ["python", *analysis] == services["analysis"]["command"]
    assert f'"python", "{web[0]}", "{web[1]}"' in (ROOT / "deploy/Dockerfile").read_text()


def test_what_must_run_is_started_again_and_only_prepare_owns_the_database() -> None:
    for unit in SERVICES:
        service = directives(unit)["Service"]
        once = service.get("Type") == "oneshot"
        assert (service.get("Restart") == "always") is not once, unit.name
        assert service["User"] in ("pasch", "postgres")
        assert ("owner.env" in unit.read_text()) == (unit.stem == "pasch-prepare")


def test_the_end_of_a_backup_takes_no_memory_from_the_database() -> None:
    """RemoveIPC removes all shared memory of the service's user, which is PostgreSQL's, too."""
    shared = (FOLDER / "pasch-.service.d/hardening.conf").read_text()
    assert "RemoveIPC" not in shared + "".join(unit.read_text() for unit in SERVICES)


def test_the_settings_of_the_host_are_variables_of_the_site() -> None:
    text = (FOLDER / "pasch.env").read_text()
    assert set(re.findall(r"^([A-Z_]+)=", text, re.M)) <= variables_read()
    for name in re.findall(r"@([A-Z_]+)@", text):
        assert f"@{name}@" in GUIDE, name


def test_the_guide_installs_and_starts_every_unit() -> None:
    target = directives(FOLDER / "pasch.target")["Unit"]["Wants"]
    for unit in (*SERVICES, *FOLDER.glob("*.timer")):
        named = unit.name.replace("@.service", "@8000").removesuffix(".service")
        assert named in GUIDE or unit.name in (GUIDE + target + _wants()), unit.name


def test_the_last_command_of_the_setting_up_asks_the_doctor() -> None:
    setting_up = GUIDE.split("\n## Upgrade\n")[0]
    commands = re.findall(r"^```sh\n(.*?)^```", setting_up, re.M | re.S)
    assert commands[-1].startswith('pasch doctor --url "https://$HOUSE"')
    assert "*mail-server* is wrong" in setting_up


def test_the_rehearsal_went_through_every_part_of_the_guide() -> None:
    parts = [part for part in GUIDE.split("\n## ")[1:] if "```sh" in part]
    assert list(rehearsed("one-host")) == [part.splitlines()[0] for part in parts]
    assert str(rehearsed("one-host")).count("0 findings") == GUIDE.count("pasch audit |")


def test_the_guide_names_the_systems_where_it_was_rehearsed() -> None:
    named = re.search(r"From a bare (.+?), (.+?) or (.+?) to a running house", GUIDE)
    assert named, "systems"
    assert re.findall(r"^- (.+?):", newest("one-host"), re.M) == list(named.groups())


def newest(guide: str) -> str:
    """The newest rehearsal of a guide."""
    return max((ROOT / "bench/results").glob(f"????-??-??-{guide}.md")).read_text()


def rehearsed(guide: str) -> dict[str, str]:
    """The parts of the newest rehearsal of a guide, and what each showed."""
    return dict(re.findall(r"^\| (.+?) \| (.*?) ?\|$", newest(guide), re.M)[1:])


def _wants() -> str:
    return (FOLDER / "pasch.target").read_text()


# --- the guide for one host -----------------------------------------------------------------------
GUIDE_TEXT = (ROOT / "deploy/one-host.md").read_text()
SETTING_UP = (
    *("Values", "Packages and users", "Database", "Settings", "The house", "nginx and TLS"),
    "The first administrators",
)
HOST_FOLDERS = re.compile(r"(?<![\w:/.}])/(?=(?:etc|var|root|usr/local)\b)")
#: programs that are replaced, and what they do instead.
INSTEAD = {
    "install": (
        'given=(); while [ $# -gt 0 ]; do case $1 in -o|-g) shift;; *) given+=("$1");; esac; shift'
        '\ndone; exec /usr/bin/install "${given[@]}"'
    ),
    "pg_lsclusters": 'echo "99  main    5432 online postgres"',
    "setpriv": 'while [[ $1 == --* ]]; do shift; done; exec "$@"',
    **dict.fromkeys(("apt-get", "useradd", "chown", "systemctl", "nginx", "certbot", "pasch"), ""),
}


def commands(title: str) -> str:
    """The commands of a part of the guide."""
    part = GUIDE_TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]
    return "".join(re.findall(r"^```sh\n(.*?)^```", part, re.M | re.S))


@pytest.fixture
def server() -> Iterator[Home]:
    """A PostgreSQL without a database of the house."""
    folder = Path(tempfile.mkdtemp(prefix="pasch-one-host-"))
    folder.chmod(0o777)  # the server may run as another user than the tests
    home = Home(folder / "var")
    try:
        postgres_start(home)
        with psycopg.connect(home.database_url(name="postgres"), autocommit=True) as database:
            database.execute("DROP DATABASE IF EXISTS pasch")
        yield home
    finally:
        postgres_stop(home, at_once=True)
        shutil.rmtree(folder)


def host(folder: Path) -> Path:
    """A host's folders, and programs that say that they were called."""
    for name in (
        "etc/systemd/system",
        "etc/nginx/conf.d",
        "etc/nginx/sites-enabled",
        "root",
        "usr/local/bin",
    ):
        (folder / name).mkdir(parents=True)
    (folder / "etc/postgresql/99/main/conf.d").mkdir(parents=True)
    programs = folder / "programs"
    programs.mkdir()
    for name, body in INSTEAD.items():
        program = programs / name
        program.write_text(f'#!/bin/bash\necho "{name} $*" >> {folder}/called\n{body}\n')
        program.chmod(0o755)
    return programs


@pytest.mark.slow
def test_the_guide_sets_a_house_up(server: Home, tmp_path: Path) -> None:
    programs = host(tmp_path)
    script = HOST_FOLDERS.sub(f"{tmp_path}/", "\n".join(map(commands, SETTING_UP)))
    script = script.replace("/srv/pasch", str(ROOT)).replace("openssl x509", "true openssl x509")
    told = {
        "PATH": f"{programs}:{postgres_program('psql').parent}:{os.environ['PATH']}",
        "PGHOST": str(server.run),
        "PGUSER": "postgres",
        "TLS_FOLDER": f"{tmp_path}/etc/nginx/tls",
    }
    done = subprocess.run(
        ["bash", "-euc", script], env=told, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    roles = "SELECT rolname, rolsuper, rolcreaterole FROM pg_roles WHERE rolname ~ '^pasch_'"
    owner = "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'pasch'"
    with psycopg.connect(server.database_url(name="postgres")) as database:
        found = sorted(database.execute(roles).fetchall())
        assert found == [("pasch_app", False, False), ("pasch_owner", False, False)]
        assert database.execute(owner).fetchall() == [("pasch_owner",)]
    assert "PATH=/usr/lib/postgresql/99/bin:" in (tmp_path / "etc/pasch/backup.env").read_text()
    settings = dict(
        line.split("=", 1)
        for line in (tmp_path / "etc/pasch/pasch.env").read_text().splitlines()
        if re.match(r"[A-Z_]+=", line)
    )
    assert not [name for name, value in settings.items() if re.search(r"@[A-Z_]+@", value)]
    checked = subprocess.run(
        [sys.executable, "manage.py", "check"],
        env={"PATH": os.environ["PATH"], **settings}, cwd=ROOT, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stderr
    for path in (tmp_path / "etc/pasch").iterdir():
        assert path.stat().st_mode & 0o077 == 0, f"{path.name} is read by others"
    units = {path.name for path in (tmp_path / "etc/systemd/system").iterdir()}
    called = (tmp_path / "called").read_text()
    for unit in re.findall(
        r"pasch[\w-]*(?:\.target)?(?=@| |$)",
        " ".join(line for line in called.splitlines() if line.startswith("systemctl")),
    ):
        assert units & {unit, f"{unit}.service", f"{unit}@.service"}, unit
    assert "createsuperuser --noinput --username bert" in called


@pytest.mark.slow
def test_what_the_guide_names_in_the_code_is_there() -> None:
    for path in set(re.findall(r"(?<![\w/])(?:/srv/pasch/)?(deploy/[\w./*-]+\w)", GUIDE_TEXT)):
        assert list(ROOT.glob(path)), path


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(re.findall(r"^```sh\n", GUIDE_TEXT, re.M))))
def test_every_command_is_one_for_the_shell(number: int) -> None:
    script = re.findall(r"^```sh\n(.*?)^```", GUIDE_TEXT, re.M | re.S)[number]
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)


# --- several hosts --------------------------------------------------------------------------------
HOSTS_GUIDE = (ROOT / "deploy/several-hosts.md").read_text()
OVERVIEW = (ROOT / "docs/several-hosts.md").read_text()
PARTS = [part for part in HOSTS_GUIDE.split("\n## ")[1:] if "```sh" in part]
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
    settings = HOSTS_GUIDE.split("pasch.env > web/pasch.env")[0].split("servers=")[1]
    written = set(re.findall(r"\|\^?([A-Z_]+)=", settings))
    assert {"DATABASE_URL", "REDIS_URL", "LEDGER_SEAL_COMMAND"} <= written <= variables_read()


def test_the_rehearsal_of_several_hosts_went_through_every_part() -> None:
    shown = rehearsed("several-hosts")
    assert list(shown) == [heading(part) for part in PARTS]
    assert str(shown).count("0 findings") == HOSTS_GUIDE.count("pasch audit")


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
