"""A house of the first public version keeps everything when it is upgraded in two steps.

`first_house.tar.xz` is such a house after the first step, with all that it had recorded before
(`first_house.py` makes it). Today's `prepare` is the second step.
"""

import json
import re
import runpy
import tarfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.architecture.sources import ROOT
from tests.platform.first_house import ARCHIVE, recorded
from tests.platform.restored import Run, python_of, restored

pytestmark = pytest.mark.django_db

HERE = Path(__file__).parent
VERIFY = ROOT / "static" / "fairness" / "verify.py"

PROOF = """
import django
django.setup()
from django.core.management import call_command
call_command("ratings_replay", check=True)
call_command("audit")
"""

MOVED = {
    "games_houseprices": {"id", "figures", "changed_at"},  # the history of prices has them
    "ledger_payoutstep": {"mailed_at"},  # mails of steps are rows of their own
}
"""Columns that the first version had and today's has not."""

GROWS = {"ledger_seal"}
"""Tables to which `audit` and `ledger_seal` of the first step have added rows."""

NEW_IN_FILES = {
    # CHANGELOG: files say who owns the cube at the start
    "json": re.compile(r',\n *"(?:cube_owner": null|point_cents": \d+)'),
    # CHANGELOG: .mat and SGF name what a point is worth (JSON does, too)
    "mat": re.compile(r'\n; \[Point "[0-9.]+"\]'),
    "sgf": re.compile(r"\[Point:[0-9.]+\]"),
}
"""What today's match files say besides; everything else in them is what it was, byte by byte."""

ENDINGS = {"borne_off", "left", "resigned", "double_dropped", "time_over", "absent", "voided",
           "adjudicated", "stood_up"}  # fmt: skip


@dataclass
class Upgraded:
    """The house after both steps, what it had recorded before, and Python against it."""

    database: psycopg.Connection
    told: dict[str, Any]
    run: Run
    folder: Path

    def python(self, *arguments: str | Path) -> str:
        """What Python prints. Fails where it fails."""
        done = self.run(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture
def house(db: None, tmp_path: Path) -> Iterator[Upgraded]:
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path, filter="data")
    with restored((tmp_path / "house.sql").read_text(), "first") as database:
        static = str(tmp_path / "static")
        run = python_of(database, tmp_path / "seals.log", STATIC_ROOT=static)
        told = json.loads((tmp_path / "recorded.json").read_text())
        house = Upgraded(database, told, run, tmp_path)
        house.python("manage.py", "prepare")
        yield house


@pytest.mark.slow
def test_it_keeps_everything_proves_itself_and_plays_on(house: Upgraded) -> None:
    check_history(house.told["rows"]["games_match"])
    check_rows(house)
    assert "0 findings" in house.python("-c", PROOF)
    files = json.loads(house.python(HERE / "first_house_files.py"))
    check_files(house.told["files"], files)
    check_dice(files, house.folder)
    check_goes_on(house)


def check_history(matches: dict[str, Any]) -> None:
    """The house had matches that ended in every way, and some that go on."""
    ending = matches["columns"].index("ending")
    endings = Counter(row[ending] for row in matches["rows"])
    assert endings.keys() == ENDINGS | {""}
    assert len(matches["rows"]) - endings[""] >= 30


def check_rows(house: Upgraded) -> None:
    """Every row is there with every value that it had, and there is none besides."""
    today = recorded(house.database)
    for name, before in house.told["rows"].items():
        columns = [each for each in before["columns"] if each not in MOVED.get(name, ())]
        was, now = rows_of(before, columns), rows_of(today[name], columns)
        assert [row for row in was if row not in now] == [], name
        assert name in GROWS or len(now) == len(was), name
    (prices,) = house.database.execute(
        "SELECT single_rates_cents FROM games_houseprices ORDER BY number"
    ).fetchall()
    assert prices == ([100, 200, 300],)  # as the figures of the first version were set


def rows_of(table: dict[str, Any], columns: list[str]) -> list[tuple[Any, ...]]:
    """The rows of a table with these columns."""
    places = [table["columns"].index(each) for each in columns]
    return [tuple(row[place] for place in places) for row in table["rows"]]


def check_files(before: dict[str, Any], today: dict[str, Any]) -> None:
    """The house offers the same files, with no more in them than the changelog says."""
    assert before.keys() == today.keys()
    assert sum(text is not None for text in before.values()) > 130
    for address, text in before.items():
        kind = address.split("/")[-2]
        if isinstance(text, dict):
            assert text == {n: as_before(kind, content) for n, content in today[address].items()}
        elif "envelope" in address:
            assert envelope(text) == envelope(today[address])
        else:
            assert text == as_before(kind, today[address]), address


def as_before(kind: str, text: str | None) -> str | None:
    """A file without what the changelog says is new in it."""
    if text and kind == "mat":  # CHANGELOG: a roll that was never played is "????", no pass
        text = re.sub(" +$", "", text.replace(" ????", "     "), flags=re.MULTILINE)
    return NEW_IN_FILES[kind].sub("", text) if text and kind in NEW_IN_FILES else text


def envelope(text: str | None) -> dict[str, Any] | None:
    """A sealed envelope without what is drawn anew each time; verify.py opens it later."""
    told = json.loads(text) if text else {}
    return {name: value for name, value in told.items() if name not in ("nonce", "sealed")}


def check_dice(files: dict[str, Any], folder: Path) -> None:
    """Every record of dice verifies with the file that anybody can take home, and in the log."""
    (folder / "log.txt").write_text(files["/fair/log.txt"])
    records = [text for address, text in files.items() if address.endswith("/dice.json")]
    opened = [text for text in records if json.loads(text)["games"]]
    assert len(opened) >= 30
    check_records(opened, folder)


def check_records(records: list[str], folder: Path) -> None:
    verify = runpy.run_path(str(VERIFY))["main"]
    for text in records:
        (folder / "dice.json").write_text(text)
        assert verify([str(folder / "dice.json"), "--log", str(folder / "log.txt")]) == 0


def check_goes_on(house: Upgraded) -> None:
    """The time of the upgrade costs nobody anything; the matches are played on, and settle."""
    running = house.told["running"]
    played = house.python("-m", "tests.platform.first_house_goes_on", house.folder)
    told = json.loads(played.splitlines()[-1])
    assert told["credited"] >= len(running)
    assert told["ended"].keys() == set(running)
    for table in told["ended"].values():
        assert table["left_ms"] > 0
        assert table["ending"] in ("borne_off", "resigned")
    escrows = "SELECT count(*) FROM ledger_account WHERE kind = 'escrow' AND balance_cents <> 0"
    assert house.database.execute(escrows).fetchone() == (0,)
    assert "0 findings" in house.python("-c", PROOF)
    (house.folder / "log.txt").write_text(told["log"])
    records = [table["dice"] for table in told["ended"].values()]
    check_records([json.dumps(record) for record in records], house.folder)
    # the programs of the first table took part before the upgrade, and do so with the same chains
    rolls = told["ended"][running[0]]["dice"]["games"][0]["rolls"]
    assert {roll["flags"] for roll in rolls} == {0}
    assert len(rolls) > 10
