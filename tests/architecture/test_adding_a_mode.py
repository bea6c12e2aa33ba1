"""docs/adding-a-mode.md works to the letter in a copy of the project."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT
from tests.copied import project_copied, shell

GUIDE = (ROOT / "docs" / "adding-a-mode.md").read_text()
#: a fenced block, and the file in a line of its own before it; commands have none.
BLOCKS = re.findall(r"(?:^`(\S+)`\n\n)?^```(\w+)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
FILES = ("games/modes/kinds/prize7.py", "tests/modes/test_prize7.py")
GERMAN = "locale/de/LC_MESSAGES/django.po"


@pytest.fixture
def copy() -> Iterator[Path]:
    with project_copied() as place:
        yield place


def run(command: str, place: Path) -> str:
    """Return the output of a command of the guide in the copy, where it must succeed.

    Tests that need a database are left out: this run makes the same checks of every mode.
    """
    ended = shell(command.replace(" -m pytest ", " -m pytest -m 'not django_db' "), place)
    assert ended.returncode == 0, f"{command}\n{ended.stdout[-8000:]}"
    return ended.stdout


@pytest.mark.slow
def test_a_mode_is_one_file_one_test_and_its_german_texts(copy: Path) -> None:
    files = [(path, text) for path, language, text in BLOCKS if language != "sh"]
    assert [path for path, _ in files] == [*FILES, GERMAN]
    for path in FILES:
        assert not (copy / path).exists(), f"the example of the guide is in the project: {path}"
    for path, text in files:
        with (copy / path).open("a") as file:
            file.write(text)
    written, proof = (text for _, language, text in BLOCKS if language == "sh")
    run(written, copy)
    assert re.search(r"\d+ passed", run(proof.replace(" -n 0", " -n 0 -v"), copy))
