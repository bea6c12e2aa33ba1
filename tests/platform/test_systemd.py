"""The units for one host without containers: what systemd says about them, and who runs what."""

import os
import re
import shutil
import subprocess
from configparser import RawConfigParser
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command

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


def rehearsed(guide: str) -> dict[str, str]:
    """The parts of the newest rehearsal of a guide, and what each showed."""
    newest = max((ROOT / "bench/results").glob(f"????-??-??-{guide}.md"))
    return dict(re.findall(r"^\| (.+?) \| (.*?) ?\|$", newest.read_text(), re.M)[1:])


def _wants() -> str:
    return (FOLDER / "pasch.target").read_text()
