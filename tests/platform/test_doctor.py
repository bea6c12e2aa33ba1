"""`manage.py doctor` finds nothing in a healthy house, and names each thing that a test breaks."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest
from redis import Redis

from harness.home import HomeHouse, free_port, manage
from harness.waiting import WAIT_SECONDS
from pasch.doctor.registry import INSIDE, inside, load, ok
from pasch.servers.embedded import Home, postgres_program
from tests.architecture.sources import ROOT
from tests.platform.test_settings import deployed

#: the limit of one check, and the rest for a busy machine


def results(done: subprocess.CompletedProcess[str]) -> dict[str, tuple[str, str]]:
    """Grade and text of each check; the exit status agrees with them."""
    told = json.loads(done.stdout)
    found = {each["name"]: (each["grade"], each["text"]) for each in told["checks"]}
    wrong = any(grade == "wrong" for grade, _text in found.values())
    assert done.returncode == int(wrong), done.stderr
    assert told["ok"] is not wrong
    return found


# --- without a house ------------------------------------------------------------------------------


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"LEDGER_PAYOUT_LARGE_CENTS": "1,5"}, "LEDGER_PAYOUT_LARGE_CENTS must be a whole number"),
        # a decision of seven days has lapsed: accounts/migrations/sql/two_people.sql
        ({"ROLE_WAIT_HOURS": "168"}, "ROLE_WAIT_HOURS must be a whole number of 24 to 144"),
        ({"SECRET_KEY": None}, "The SECRET_KEY setting must not be empty"),
    ],
    ids=["no number", "too long a wait", "no key"],
)
def test_a_house_whose_settings_are_not_complete_gets_a_sentence(
    told: dict[str, str | None], sentence: str
) -> None:
    done = deployed("manage.py", "doctor", "--only", "keys", **told)
    assert done.returncode == 1
    assert sentence in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.slow
def test_a_postgresql_that_hangs_is_a_finding_and_no_hang() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        began = time.monotonic()
        done = deployed(
            "manage.py", "doctor", "--json", "--seconds", "5",
            DATABASE_URL=f"postgresql://pasch_app@127.0.0.1:{port}/pasch",
            REDIS_URL=f"redis://127.0.0.1:{port}",
        )  # fmt: skip
        assert time.monotonic() - began < WAIT_SECONDS
    found = results(done)
    assert found["postgresql"][0] == found["valkey"][0] == "wrong"
    assert "does not answer" in found["postgresql"][1] or "no answer" in found["postgresql"][1]
    assert found["migrations"][0] == "not looked at"
    assert found["migrations"][1].startswith("not checked, because postgresql is wrong")
    assert found["workers"][1].startswith("not checked, because valkey is wrong")
    assert found["disk"][0] in ("ok", "warning"), "the others are checked all the same"


def test_a_check_that_hangs_or_fails_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from pasch.doctor.registry import examine

    load()
    monkeypatch.setattr("pasch.doctor.registry.INSIDE", found := {})
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


@pytest.fixture
def house() -> Iterator[HomeHouse]:
    """An open house that archives its log, with one copy and one audit."""
    folder = Path(tempfile.mkdtemp(prefix="pasch-doctor-"))
    folder.chmod(0o755)  # PostgreSQL may run as another user
    house = HomeHouse(Home(folder / "var"), free_port(), folder / "house.log")
    audit = "from ledger.tasks import audit; audit()"
    try:
        house.start(BACKUP_FOLDER=str(folder / "backup"))
        house.wait_until(house.is_ready)
        for command in (("backup", str(folder / "backup")), ("shell", "-v", "0", "-c", audit)):
            done = manage(house.home, *command)
            assert done.returncode == 0, done.stdout + done.stderr
        yield house
    finally:
        house.kill()
        shutil.rmtree(folder)


def note(house: HomeHouse, what: str) -> None:
    """Note a copy as the units and the containers do."""
    told = {**os.environ, "PGHOST": str(house.home.run)}
    told["PATH"] = f"{postgres_program('psql').parent}:{told['PATH']}"
    subprocess.run(["sh", ROOT / "deploy/postgres/note.sh", what], env=told, check=True)


def doctor(house: HomeHouse, *names: str, **more: str) -> dict[str, tuple[str, str]]:
    """Run the doctor as in a second terminal: all checks, or some; `more` are variables."""
    only = [part for name in names for part in ("--only", name)]
    return results(manage(house.home, "doctor", "--json", "--seconds", "30", *only, **more))


#: a break of a house, ended at its end; yields variables for the doctor
Break = Callable[[HomeHouse], AbstractContextManager[dict[str, str]]]


def by_sql(breaks: str, mends: str) -> Break:
    """A break that the owner of the database makes."""

    @contextmanager
    def broken(house: HomeHouse) -> Iterator[dict[str, str]]:
        with psycopg.connect(house.home.database_url(), autocommit=True) as database:
            database.execute(breaks)
            try:
                yield {}
            finally:
                database.execute(mends)

    return broken


def memory(policy: str, limit: str) -> Break:
    """A Valkey with this policy for a full memory, and this limit."""

    @contextmanager
    def broken(house: HomeHouse) -> Iterator[dict[str, str]]:
        with Redis.from_url(house.home.redis_url) as valkey:
            valkey.config_set("maxmemory-policy", policy)
            valkey.config_set("maxmemory", limit)
            yield {}
            valkey.config_set("maxmemory", "0")
            valkey.config_set("maxmemory-policy", "noeviction")

    return broken


@contextmanager
def workers_asleep(house: HomeHouse) -> Iterator[dict[str, str]]:
    """Workers that answer nobody."""
    asleep = [each for each in house.processes() if "worker" in each.cmdline()]
    assert asleep
    for worker in asleep:
        worker.suspend()
    yield {}
    for worker in asleep:
        worker.resume()


def with_variables(**more: str) -> Break:
    """A doctor with other variables; `{var}` is the house's folder."""

    @contextmanager
    def broken(house: HomeHouse) -> Iterator[dict[str, str]]:
        yield {name: text.format(var=house.home.root) for name, text in more.items()}

    return broken


#: PostgreSQL looks for its clock in another schema first, for this role alone
OTHER_CLOCK = """
    CREATE SCHEMA elsewhere;
    CREATE FUNCTION elsewhere.clock_timestamp() RETURNS timestamptz LANGUAGE sql
        AS $$ SELECT pg_catalog.clock_timestamp() + interval '90 seconds' $$;
    ALTER ROLE postgres SET search_path = elsewhere, pg_catalog, public
"""


def noted(role: str, before: str) -> tuple[str, str]:
    """Let a copy be older, and as before."""
    change = "UPDATE games_heartbeat SET beat_at = beat_at {} interval '{}' WHERE role = '{}'"
    return change.format("-", before, role), change.format("+", before, role)


#: what is broken at the same time: the check, its grade, words of its text, and the break
ROUNDS: list[dict[str, tuple[str, str, Break]]] = [
    {
        "valkey-memory": (
            "wrong",
            "maxmemory_policy is allkeys-lru",
            memory("allkeys-lru", "256mb"),
        ),
        "workers": ("wrong", "no worker answers", workers_asleep),
        "application-role": (
            "wrong",
            "may UPDATE on table ledger_entry",
            by_sql(
                "GRANT UPDATE ON ledger_entry TO pasch_app",
                "REVOKE UPDATE ON ledger_entry FROM pasch_app",
            ),
        ),
        "migrations": (
            "wrong",
            "1 missing: run manage.py prepare",
            by_sql(
                "CREATE TABLE kept AS SELECT * FROM django_migrations WHERE app = 'sessions';"
                "DELETE FROM django_migrations WHERE app = 'sessions'",
                "INSERT INTO django_migrations OVERRIDING SYSTEM VALUE SELECT * FROM kept;"
                "DROP TABLE kept",
            ),
        ),
        "clock": (
            "wrong",
            "differs from PostgreSQL's by ",
            by_sql(
                OTHER_CLOCK, "ALTER ROLE postgres RESET search_path; DROP SCHEMA elsewhere CASCADE"
            ),
        ),
        "seal-folder": (
            "wrong",
            "secret-key/seals.log cannot be written",
            with_variables(LEDGER_SEAL_FILE="{var}/secret-key/seals.log"),
        ),
        "static-files": (
            "wrong",
            "run manage.py prepare --files",
            with_variables(STATIC_ROOT="{var}/none"),
        ),
        "mail-server": (
            "wrong",
            "127.0.0.1:1 takes no mail",
            with_variables(
                EMAIL_HOST="127.0.0.1", EMAIL_PORT="1", DEFAULT_FROM_EMAIL="a@pasch.example"
            ),
        ),
        "last-copy": ("wrong", "there is no copy", with_variables(BACKUP_FOLDER="{var}")),
        "offsite": ("wrong", "to another place 180 min ago", by_sql(*noted("offsite", "3 hours"))),
    },
    {
        "last-copy": ("wrong", "look why the nightly", by_sql(*noted("copy", "3 days"))),
        "valkey-memory": ("ok", "of 256 MiB in use", memory("volatile-lru", "256mb")),
        "application-role": (
            "wrong",
            "owns table games_past",
            by_sql(
                "CREATE TABLE games_past (); ALTER TABLE games_past OWNER TO pasch_app",
                "DROP TABLE games_past",
            ),
        ),
    },
    {
        "last-copy": (
            "not looked at",
            "BACKUP_FOLDER is not set here",
            by_sql(
                "UPDATE games_heartbeat SET role = 'kept' WHERE role = 'copy'",
                "UPDATE games_heartbeat SET role = 'copy' WHERE role = 'kept'",
            ),
        ),
        "valkey-memory": ("ok", "without a limit", memory("allkeys-lru", "0")),
        "application-role": (
            "wrong",
            "a power it must not have: CREATEROLE",
            by_sql("ALTER ROLE pasch_app CREATEROLE", "ALTER ROLE pasch_app NOCREATEROLE"),
        ),
    },
]


@pytest.mark.slow
def test_a_healthy_house_has_nothing_wrong_and_each_thing_that_breaks_is_named(
    house: HomeHouse,
) -> None:
    load()
    backups = {"BACKUP_FOLDER": str(house.home.root.parent / "backup")}
    as_the_house = {"DATABASE_URL": house.home.database_url(user="pasch_app"), "EMBEDDED": "1"}
    unseen = {"offsite": "not looked at"}
    for more in (backups, as_the_house):
        found = doctor(house, **more)
        assert {name: line[0] for name, line in found.items() if line[0] != "ok"} == unseen
        assert found.keys() == INSIDE.keys()
        note(house, "offsite")
        unseen = {}
    for broken in ROUNDS:
        with ExitStack() as breaks:
            more = {}
            for _grade, _words, begin in broken.values():
                more |= breaks.enter_context(begin(house))
            found = doctor(house, *broken, **more)
        for check, (grade, words, _begin) in broken.items():
            assert (found[check][0], words in found[check][1]) == (grade, True), found[check]
    done = manage(house.home, "doctor", "--only", "application-role", "--only", "workers")
    lines = [line.split(":")[0].split() for line in done.stdout.splitlines()]
    assert lines == [["ok", "application-role"], ["ok", "workers"]], "all is mended"


@pytest.mark.slow
def test_a_check_without_a_name_is_refused() -> None:
    unknown = deployed("manage.py", "doctor", "--only", "nothing")
    assert (unknown.returncode, "No check is called nothing" in unknown.stderr) == (1, True)
