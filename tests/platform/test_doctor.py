"""`manage.py doctor` finds nothing in a healthy house, and names each thing that a test breaks."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from redis import Redis

from pasch.doctor.registry import INSIDE, inside, load, ok
from pasch.servers.embedded import Home
from tests.platform.houses import House, free_port
from tests.platform.houses import manage as manage_in
from tests.platform.test_settings import deployed

#: the limit of one check, and the rest for a busy machine
HANGING_SECONDS_MAX = 30


def results(done: subprocess.CompletedProcess[str]) -> dict[str, tuple[str, str]]:
    """Grade and text of each check; the exit status agrees with them."""
    told = json.loads(done.stdout)
    found = {each["name"]: (each["grade"], each["text"]) for each in told["checks"]}
    wrong = any(grade == "wrong" for grade, _text in found.values())
    assert done.returncode == int(wrong), done.stderr
    assert told["ok"] is not wrong
    return found


# --- without a house ------------------------------------------------------------------------------


def test_dangerous_settings_are_named_with_what_to_do() -> None:
    done = deployed(
        "manage.py", "doctor", "--json", "--seconds", "20",
        *(part for name in SETTINGS for part in ("--only", name)),
        SECRET_KEY="a" * 60, DEBUG="1", ALLOWED_HOSTS="*", EMAIL_HOST=None,
        TRUSTED_PROXIES="0.0.0.0/0", CSRF_TRUSTED_ORIGINS="http://elsewhere.example",
        LEDGER_SEAL_FILE=None,
    )  # fmt: skip
    found = results(done)
    for name, words in SETTINGS.items():
        grade, text = found[name]
        assert (grade, words in text, " – " in text) == ("wrong", True, True), (name, text)
    names = (part for name in ("imprint", "https", "mail-server") for part in ("--only", name))
    found = results(deployed("manage.py", "doctor", "--json", *names, EMAIL_HOST=None))
    assert found["imprint"][0] == "warning"
    assert "OPERATOR_NAME" in found["imprint"][1]
    assert "every page redirects to itself" in found["https"][1]
    assert "EMAIL_HOST must name a mail server" in found["mail-server"][1]


SETTINGS = {
    "keys": "SECRET_KEY can be guessed",
    "debug": "DEBUG shows settings",
    "hosts": "'*' lets anyone in",
    "https": "anybody may claim any address",
    "seal-folder": "LEDGER_SEAL_FILE must name a file",
}


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"LEDGER_PAYOUT_LARGE_CENTS": "1,5"}, "LEDGER_PAYOUT_LARGE_CENTS must be a whole number"),
        ({"SECRET_KEY": None}, "The SECRET_KEY setting must not be empty"),
    ],
    ids=["no number", "no key"],
)
def test_a_house_whose_settings_are_not_complete_gets_a_sentence(
    told: dict[str, str | None], sentence: str
) -> None:
    done = deployed("manage.py", "doctor", "--only", "keys", **told)
    assert done.returncode == 1
    assert sentence in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_a_postgresql_that_hangs_is_a_finding_and_no_hang() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        began = time.monotonic()
        done = deployed(
            "manage.py", "doctor", "--json", "--seconds", "5",
            DATABASE_URL=f"postgresql://pasch_app@127.0.0.1:{port}/pasch",
            REDIS_URL=f"redis://127.0.0.1:{port}",
        )  # fmt: skip
        assert time.monotonic() - began < HANGING_SECONDS_MAX
    found = results(done)
    assert found["postgresql"][0] == found["valkey"][0] == "wrong"
    assert "does not answer" in found["postgresql"][1] or "no answer" in found["postgresql"][1]
    assert found["migrations"][1].startswith("not checked, because postgresql is wrong")
    assert found["workers"][1].startswith("not checked, because valkey is wrong")
    assert found["disk"][0] in ("ok", "warning"), "the others are checked all the same"


def test_a_check_that_hangs_or_fails_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from pasch.doctor.examination import examine

    load()
    monkeypatch.setattr("pasch.doctor.examination.INSIDE", found := {})
    monkeypatch.setattr("pasch.doctor.registry.INSIDE", found)
    free = threading.Event()

    @inside()
    def hanging_one():  # type: ignore[no-untyped-def]
        free.wait(20)
        return ok("at last")

    @inside()
    def failing_one():  # type: ignore[no-untyped-def]
        raise KeyError("a bug")

    lines = {line.name: line.result for line in examine(site=None, seconds=0.2)}
    free.set()
    assert lines["hanging-one"].text.startswith("no answer within")
    assert "KeyError: 'a bug'" in lines["failing-one"].text
    assert {result.grade for result in lines.values()} == {"wrong"}


def test_every_check_says_what_it_is_about() -> None:
    load()
    assert len(INSIDE) > 25
    for check in INSIDE.values():
        assert check.look.__doc__, check.name


# --- a whole house --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """An open house that archives its log, with one copy and one audit."""
    folder = Path(tempfile.mkdtemp(prefix="pasch-doctor-"))
    folder.chmod(0o755)  # PostgreSQL may run as another user
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKUP_FOLDER", str(folder / "backup"))
        house = House(Home(folder / "var"), free_port(), folder / "house.log")
        try:
            house.open()
            house.wait_until(house.is_ready)
            audit = "from ledger.tasks import audit; audit()"
            for command in (("backup",), ("shell", "-v", "0", "-c", audit)):
                done = manage_in(house.home, *command)
                assert done.returncode == 0, done.stdout + done.stderr
            yield house
        finally:
            house.kill()
            shutil.rmtree(folder)


def doctor(house: House, *names: str, **more: str) -> dict[str, tuple[str, str]]:
    """Run the doctor as in a second terminal: all checks, or some."""
    only = [part for name in names for part in ("--only", name)]
    with pytest.MonkeyPatch.context() as patch:
        for name, value in more.items():
            patch.setenv(name, value)
        return results(manage_in(house.home, "doctor", "--json", "--seconds", "30", *only))


@contextmanager
def owner(house: House) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(house.home.database_url(), autocommit=True) as connection:
        yield connection


def test_a_healthy_house_has_nothing_wrong(house: House) -> None:
    found = doctor(house)
    assert {name: line for name, line in found.items() if line[0] != "ok"} == {}
    assert found.keys() == INSIDE.keys()


def test_a_valkey_that_may_throw_tasks_away_is_wrong(house: House) -> None:
    with Redis.from_url(house.home.redis_url) as valkey:
        for policy, grade in (("volatile-lru", "ok"), ("allkeys-lru", "wrong")):
            valkey.config_set("maxmemory", "256mb")
            valkey.config_set("maxmemory-policy", policy)
            assert doctor(house, "valkey-memory")["valkey-memory"][0] == grade
        valkey.config_set("maxmemory", "0")
        assert doctor(house, "valkey-memory")["valkey-memory"][0] == "ok"
        valkey.config_set("maxmemory-policy", "noeviction")


@pytest.mark.parametrize(
    ("breaks", "mends", "words"),
    [
        (
            "GRANT UPDATE ON ledger_entry TO pasch_app",
            "REVOKE UPDATE ON ledger_entry FROM pasch_app",
            "may UPDATE on table ledger_entry",
        ),
        (
            "ALTER TABLE games_past OWNER TO pasch_app",
            "ALTER TABLE games_past OWNER TO postgres",
            "owns table games_past",
        ),
        (
            "ALTER ROLE pasch_app CREATEROLE",
            "ALTER ROLE pasch_app NOCREATEROLE",
            "a power it must not have: CREATEROLE",
        ),
    ],
    ids=["right", "owner", "power"],
)
def test_a_role_with_more_than_it_needs_is_wrong(
    house: House, breaks: str, mends: str, words: str
) -> None:
    with owner(house) as database:
        database.execute("CREATE TABLE IF NOT EXISTS games_past ()")
        try:
            database.execute(breaks)
            grade, text = doctor(house, "application-role")["application-role"]
        finally:
            database.execute(mends)
            database.execute("DROP TABLE games_past")
    assert (grade, words in text) == ("wrong", True), text


def test_a_missing_migration_is_wrong(house: House) -> None:
    with owner(house) as database:
        kept = database.execute(
            "DELETE FROM django_migrations WHERE app = 'sessions' RETURNING *"
        ).fetchone()
        grade, text = doctor(house, "migrations")["migrations"]
        database.execute("INSERT INTO django_migrations VALUES (%s, %s, %s, %s)", kept)
    assert (grade, "1 missing: run manage.py prepare" in text) == ("wrong", True), text


def test_a_worker_that_does_not_answer_is_wrong(house: House) -> None:
    workers = [each for each in house.processes() if "worker" in each.cmdline()]
    assert workers
    for worker in workers:
        worker.suspend()
    try:
        grade, text = doctor(house, "workers")["workers"]
    finally:
        for worker in workers:
            os.kill(worker.pid, signal.SIGCONT)
    assert (grade, text.startswith("no worker answers")) == ("wrong", True), text


def test_a_clock_that_differs_is_wrong(house: House) -> None:
    """PostgreSQL looks for its clock in another schema first, for this role alone."""
    with owner(house) as database:
        database.execute("CREATE SCHEMA elsewhere")
        database.execute(
            "CREATE FUNCTION elsewhere.clock_timestamp() RETURNS timestamptz LANGUAGE sql"
            " AS $$ SELECT pg_catalog.clock_timestamp() + interval '90 seconds' $$"
        )
        try:
            database.execute("ALTER ROLE postgres SET search_path = elsewhere, pg_catalog, public")
            grade, text = doctor(house, "clock")["clock"]
        finally:
            database.execute("ALTER ROLE postgres RESET search_path")
            database.execute("DROP SCHEMA elsewhere CASCADE")
    assert (grade, " by 90." in text or " by 89." in text) == ("wrong", True), text


def test_places_that_cannot_be_used_are_wrong(house: House, tmp_path: Path) -> None:
    file = house.home.root / "secret-key"
    found = doctor(
        house, "seal-folder", "static-files", "mail-server", "last-copy",
        LEDGER_SEAL_FILE=f"{file}/seals.log", STATIC_ROOT=str(tmp_path),
        EMAIL_HOST="127.0.0.1", EMAIL_PORT="1", DEFAULT_FROM_EMAIL="house@pasch.example",
        BACKUP_FOLDER=str(tmp_path),
    )  # fmt: skip
    words = {
        "seal-folder": "cannot be written",
        "static-files": "run manage.py prepare --files",
        "mail-server": "127.0.0.1:1 takes no mail",
        "last-copy": "there is no copy",
    }
    for name, (grade, text) in found.items():
        assert (grade, words[name] in text) == ("wrong", True), text


def test_the_report_is_a_line_for_each_check(house: House) -> None:
    done = manage_in(house.home, "doctor", "--only", "disk", "--only", "valkey")
    lines = done.stdout.splitlines()
    assert [line.split(":")[0].split() for line in lines] == [["ok", "disk"], ["ok", "valkey"]]
    unknown = manage_in(house.home, "doctor", "--only", "nothing")
    assert "No check is called nothing" in unknown.stderr
