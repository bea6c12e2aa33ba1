"""`scripts/play`: a house opens from nothing, closes cleanly, survives kills, and reports errors.

Every test runs real processes on a folder and a port of its own. Opening a house takes seconds, so
few tests open one, and each of them covers many steps.
"""

import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from harness.home import HomeHouse, free_port, manage
from harness.waiting import PROGRAM_SECONDS, WAIT_SECONDS
from pasch.servers.embedded import (
    Home,
    postgres_pid,
    postgres_start,
    stop,
    valkey_answers,
    valkey_pid,
)
from pasch.servers.processes import wait_until_ended

GIANTS = 20


@pytest.fixture
def house() -> Iterator[HomeHouse]:
    # Not in pytest's own folder: another session of the same user closes that to all others.
    folder = Path(tempfile.mkdtemp(prefix="pasch-house-"))
    house = HomeHouse(Home(folder / "var"), free_port(), folder / "house.log")
    yield house
    house.kill()
    stop(Home(folder / "var"), at_once=True)
    shutil.rmtree(folder)


@pytest.mark.slow
def test_a_house_is_furnished_survives_murder_and_closes_leaving_nothing(
    house: HomeHouse,
) -> None:
    check_murder_at_the_beginning(house)
    house.open()
    accounts = house.home.root / "demo-accounts.txt"
    assert stat.S_IMODE(accounts.stat().st_mode) == 0o600
    passwords = dict(line.split() for line in accounts.read_text().splitlines())
    assert set(passwords) == {"adele", "bruno", "magriel", "hilde", "tilo", "nuria"}
    assert all(password in house.log.read_text() for password in passwords.values())

    audit = manage(house.home, "audit")
    assert audit.returncode == 0, audit.stderr
    assert "promo_issue" in audit.stdout

    check_the_door(house)

    another = HomeHouse(house.home, free_port(), house.log)
    another.start()
    assert another.process.wait(60) == 1
    assert "This house is open already" in house.log.read_text()
    assert house.answers()

    people = people_count(house)
    assert people >= len(passwords)
    assert "Traceback" not in house.log.read_text()
    check_murder_of_the_watchman(house)
    assert people_count(house) == people
    check_everything_that_dies_is_started_again(house)
    assert people_count(house) == people
    assert people_count(house) == people
    assert house.close() == 0
    assert "Pasch is closed." in house.log.read_text()
    assert house.processes() == []
    assert not valkey_answers(house.home)


def listen(connection: ClientConnection) -> None:
    """Read everything until the connection ends."""
    while True:
        connection.recv(timeout=WAIT_SECONDS)


def check_the_door(house: HomeHouse) -> None:
    """The web server itself refuses foreign pages, giant frames and forged addresses."""
    address = f"ws://127.0.0.1:{house.port}/ws/lobby/"
    for stranger in ("https://evil.example", "null", None):
        with pytest.raises(InvalidStatus, match="403"):
            connect(address, origin=stranger).close()
    for _ in range(GIANTS):  # some arrive before the lobby has sent its first frame
        with connect(address, origin=f"http://127.0.0.1:{house.port}") as lobby:
            assert not lobby.protocol.extensions, "small frames are not worth compressing"
            lobby.send("x" * 20_000)
            with pytest.raises(ConnectionClosedError) as closed:
                listen(lobby)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009


def people_count(house: HomeHouse) -> int:
    with psycopg.connect(house.home.database_url()) as connection:
        found = connection.execute("SELECT count(*) FROM accounts_user").fetchone()
        return int(found[0])


def check_murder_at_the_beginning(house: HomeHouse) -> None:
    """All processes are killed at once while a new house is made, at any step."""
    house.start()
    house.wait_until(lambda: valkey_answers(house.home))
    assert postgres_pid(house.home) is not None
    house.kill()
    assert postgres_pid(house.home) is None


def check_murder_of_the_watchman(house: HomeHouse) -> None:
    """The process that watches over the others is killed alone: they live on and hold the port."""
    orphans = {process.pid for process in house.processes()} - {house.process.pid}
    database = postgres_pid(house.home)
    house.process.kill()
    house.process.wait()
    assert house.answers()
    house.open()
    assert postgres_pid(house.home) == database, "a healthy PostgreSQL is kept"
    alive = {process.pid: " ".join(process.cmdline()) for process in house.processes()}
    assert not [alive[pid] for pid in orphans & set(alive) if " -m " in alive[pid]]


def check_everything_that_dies_is_started_again(house: HomeHouse) -> None:
    """Each server and each process is killed alone, then all servers and the web at once."""
    for name in ("PostgreSQL", "Valkey", "worker", "beat", "analysis", "web"):
        victim = process_of(house, name)
        victim.kill()
        check_comes_back(house, [name], [victim.pid])
    victims = [process_of(house, name) for name in ("PostgreSQL", "Valkey", "web")]
    for victim in victims:
        victim.kill()
    check_comes_back(house, ["PostgreSQL", "Valkey", "web"], [victim.pid for victim in victims])
    assert house.process is not None
    assert house.process.poll() is None


def process_of(house: HomeHouse, name: str) -> psutil.Process:
    """The one process that is this part of the house; of the web the first one."""
    if name == "PostgreSQL":
        return psutil.Process(postgres_pid(house.home))
    if name == "Valkey":
        return psutil.Process(valkey_pid(house.home))
    word = {"web": "pasch.serve", "analysis": "analysis_worker"}.get(name, name)
    found = [each for each in house.processes() if word in command(each)]
    (first,) = [each for each in found if each.parent() not in found]
    return first


def command(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


def check_comes_back(house: HomeHouse, names: list[str], killed: list[int]) -> None:
    """All killed processes have been replaced, and the whole house works."""

    def is_back() -> bool:
        try:
            alive = all(process_of(house, name).pid not in killed for name in names)
        except (TypeError, ValueError, psutil.Error):  # one of them does not run
            return False
        return alive and house.is_ready()

    house.wait_until(is_back)


@pytest.mark.slow
def test_a_web_server_that_cannot_start_closes_the_house_with_its_reason(
    house: HomeHouse,
) -> None:
    house.start(DATABASE_POOL_MAX="1000")
    assert house.process is not None
    assert house.process.wait(PROGRAM_SECONDS) == 1
    text = house.log.read_text()
    assert "The web server does not start" in text
    assert "PostgreSQL has 197" in text
    assert "web ended by itself (rc=1); closing" in text
    assert "started again" not in text
    assert wait_until_ended(house.processes(), WAIT_SECONDS) == []


DIES = """
import sys
from honcho.printer import Printer
from pasch.home.keeper import Keeper
keeper = Keeper(Printer(sys.stdout), [])
keeper.add_process("flaky", "exec python3 -c 'import os; os.kill(os.getpid(), 9)'")
keeper.add_process("steady", "exec sleep 600")
keeper.loop()
sys.exit(keeper.returncode)
"""


@pytest.mark.slow
def test_what_dies_again_and_again_is_not_started_for_ever() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", DIES],
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert ran.returncode == 1, ran.stderr
    pauses = re.findall(r"flaky died \(signal 9\); it is started again in ([\d.]+) s", ran.stdout)
    assert pauses == ["0.5", "1", "2", "4"]
    assert "flaky died 5 times within 60 s; closing" in ran.stdout
    assert "steady stopped (rc=-15)" in ran.stdout


def said(house: HomeHouse) -> str:
    """The output of a failed start: one sentence and no traceback."""
    house.log.unlink(missing_ok=True)
    house.start()
    assert house.process.wait(60) == 1
    text = house.log.read_text()
    assert "Traceback" not in text
    assert len(text.strip().splitlines()) == 1, text
    return text


def test_a_taken_port_is_one_sentence(house: HomeHouse) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", house.port))
        other.listen()
        assert f"Port {house.port} on 127.0.0.1 is taken" in said(house)
    assert not house.home.postgres_data.exists(), "nothing was started"


def test_an_address_of_another_machine_is_one_sentence(
    house: HomeHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOST", "1.2.3.4")
    assert "HOST is '1.2.3.4', which is no address of this machine." in said(house)


@pytest.mark.slow
@pytest.mark.parametrize("port", ["0", "65536", "http", "８０００"])
def test_no_port_number_is_one_sentence(house: HomeHouse, port: str) -> None:
    house.port = port
    assert "is no port number" in said(house)


def test_a_folder_that_cannot_be_made_is_one_sentence(house: HomeHouse) -> None:
    house.home.root.write_text("no folder")
    house.home = Home(house.home.root / "var")
    text = said(house)
    assert f"The folder {house.home.root} cannot be used (Not a directory)" in text
    assert "PASCH_VAR" in text


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_the_right_to_write_is_one_sentence(house: HomeHouse) -> None:
    house.home.root.mkdir(mode=0o555)
    assert "cannot be used (Permission denied)" in said(house)


@pytest.mark.slow
def test_a_damaged_data_folder_is_one_sentence(house: HomeHouse) -> None:
    postgres_start(house.home)
    stop(house.home)
    (house.home.postgres_data / "global/pg_control").unlink()
    missing = r"PostgreSQL does not start on .*: could not find the database"
    assert re.search(missing, said(house))
    (house.home.postgres_data / "PG_VERSION").unlink()
    incomplete = r"The folder .*/postgres is not a complete PostgreSQL data folder"
    assert re.search(incomplete, said(house))


@pytest.mark.parametrize("left", ["dice-key", "seals.log", "copies/base/20261121T030000Z"])
def test_a_missing_data_folder_where_a_house_was_is_one_sentence(
    house: HomeHouse, monkeypatch: pytest.MonkeyPatch, left: str
) -> None:
    """It would become a new house, which goes on in the seals and the archive of the old one."""
    monkeypatch.setenv("BACKUP_FOLDER", str(house.home.root / "copies"))
    trace = house.home.root / left
    trace.parent.mkdir(parents=True)
    trace.write_text("of the house that was here")
    before = sorted(house.home.root.rglob("*"))
    text = said(house)
    assert f"The data folder {house.home.postgres_data} is missing, and a house was here" in text
    assert "scripts/restore; or, for a new and empty house, name another folder with PASCH" in text
    (house.home.root / "play.lock").unlink()
    assert sorted(house.home.root.rglob("*")) == before, "nothing was made or overwritten"
    assert trace.read_text() == "of the house that was here"


@pytest.mark.slow
def test_a_command_without_a_running_house_is_one_sentence(house: HomeHouse) -> None:
    result = manage(house.home, "audit")
    assert result.returncode == 1
    assert "open the house with scripts/play" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
