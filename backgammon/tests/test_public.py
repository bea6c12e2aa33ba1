"""The public names are there, nothing heavy is loaded before one is used, and README is true."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import backgammon as bg
from backgammon import public

README = Path(__file__).parents[1] / "README.md"


def test_every_public_name_is_there_and_explained() -> None:
    assert sorted(public.__all__) == sorted(set(public.__all__))
    for name in public.__all__:
        found = getattr(bg, name)
        assert found is getattr(public, name)
        assert not callable(found) or found.__doc__ or name == "Depth", name
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        bg.chess  # noqa: B018 - the question is the test


def test_the_rules_alone_load_no_engine() -> None:
    code = (
        "import sys, backgammon.rules.variants;"
        "sys.exit(any(name in sys.modules for name in ('numpy', 'bgsage', 'backgammon.public')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_examples_of_the_readme_run() -> None:
    result = doctest.testfile(str(README), module_relative=False)
    assert (result.failed, result.attempted >= 30) == (0, True)
