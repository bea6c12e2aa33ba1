"""`manage.py prepare` leaves current files alone, also where nothing can be written.

Layers of a container keep the times of files in whole seconds, and its files are read-only: a
preparation that takes the rounded times for a change would fail there.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from harness.waiting import PROGRAM_SECONDS
from tests.architecture.sources import ROOT

PARTS = (
    *("accounts", "games", "house", "kit", "ledger", "platform", "ratings"),
    *("locale", "static", "templates"),
)
KEY = "only-a-test-signs-with-this-key-0123456789-abcdefghijklm"


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the site whose files are collected, as the image of the containers has them."""
    folder = tmp_path_factory.mktemp("image") / "site"
    folder.mkdir()
    shutil.copy2(ROOT / "manage.py", folder)
    for part in PARTS:
        shutil.copytree(
            ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "*.mo")
        )
    result = prepare(folder)
    assert result.returncode == 0, result.stderr
    return folder


def prepare(folder: Path) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DJANGO")}
    told = {"EMBEDDED": "1", "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
    told |= {"REDIS_URL": "redis://127.0.0.1:1", "SECRET_KEY": KEY, "DICE_KEY": KEY[::-1]}
    told |= {"STATIC_ROOT": str(folder.parent / "static"), "PYTHONPATH": str(folder / "platform")}
    return subprocess.run(
        [sys.executable, "manage.py", "prepare", "--files"],
        cwd=folder,
        env={**kept, **told},
        capture_output=True,
        text=True,
        timeout=PROGRAM_SECONDS,
        check=False,
    )


def written(folder: Path) -> dict[str, int]:
    """When each collected or compiled file was last written, in nanoseconds."""
    collected = [*(folder.parent / "static").rglob("*"), *folder.glob("locale/*/*/*")]
    return {str(path): path.stat().st_mtime_ns for path in collected}


def times_in_whole_seconds(folder: Path) -> None:
    """What a layer does to the times of files."""
    for path in folder.rglob("*"):
        about = path.stat()
        os.utime(path, (int(about.st_atime), int(about.st_mtime)))


@pytest.mark.slow
def test_other_times_alone_are_no_change(image: Path) -> None:
    """A layer rounds the times of files, and a clone gives each a new one."""
    times_in_whole_seconds(image)
    times_in_whole_seconds(image.parent / "static")
    for path in (*image.glob("static/**/*.js"), *image.glob("locale/*/*/*.po")):
        os.utime(path, None)
    before = written(image)
    result = prepare(image)
    assert result.returncode == 0, result.stderr
    assert written(image) == before


@pytest.mark.slow
def test_another_text_of_the_same_length_and_time_is_collected(image: Path) -> None:
    script = image / "static" / "js" / "home.js"
    about, text = script.stat(), script.read_text()
    script.write_text(text.replace("const ", "let   ", 1))
    os.utime(script, (about.st_atime, about.st_mtime))
    before = written(image)
    assert prepare(image).returncode == 0
    assert written(image) != before


@pytest.mark.slow
def test_where_nothing_can_be_written_one_sentence_says_what_differs(image: Path) -> None:
    """The folder of the collected files is a file here, so nothing can be written into it."""
    collected = image.parent / "static"
    shutil.rmtree(collected)
    collected.write_text("no folder")
    result = prepare(image)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert f"The static files cannot be collected in {collected}" in result.stderr


@pytest.mark.django_db
def test_a_house_that_a_newer_version_has_migrated_is_refused_in_one_sentence() -> None:
    MigrationRecorder(connection).record_applied("games", "9999_of_the_next_version")
    with pytest.raises(
        CommandError, match=r"know 1 migrations .* games\.9999_of_the_next_version\. "
    ):
        call_command("migrate", verbosity=0)
