"""The commands of deploy/one-host.md, as they stand there, as far as a machine without systemd can.

What belongs to root alone is replaced by programs that only say that they were called, and every
folder of the host lies in one of the test. deploy/rehearse/one-host.sh runs all of it.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from pasch.servers.embedded import Home, postgres_program, postgres_start, postgres_stop
from tests.architecture.sources import ROOT

pytestmark = pytest.mark.slow

GUIDE = (ROOT / "deploy/one-host.md").read_text()
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
    "setpriv": 'while [[ $1 == --* ]]; do shift; done; exec "$@"',
    **dict.fromkeys(("apt-get", "useradd", "chown", "systemctl", "nginx", "certbot", "pasch"), ""),
}


def commands(title: str) -> str:
    """The commands of a part of the guide."""
    part = GUIDE.split(f"\n## {title}\n")[1].split("\n## ")[0]
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
    (folder / "etc/postgresql/15/main/conf.d").mkdir(parents=True)
    programs = folder / "programs"
    programs.mkdir()
    for name, body in INSTEAD.items():
        program = programs / name
        program.write_text(f'#!/bin/bash\necho "{name} $*" >> {folder}/called\n{body}\n')
        program.chmod(0o755)
    return programs


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


def test_what_the_guide_names_in_the_code_is_there() -> None:
    for path in set(re.findall(r"(?<![\w/])(?:/srv/pasch/)?(deploy/[\w./*-]+\w)", GUIDE)):
        assert list(ROOT.glob(path)), path


@pytest.mark.parametrize("number", range(len(re.findall(r"^```sh\n", GUIDE, re.M))))
def test_every_command_is_one_for_the_shell(number: int) -> None:
    script = re.findall(r"^```sh\n(.*?)^```", GUIDE, re.M | re.S)[number]
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)
