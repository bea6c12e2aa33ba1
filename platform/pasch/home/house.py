"""`scripts/play`: the whole house in one terminal, from an empty folder to a running site.

Starts PostgreSQL and Valkey (unless the environment names others), prepares the database, and runs
the web server, the Celery worker, beat and a worker of the analysis until Ctrl-C, which stops
everything. What dies meanwhile is started again (pasch/home/keeper.py). A house that was killed is
found and tidied up by the next start. This module never loads Django: what needs it runs in
processes of its own.
"""

import errno
import fcntl
import ipaddress
import multiprocessing
import os
import secrets
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import IO

import psutil
from honcho.printer import Printer

from pasch.backups.backup import archive_settings
from pasch.home.keeper import Keeper, Server
from pasch.servers.embedded import (
    EmbeddedError,
    Home,
    postgres_pid,
    postgres_start,
    postgres_stop,
    valkey_pid,
    valkey_start,
    valkey_stop,
)
from pasch.servers.processes import wait_until_ended

ROOT = Path(__file__).resolve().parents[3]
APPLICATION_ROLE = "pasch_app"
MARK = "PASCH_HOUSE"  # every process of a house carries the house's folder under this name
LEFTOVER_SECONDS = 5
OPENING_SECONDS = 60
WELCOME_CENTS = "10000"

PROCESSES = {
    "web": "-m pasch.serve",
    # (Celery warns of root; here root is the user of a laptop, and the sockets are private.)
    # The web server makes Django's checks for all.
    "worker": "-W ignore::UserWarning:celery.platforms -m celery -A pasch --quiet --skip-checks"
    " worker"
    # Threads: closing the house ends whole groups of processes, and a child would die mid-task.
    " --pool threads --concurrency 2 --without-gossip --without-mingle --loglevel WARNING",
    "analysis": "manage.py analysis_worker",
    "beat": "-m celery -A pasch --quiet --skip-checks beat --pidfile= --loglevel WARNING",
}


class HouseError(Exception):
    """The house cannot open; the text is the reason in one sentence."""


def main() -> int:
    """Open the house, keep it open until a signal, close it; the exit status."""
    home = Home(Path(os.environ.get("PASCH_VAR") or ROOT / "var").resolve())
    try:
        host, port = _address()
        with ExitStack() as closing:
            closing.enter_context(_lock(home))
            _end_leftovers(home)  # before the port is checked: they may hold it
            _check_port(host, port)
            _check_data(home)
            servers = _start_servers(home, closing)
            environment = _environment(home, host, port)  # its keys say that there were data
            _prepare(environment)
            address = f"http://{_shown(host)}:{port}/"
            return _run(_with_application_role(home, environment), address, servers)
    except (HouseError, EmbeddedError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        return 130


def _address() -> tuple[str, int]:
    """Where to listen, from HOST and PORT."""
    host, port = os.environ.get("HOST", "127.0.0.1"), os.environ.get("PORT", "8000")
    if not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise HouseError(f"PORT is {port!r}, which is no port number (1 to 65535).")
    return host, int(port)


def _check_port(host: str, port: int) -> None:
    """Raise `HouseError` if the address cannot be used."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except socket.gaierror as error:
        raise HouseError(f"HOST is {host!r}, which is no address of this machine.") from error
    except PermissionError as error:
        raise HouseError(
            f"Your user may not listen on port {port}; choose one above 1023: PORT=8000."
        ) from error
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise HouseError(f"HOST is {host!r}, which is no address of this machine.") from error
        raise HouseError(
            f"Port {port} on {host} is taken ({error.strerror}); stop the other program, or choose"
            f" another port: PORT={port % 65535 + 1}."
        ) from error


def _check_data(home: Home) -> None:
    """Raise `HouseError` if the data folder of a house is missing: no new one replaces it."""
    if os.environ.get("DATABASE_URL") or (home.postgres_data / "PG_VERSION").exists():
        return
    kept = [home.root / name for name in ("dice-key", "secret-key", "seals.log")]
    if folder := os.environ.get("BACKUP_FOLDER"):
        kept += [Path(folder).resolve() / name for name in ("base", "wal")]
    left = [path for path in kept if path.is_file() or (path.is_dir() and any(path.iterdir()))]
    if left and os.environ.get("EMPTY_HOUSE") != "1":
        raise HouseError(
            f"The data folder {home.postgres_data} is missing, and a house was here"
            f" ({', '.join(map(str, left))}): bring it back, from where it was moved to or with"
            " scripts/restore; or, for a new and empty house, name another folder with PASCH_VAR"
            f"{' and with BACKUP_FOLDER' if folder else ''}."
        )


def _lock(home: Home) -> IO[str]:
    """Take the house's lock, which the kernel frees when this process ends in whatever way."""
    try:
        home.root.mkdir(parents=True, exist_ok=True)
        lock = (home.root / "play.lock").open("w")
    except OSError as error:
        raise HouseError(
            f"The folder {home.root} cannot be used ({error.strerror}); give your user the right to"
            " write there, or name another folder with PASCH_VAR."
        ) from error
    try:
        # A record lock, since the other kind is inherited by children, who may outlive a kill -9.
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise HouseError(f"This house is open already (in {home.root}); stop it first.") from error
    return lock


def _end_leftovers(home: Home) -> None:
    """End the processes of a house whose first process was killed before it could.

    One that watched over others may have made another while they were being ended: look again.
    """
    deadline = time.monotonic() + LEFTOVER_SECONDS
    while (leftovers := _leftovers(home)) and time.monotonic() < deadline:
        for process in leftovers:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        wait_until_ended(leftovers, LEFTOVER_SECONDS)


def _leftovers(home: Home) -> list[psutil.Process]:
    """The living processes of this house but for this one and those above it."""
    ours = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
    found = []
    for process in psutil.process_iter():
        try:
            lives = process.status() != psutil.STATUS_ZOMBIE
            if lives and process.pid not in ours and process.environ().get(MARK) == str(home.root):
                found.append(process)
        except psutil.Error:
            continue
    return found


def _environment(home: Home, host: str, port: int) -> dict[str, str]:
    """The environment of every process of the house."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "pasch.settings",
        "PYTHONUNBUFFERED": "1",
        "PASCH_VAR": str(home.root),
        "HOST": host,
        "PORT": str(port),
        MARK: str(home.root),
    }
    environment.setdefault("SECRET_KEY", _key(home, "secret-key"))
    environment.setdefault("DICE_KEY", _key(home, "dice-key"))
    if not os.environ.get("DATABASE_URL"):  # a house to try: everybody gets something to play for
        environment.setdefault("LEDGER_WELCOME_CENTS", WELCOME_CENTS)
    if "ALLOWED_HOSTS" not in os.environ:
        environment["ALLOWED_HOSTS"] = f"127.0.0.1,localhost,[::1],{_shown(host)}"
    return environment


def _key(home: Home, name: str) -> str:
    """A key of this house; made once, readable by its owner only."""
    path = home.root / name
    if not path.exists():
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as output:
            output.write(secrets.token_urlsafe(50))
    return path.read_text()


def _start_servers(home: Home, closing: ExitStack) -> list[Server]:
    """Start what the environment does not name, have it stopped at the end, and return it."""
    started = []
    if not os.environ.get("DATABASE_URL"):
        closing.callback(postgres_stop, home)
        folder = os.environ.get("BACKUP_FOLDER")
        archive = archive_settings(Path(folder).resolve()) if folder else {}
        start = partial(postgres_start, home, settings=archive)
        started.append(Server("PostgreSQL", lambda: postgres_pid(home) is not None, start))
    if not os.environ.get("REDIS_URL"):
        closing.callback(valkey_stop, home)
        start = partial(valkey_start, home)
        started.append(Server("Valkey", lambda: valkey_pid(home) is not None, start))
    for server in started:
        server.start()
    return started


def _prepare(environment: dict[str, str]) -> None:
    """Migrate and furnish, as the owner of the database."""
    owner = environment.get("MIGRATE_DATABASE_URL") or environment.get("DATABASE_URL")
    told = {**environment, **({"DATABASE_URL": owner} if owner else {})}
    command = [sys.executable, str(ROOT / "manage.py"), "prepare", "--demo"]
    if subprocess.run(command, cwd=ROOT, env=told, check=False).returncode:
        raise HouseError("The database could not be prepared; the reason stands above.")


def _with_application_role(home: Home, environment: dict[str, str]) -> dict[str, str]:
    """The environment in which the house runs: on its own server, as the role that owns nothing."""
    import psycopg

    if environment.get("DATABASE_URL"):
        return environment
    address = home.database_url(user=APPLICATION_ROLE)
    try:
        psycopg.connect(address, connect_timeout=5).close()
    except psycopg.Error as error:
        reason = str(error).strip().splitlines()[0]
        raise HouseError(
            f"The role {APPLICATION_ROLE} cannot use the database: {reason}"
        ) from error
    # The house stays an embedded one although its database now has an address.
    return {**environment, "DATABASE_URL": address, "EMBEDDED": "1"}


def _run(environment: dict[str, str], address: str, servers: list[Server]) -> int:
    """Keep everything running until a signal comes; 0 if a person sent it."""
    keeper = Keeper(Printer(sys.stdout), servers)
    for name, arguments in PROCESSES.items():
        # `exec`: signals reach the program itself, not a shell around it.
        command = f"exec {shlex.quote(sys.executable)} {arguments}"
        keeper.add_process(name, command, env=environment, cwd=str(ROOT))
    announcer = multiprocessing.Process(target=_announce, args=(address,), daemon=True)
    announcer.start()
    keeper.loop()
    announcer.kill()
    asked = keeper.returncode in (130, 143)
    sys.stdout.write("Pasch is closed.\n" if asked else "A process could not be kept; closed.\n")
    return 0 if asked else 1


def _announce(address: str) -> None:
    """Print that the house is open as soon as it answers. Runs in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for _ in range(OPENING_SECONDS * 10):
        try:
            urllib.request.urlopen(f"{address}health/", timeout=5).close()
        except urllib.error.HTTPError:
            pass  # it may accept another host name only; any answer will do
        except OSError:
            time.sleep(0.1)
            continue
        sys.stdout.write(f"\nPasch is open at {address} (Ctrl-C closes it).\n\n")
        sys.stdout.flush()
        return


def _shown(host: str) -> str:
    """A host as it is written in a URL."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.is_unspecified:
        return "127.0.0.1"
    return f"[{host}]" if address.version == 6 else host


if __name__ == "__main__":
    sys.exit(main())
