"""Packages, archives and large files do not get into the repository unseen."""

import subprocess
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT


def bulky_in(folder: Path) -> tuple[int, str]:
    """The exit status of `scripts/bulky` in a folder, and its lines."""
    ran = subprocess.run([ROOT / "scripts/bulky"], cwd=folder, capture_output=True, text=True)
    return ran.returncode, ran.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    return tmp_path


def track(repository: Path, name: str, bytes_many: int) -> None:
    place = repository / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(b"x" * bytes_many)
    subprocess.run(["git", "-C", repository, "add", "--force", name], check=True)


@pytest.mark.parametrize(
    ("name", "bytes_many", "says"),
    [
        ("pillow-13.0.0-cp311.whl", 10, "pillow-13.0.0-cp311.whl is a package or an archive"),
        ("tests/some house.tar.gz", 10, "tests/some house.tar.gz is a package or an archive"),
        ("docs/picture.png", 512_001, "docs/picture.png has 512001 bytes"),
    ],
)
def test_what_does_not_belong_there_is_named(
    repository: Path, name: str, bytes_many: int, says: str
) -> None:
    track(repository, name, bytes_many)
    assert bulky_in(repository) == (1, f"{says}\n")


def test_listed_and_small_files_pass(repository: Path) -> None:
    track(repository, "docs/picture.png", 512_000)
    track(repository, "locale/de/LC_MESSAGES/django.po", 700_000)
    (repository / "not tracked.whl").write_bytes(b"x")
    assert bulky_in(repository) == (0, "")


def test_this_repository_has_none_and_the_checks_look() -> None:
    if (ROOT / ".git").exists():
        assert bulky_in(ROOT) == (0, "")
    assert "step bulky scripts/bulky" in (ROOT / "scripts/check").read_text()
