"""What the operator reads and what the code does are the same."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from tests.architecture.sources import ROOT, named, sources

READ = re.compile(
    r'(?:environ(?:ment)?\.get\(|environ\[|\b(?:choice|flag|names|whole)\()\s*"([A-Z_]+)"'
)
OWN = {"DJANGO_SETTINGS_MODULE"}
COMPOSE = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())


def variables_read() -> set[str]:
    """Every environment variable that the site reads."""
    folders = ("platform", "accounts", "ledger", "ratings", "games")
    texts = [path.read_text() for path in sources(".py") if named(path).startswith(folders)]
    return {name for text in texts for name in READ.findall(text)} - OWN


def test_every_variable_is_documented_and_every_documented_one_is_read() -> None:
    page = (ROOT / "docs/operations.md").read_text()
    table = page.split("## Variables")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    documented = {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)}
    assert documented == variables_read()


def test_the_containers_are_told_only_variables_that_exist() -> None:
    known = variables_read()
    assert set(COMPOSE["x-environment"]) <= known
    for name in ("prepare", "web", "worker", "beat"):
        assert set(COMPOSE["services"][name]["environment"]) <= known


def test_the_example_names_every_value_that_must_be_given() -> None:
    text = (ROOT / "deploy/compose.yaml").read_text()
    needed = set(re.findall(r"\$\{([A-Z_]+):\?", text))
    example = set(re.findall(r"^([A-Z_]+)=", (ROOT / "deploy/env.example").read_text(), re.M))
    assert needed <= example
    assert example <= set(re.findall(r"\$\{([A-Z_]+)", text)), "nobody would read it"


def test_only_the_migrating_container_owns_the_database() -> None:
    for name, service in COMPOSE["services"].items():
        url = service.get("environment", {}).get("DATABASE_URL", "pasch_app")
        assert ("pasch_owner" in url) == (name == "prepare")
    assert [name for name, service in COMPOSE["services"].items() if "ports" in service] == [
        "nginx"
    ]


def test_files_that_the_containers_mount_exist() -> None:
    for service in COMPOSE["services"].values():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            if source.startswith("./") and source != "./tls":
                assert (ROOT / "deploy" / source).is_file(), source
    assert settings.ROOT == ROOT


@pytest.mark.parametrize(
    "path", [*sorted(ROOT.glob("scripts/*")), ROOT / ".ci/run", ROOT / "deploy/postgres/roles.sh"]
)
def test_scripts_are_sound(path: Path) -> None:
    shell = "bash" if path.read_text().startswith("#!/bin/bash") else "sh"
    subprocess.run([shutil.which(shell) or shell, "-n", path], check=True)
