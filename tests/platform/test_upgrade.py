"""An upgrade: this tree goes on in a house of the release before, in which matches were played."""

import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from harness.home import HomeHouse, free_port, manage
from harness.waiting import PROGRAM_SECONDS
from pasch.servers.embedded import Home, stop
from tests.architecture.sources import ROOT


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


def ask(house: HomeHouse, program: str, *arguments: str) -> str:
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
    return ask(house, pair, *tokens)


def play(house: HomeHouse, tokens: list[str], table: str) -> object:
    """What both bots read as the result of their match, played to its end."""
    one = "print(json.dumps(bot.play(*sys.argv[1:])))"
    with ThreadPoolExecutor() as pool:
        told = pool.map(lambda token: ask(house, one, token, table), tokens)
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
