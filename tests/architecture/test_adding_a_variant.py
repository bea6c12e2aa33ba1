"""docs/adding-a-variant.md works to the letter in a copy of the project."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from backgammon.tests.amounts import LONG
from tests.architecture.sources import ROOT
from tests.copied import project_copied, shell

GUIDE = (ROOT / "docs" / "adding-a-variant.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
NEW = Path("backgammon/rules/variants/longgammon.py")
CHAPTER = Path("platform/pasch/pages/rulebook/hitting.py")
GERMAN = Path("locale/de/LC_MESSAGES/django.po")
#: the checks of the guide that report missing files and texts
QUICK = (
    '.venv/bin/python -m pytest -n 0 -k "longgammon or table_of_variants or every_text"'
    " tests/rules/test_golden_plays.py tests/architecture/test_documents.py"
    " tests/pages/test_translations.py tests/pages/test_game_rules.py"
)


@pytest.fixture
def copy() -> Iterator[Path]:
    with project_copied() as place:
        yield place


@pytest.mark.slow
def test_the_guide_is_complete(copy: Path) -> None:
    languages, (code, golden, chapter, german, proof) = zip(*BLOCKS, strict=True)
    assert languages == ("python", "sh", "python", "po", "sh")
    assert str(NEW) in GUIDE
    assert str(CHAPTER) in GUIDE
    assert str(GERMAN) in GUIDE

    (copy / NEW).write_text(code)
    if LONG:
        what_is_missing_is_named(copy)

    assert shell(golden, copy).returncode == 0
    for path, text in ((CHAPTER, chapter), (GERMAN, german)):
        with (copy / path).open("a") as file:
            file.write(text)
    proven = shell(proof, copy)
    assert proven.returncode == 0, proven.stdout
    assert re.search(r"\d+ passed", proven.stdout), "quiet runs print their dots"


def what_is_missing_is_named(copy: Path) -> None:
    """With the class alone, golden file, the rules' row, chapter and German name are missing."""
    missing = shell(QUICK, copy)
    for said in (
        "tests/golden/plays/longgammon.txt is missing",
        "`python -m tests.rules.golden` writes it",
        "`python -m tests.rules.golden` writes the table",
        f"{NEW}: Longgammon",
        "platform/pasch/pages/rulebook has no chapter longgammon",
    ):
        assert said in missing.stdout
    assert missing.returncode == 1
