"""PostgreSQL and Valkey of one test session.

Their addresses are known at once, from the name of a temporary folder, so that the settings can be
read; the servers themselves start when a test first needs the database, so that the pure tests
do not wait. Under xdist all workers share one PostgreSQL (each has a database of its own) and
one Valkey (each has a database number and a channel prefix of its own); the first process that
needs them starts them, the process that made the folder stops them. `DATABASE_URL` and
`REDIS_URL` name others.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil

from pasch.servers.embedded import Home, start, stop

HOME_VARIABLE = "PASCH_TEST_HOME"
#: an address at which no Valkey listens
NO_VALKEY = "redis://127.0.0.1:1/0"
PREFIX = "pasch-test-"
# A test server loses its data when it stops: nothing is flushed, but every statement still
# waits for its commit as in the real house.
UNSAFE = {"fsync": "off", "full_page_writes": "off", "max_connections": "300"}


@contextmanager
def house_opened(
    postgres: Mapping[str, str] = UNSAFE, *, keep: Path | None = None
) -> Iterator[Path]:
    """Servers and a migrated database of this process alone, with Django set up; their folder.

    The folder is removed at the end, unless it is one to keep.
    """
    os.environ["DJANGO_SETTINGS_MODULE"] = "harness.settings"
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        os.environ[HOME_VARIABLE] = str(keep)
    home = _home()
    start(home, postgres_settings=dict(postgres))
    try:
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        yield home.root
    finally:
        if keep is not None:
            stop(home)
        servers_stop()


def worker_number() -> int:
    """0 without xdist, else 1 for gw0, 2 for gw1 and so on."""
    name = os.environ.get("PYTEST_XDIST_WORKER", "")
    return int(name.removeprefix("gw")) + 1 if name else 0


def addresses() -> tuple[str, str]:
    """The addresses of the database and of Valkey: the environment's, or this session's own."""
    home = _home()
    database = os.environ.get("DATABASE_URL") or home.database_url()
    redis = os.environ.get("REDIS_URL") or home.redis_url
    if "+sentinel" in redis:  # servers of one test alone
        return database, redis
    separator = "&" if "?" in redis else "?"
    return database, f"{redis}{separator}db={worker_number()}"


def servers_start() -> None:
    """Start the session's servers unless they run, or the environment names others for both."""
    if os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"):
        return
    home = _home()
    with (home.root / "start.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        start(home, postgres_settings=UNSAFE)


def servers_stop() -> None:
    """Stop the session's servers and remove its folder; calls by other processes do nothing."""
    home = _home()
    if home.root.name.startswith(f"{PREFIX}{os.getpid()}-"):
        _remove(home)


def _home() -> Home:
    """The folder of this session; made by the first process, inherited by xdist's workers."""
    if HOME_VARIABLE not in os.environ:
        _remove_abandoned()
        os.environ[HOME_VARIABLE] = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")
    return Home(Path(os.environ[HOME_VARIABLE]))


def _remove_abandoned() -> None:
    """Stop and remove the servers of sessions that were killed before they could."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        pid = folder.name.removeprefix(PREFIX).split("-")[0]
        if pid.isdigit() and not psutil.pid_exists(int(pid)) and _is_ours(folder):
            _remove(Home(folder))


def _is_ours(folder: Path) -> bool:
    """Whether this user made the folder; another process may be removing it at this moment."""
    try:
        return folder.stat().st_uid == os.geteuid()
    except FileNotFoundError:
        return False


def _remove(home: Home) -> None:
    stop(home, at_once=True)
    shutil.rmtree(home.root, ignore_errors=True)
    if home.run != home.root / "run":
        shutil.rmtree(home.run, ignore_errors=True)
