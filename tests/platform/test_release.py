"""`scripts/release` makes the same bytes of a commit, a whole house, and one to upgrade to."""

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from zipfile import ZipFile

import pytest

from harness.home import HomeHouse, free_port, manage
from harness.waiting import PROGRAM_SECONDS
from pasch.servers.embedded import Home, stop
from tests.architecture.sources import ROOT
from tests.platform.test_operations import PROJECT

KEY = "only-a-test-signs-with-this-key-0123456789-abcdefghijklm"
APPS = {
    Path(name).name for name in PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
}


def clone_of_this_tree(folder: Path) -> Path:
    """A clone with what is changed here, committed."""
    subprocess.run(["git", "clone", "-q", ROOT, folder], check=True)
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for path in (path for path in folder.iterdir() if path.name != ".git"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    person = ["-c", "user.name=Release", "-c", "user.email=release@pasch.example"]
    for command in (["add", "-A"], [*person, "commit", "-q", "--allow-empty", "-m", "Try."]):
        subprocess.run(["git", "-C", folder, *command], check=True)
    return folder


def release(tree: Path, folder: Path, umask: int) -> dict[str, str]:
    """Run the command in a tree; the digest of each file by its name."""
    told = {**os.environ, "PASCH_VENV": sys.prefix}
    subprocess.run(
        [sys.executable, "scripts/release.py", folder],
        cwd=tree, env=told, umask=umask, check=True, capture_output=True,
    )  # fmt: skip
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two clones of one commit in different places."""
    first = clone_of_this_tree(tmp_path_factory.mktemp("first") / "tree")
    second = tmp_path_factory.mktemp("second") / "another"
    subprocess.run(["git", "clone", "-q", first, second], check=True)
    return first, second


@pytest.fixture(scope="module")
def files(trees: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    release(trees[0], folder, 0o022)
    return folder


@pytest.mark.slow
def test_one_commit_makes_the_same_bytes_elsewhere(
    trees: tuple[Path, Path], files: Path, tmp_path: Path
) -> None:
    (trees[1] / "manage.py").touch()
    again = release(trees[1], tmp_path / "dist", 0o077)
    assert again == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files.iterdir()
    }
    kinds = [re.sub(r"^(\w+)-[\d.]+?(?=[-.][a-z])", r"\1", name) for name in again]
    assert {"pasch.tar.gz", "pasch-image-context.tar.gz", "pasch-notes.md"} <= set(kinds)


@pytest.mark.slow
def test_nothing_is_made_of_changes_that_are_not_committed(
    trees: tuple[Path, Path], files: Path, tmp_path: Path
) -> None:
    (trees[0] / "README.md").write_text("changed")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        release(trees[0], tmp_path / "dist", 0o022)
    assert b"not committed" in refused.value.stderr
    assert not (tmp_path / "dist").exists()
    subprocess.run(["git", "-C", trees[0], "checkout", "-q", "README.md"], check=True)


@pytest.mark.slow
def test_the_image_has_the_house_and_no_tests_benches_or_documents(files: Path) -> None:
    (archive,) = files.glob("pasch-*-image-context.tar.gz")
    with tarfile.open(archive) as context:
        names = {name for name in context.getnames() if not name.endswith("Dockerfile")}
    folders = {name.split("/")[0] for name in names}
    apps = (APPS - {"pasch"}) | {"platform", "backgammon"}
    assert folders == apps | {"manage.py", "deploy"}
    assert not [name for name in names if {"train", "tests"} & set(name.split("/"))]
    assert {name for name in names if name.startswith("deploy/")} == {
        "deploy/healthcheck.py",
        "deploy/requirements/production.lock",
        "deploy/requirements/observe.lock",
    }


@pytest.fixture(scope="module")
def installed(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The python of a fresh environment with the house and its library, beside other packages."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv/bin/python"
    wheels = files.glob("*.whl")
    pip = [python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", *wheels]
    subprocess.run(pip, check=True, cwd=folder)
    (place,) = folder.glob("venv/lib/python*/site-packages")
    # Path files in there are not read, so the checkout of this run is not on the path.
    (place / "packages.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def ask(python: Path, *command: str) -> str:
    """What a command prints in an empty folder, with the settings of a house."""
    told = {"SECRET_KEY": KEY, "DICE_KEY": KEY[::-1], "PATH": os.environ["PATH"], "EMBEDDED": "1"}
    place = python.parents[2]
    told["STATIC_ROOT"] = str(place / "collected")
    done = subprocess.run(
        [python, *command], cwd=place, env=told, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_an_installed_wheel_has_its_command_pages_static_files_and_translations(
    installed: Path,
) -> None:
    ask(installed, "-m", "pasch", "prepare", "--files")
    collected = installed.parents[2] / "collected"
    assert list(collected.glob("css/house.*.css"))
    program = (
        "import django; django.setup()\n"
        "import pasch\n"
        "from django.template.loader import get_template\n"
        "from django.utils.translation import gettext, override\n"
        "get_template('pasch/home.html')\n"
        "with override('de'): print(pasch.__file__, gettext('Settings'))"
    )
    told = ask(
        installed,
        "-c",
        f"import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'pasch.settings'\n{program}",
    )
    assert str(installed.parents[1]) in told
    assert told.split()[-1] == "Einstellungen"
    version = ask(installed, "-c", "from importlib.metadata import version as v; print(v('pasch'))")
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", version.strip())


@pytest.mark.slow
def test_the_wheels_share_no_file_and_have_no_tests_and_no_files_of_git(files: Path) -> None:
    names = {}
    for wheel in files.glob("*.whl"):
        with ZipFile(wheel) as archive:
            names[wheel.name.split("-")[0]] = set(archive.namelist())
    house, library = names["pasch"], names["backgammon"]
    assert not house & library
    top = {name.split("/")[0] for name in house if ".dist-info/" not in name}
    assert top == APPS - {"locale", "static", "templates"}
    assert {name.split("/")[0] for name in library if ".dist-info/" not in name} == {"backgammon"}
    assert not [name for name in library if name.startswith("backgammon/tests")]


@pytest.mark.slow
def test_a_folder_with_files_of_others_is_left_as_it_is(trees: tuple[Path, Path]) -> None:
    folder = trees[0].parent / "letters"
    folder.mkdir()
    (folder / "to-tilo.txt").write_text("Dear Tilo")
    done = subprocess.run(
        [sys.executable, "scripts/release.py", folder], cwd=trees[0], capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "letters has other files; name a new folder." in done.stderr
    assert (folder / "to-tilo.txt").read_text() == "Dear Tilo"


def test_docker_gets_only_what_is_there() -> None:
    named = (ROOT / "deploy/Dockerfile").read_text()
    copied = re.findall(r"(?m)^COPY (?!--from)(.+) \S+$", named)
    allowed = (ROOT / "deploy/Dockerfile.dockerignore").read_text()
    kept = [line.lstrip("!") for line in allowed.splitlines() if re.match(r"!?[\w]", line)]
    assert copied
    assert kept
    assert [name for name in (*copied, *kept) if not (ROOT / name).exists()] == []


@pytest.mark.parametrize(
    "script", [path for path in ROOT.glob("scripts/*") if path.is_file() and not path.suffix]
)
def test_a_script_says_how_it_is_called_and_installs_nothing(script: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [script, "--help"],
        env={"PATH": os.environ["PATH"], "PASCH_VENV": str(tmp_path / "venv")},
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert f"scripts/{script.name}" in done.stdout
    assert not (tmp_path / "venv").exists()


# --- the next version -----------------------------------------------------------------------------
def git(*command: str) -> bytes:
    return subprocess.run(["git", *command], cwd=ROOT, capture_output=True, check=True).stdout


def release_before() -> str:
    """The newest tag behind this commit; without one, the commit before it."""
    tags = git("tag", "--list", "v*", "--merged", "HEAD~1", "--sort=-v:refname").decode().split()
    return tags[0] if tags else "HEAD~1"


@pytest.fixture
def house() -> Iterator[HomeHouse]:
    """A house that is closed, with the tree of the release before."""
    folder = Path(tempfile.mkdtemp(prefix="pasch-upgrade-"))
    with tarfile.open(fileobj=io.BytesIO(git("archive", release_before()))) as files:
        files.extractall(folder / "tree", filter="tar")
    house = HomeHouse(Home(folder / "var"), free_port(), folder / "house.log", tree=folder / "tree")
    yield house
    house.kill()
    stop(house.home, at_once=True)
    shutil.rmtree(folder)


def ask_house(house: HomeHouse, program: str, *arguments: str) -> str:
    """What a program prints that uses the example of the house's tree for bots as a library."""
    told = f"import sys, json; sys.path.insert(0, 'examples'); import first_bot as bot\n{program}"
    address = f"http://127.0.0.1:{house.port}"
    done = subprocess.run(
        [sys.executable, "-c", told, address, *arguments],
        cwd=house.tree, capture_output=True, text=True, timeout=PROGRAM_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def sit(house: HomeHouse, tokens: list[str]) -> str:
    """The table at which two bots sit down."""
    pair = (
        "wanted = {'mode': 'normal', 'variant': 'hypergammon'}\n"
        "for token in sys.argv[2:]: table = bot.post(sys.argv[1], token, 'tables/pair/', wanted)\n"
        "print(table['table']['id'])"
    )
    return ask_house(house, pair, *tokens)


def play(house: HomeHouse, tokens: list[str], table: str) -> object:
    """What both bots read as the result of their match, played to its end."""
    one = "print(json.dumps(bot.play(*sys.argv[1:])))"
    with ThreadPoolExecutor() as pool:
        told = pool.map(lambda token: ask_house(house, one, token, table), tokens)
        first, second = map(json.loads, told)
    assert first == second
    return first


def audit(house: HomeHouse) -> None:
    done = manage(house.home, "audit", tree=house.tree)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_matches_of_the_release_before_hold_and_a_running_one_goes_on(house: HomeHouse) -> None:
    house.open()
    tokens = [
        manage(house.home, "bot_token", name, tree=house.tree).stdout.split()[-1]
        for name in ("robo", "tobo")
    ]
    assert play(house, tokens, sit(house, tokens))
    running = sit(house, tokens)
    assert house.close() == 0

    house.tree = ROOT
    house.open()
    assert play(house, tokens, running)
    audit(house)
    ratings = manage(house.home, "ratings_replay", "--check")
    assert ratings.returncode == 0, ratings.stdout
    assert house.close() == 0
