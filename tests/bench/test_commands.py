"""Every command of the documents is listed, and CI runs a short form of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from harness.home import HomeHouse, environment, free_port
from harness.waiting import PROGRAM_SECONDS
from pasch.servers.embedded import Home
from tests.bench.commands import ALONE, ELSEWHERE, IN_A_HOUSE, ROOT, SUBCOMMANDS, existing, named

LISTED = {*ALONE, *IN_A_HOUSE, *ELSEWHERE}


def lines(forms: dict[str, tuple[str, ...]]) -> list[str]:
    return [line for each in forms.values() for line in each]


def run(line: str, out: Path, told: dict[str, str]) -> str:
    """Run a line as a person would, with the interpreter of the tests; return its output."""
    bin_folder = str(Path(sys.executable).parent)
    path = f"{bin_folder}{os.pathsep}{told['PATH']}"
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=ROOT,
        env={**told, "PATH": path, "OUT": str(out), "PASCH_VENV": sys.prefix},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PROGRAM_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{line}\n{done.stdout[-4000:]}"
    return done.stdout


def on_its_own() -> dict[str, str]:
    """An environment without the servers and settings of this test session."""
    ours = ("DATABASE_URL", "REDIS_URL", "DJANGO_", "PASCH_TEST_HOME", "PYTEST_", "SECRET_KEY")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


# --- the list -------------------------------------------------------------------------------------
def test_every_command_of_the_documents_is_listed() -> None:
    missing = [f"{each.where}: {each.name}" for each in named() if each.name not in LISTED]
    assert missing == [], "give each a short form in tests/bench/commands.py"


def test_every_command_of_the_project_is_listed() -> None:
    assert existing() - LISTED == set(), "give each a short form in tests/bench/commands.py"


def test_no_listed_command_is_gone() -> None:
    assert LISTED - existing() - {each.name for each in named()} == set()


def test_what_runs_elsewhere_does() -> None:
    wrong = [
        name for name, (file, word) in ELSEWHERE.items() if word not in (ROOT / file).read_text()
    ]
    assert wrong == []


def test_every_path_that_a_test_command_names_is_there() -> None:
    missing = [
        f"{each.where}: {path}"
        for each in named()
        for path in re.findall(r"(?<![\w/])tests/[\w/.]*\w", each.text)
        if not (ROOT / path).exists()
    ]
    assert missing == []


# --- the short forms ------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("line", lines(ALONE))
def test_a_short_form_runs(line: str, tmp_path: Path) -> None:
    run(line, tmp_path, on_its_own())


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HomeHouse]:
    """A house with a backup folder."""
    folder = tmp_path_factory.mktemp("h")
    made = HomeHouse(Home(folder / "var"), free_port(), folder / "house.log")
    made.start(BACKUP_FOLDER=str(folder / "backup"))
    try:
        made.wait_until(made.said_open)
        yield made
        assert made.close() == 0, made.log.read_text()
    finally:
        made.kill()


@pytest.mark.slow
def test_short_forms_run_in_one_house_in_this_order(
    tmp_path: Path, house: HomeHouse, subtests: pytest.Subtests
) -> None:
    """One test, because several workers would share the lines and each have a house of its own."""
    backups = str(house.home.root.parent / "backup")
    for line in lines(IN_A_HOUSE):
        with subtests.test(line):
            run(line, tmp_path, environment(house.home, BACKUP_FOLDER=backups))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(name for name in LISTED if not name.startswith("manage")))
def test_every_option_in_a_document_is_one_of_the_program(name: str) -> None:
    if options := options_of(name):
        program = name if name.startswith("python") else f"python {name}"
        questions = SUBCOMMANDS.get(name, ("",))
        said = "".join(run(f"{program} {each} --help", ROOT, on_its_own()) for each in questions)
        assert {each for each in options if each not in said} == set()


@pytest.mark.parametrize("name", sorted(name for name in LISTED if name.startswith("manage")))
def test_every_option_in_a_document_is_one_of_the_command(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = name.removeprefix("manage.py ")
    made = load_command_class(get_commands()[command], command)
    with suppress(SystemExit):
        made.create_parser("manage.py", command).parse_args(["--help"])
    said = capsys.readouterr().out
    assert {each for each in options_of(name) if each not in said} == set()


def options_of(name: str) -> set[str]:
    """The options that documents name for a Python program of the project."""
    if not name.startswith(("manage.py", "python -m backgammon", "python -m bench", "examples/")):
        return set()
    texts = (each.text for each in named() if each.name == name)
    tails = (text.split(name.removeprefix("python -m "), 1)[1] for text in texts)
    return {
        option for tail in tails for option in re.findall(r"--[a-z][\w-]*", tail.split("&&")[0])
    }
