"""A whole house: both servers, two web servers, worker and beat, as processes.

They are started as in `docs/operations.md`, with the settings of a house that has servers of its
own; only https is off, for everything stays on 127.0.0.1. A supervisor starts again what ended.
Each process has a group of its own, and nothing but these processes is ever killed.
"""

import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import psutil
import redis

from harness.home import ROOT, free_port, group_kill, launched, status_of
from pasch.servers import embedded
from pasch.servers.embedded import EmbeddedError, Home

APPLICATION_ROLE: Final = "pasch_app"
START_SECONDS: Final = 300  # generous: machines are slow when many things start at once

WEB: Final = ("web0", "web1")
PROCESSES: Final = (*WEB, "worker", "beat")

_CELERY: Final = ("celery", "-A", "pasch", "--quiet")
MODULES: Final[dict[str, tuple[str, ...]]] = {
    "web": ("pasch.serve",),
    "worker": (
        *_CELERY, "worker", "--concurrency", "2", "--without-gossip", "--without-mingle",
        "--loglevel", "WARNING",
    ),
    "beat": (*_CELERY, "beat", "--pidfile=", "--loglevel", "WARNING"),
    "desk": ("bench.soak.desk",),
    "analysis": ("django", "analysis_worker"),
}  # fmt: skip


class HouseDown(Exception):
    """A process of the house does not come up; the text names it and shows its last lines."""


@dataclass(slots=True)
class Down:
    """A time in which something did not work, in seconds since 1970; `to_s` None: still."""

    what: str
    from_s: float
    to_s: float | None = None


@dataclass(slots=True)
class WholeHouse:
    """Everything below one temporary folder. `root` is the checkout that is run."""

    first: str = ""
    """What is called in each process before it begins: `MODULE:FUNCTION=WORD`."""
    hurried: bool = False
    """Whether web servers take frames as fast as programs send them."""
    parts: tuple[str, ...] = PROCESSES
    """The processes of an open house."""
    root: Path = ROOT
    home: Home = field(init=False)
    ports: dict[str, int] = field(default_factory=dict)
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    downs: list[Down] = field(default_factory=list)
    starts: dict[str, int] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    closed: bool = False
    lock: threading.RLock = field(default_factory=threading.RLock)
    servers: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self.home = Home(Path(tempfile.mkdtemp(prefix="pasch-house-")))
        self.ports = {name: free_port() for name in WEB}
        ours = (
            "DATABASE_URL",
            "REDIS_URL",
            "QUEUE_URL",
            "SECRET_KEY",
            "DICE_KEY",
            "PASCH_",
            "DJANGO_",
            "EMAIL",
        )
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
        self.environment = {
            **inherited,
            "DJANGO_SETTINGS_MODULE": "pasch.settings",
            "PYTHONPATH": os.pathsep.join([str(self.root), str(self.root / "platform")]),
            "PASCH_VAR": str(self.home.root),
            "DATABASE_URL": self.home.database_url(user=APPLICATION_ROLE),
            "REDIS_URL": self.home.redis_url,
            "SECRET_KEY": secrets.token_urlsafe(50),
            "DICE_KEY": secrets.token_urlsafe(50),
            "EMBEDDED": "0",
            "HTTPS": "0",
            "DEBUG": "0",
            "HOST": "127.0.0.1",
            "WEB_WORKERS": "1",  # each web server is one process, so that they die one by one
            "ALLOWED_HOSTS": "127.0.0.1",
            "EMAIL_HOST": "127.0.0.1",  # no player in it has an address
            "LOG_LEVEL": "WARNING",
            "SOCKETS_PER_ADDRESS": "1000000",  # all players come from this machine
            "LEDGER_WELCOME_CENTS": "1000",  # more is bought: presents are played for first
            "LEDGER_SECOND_FACTOR_SECONDS": "86400",  # one proof lasts a whole run
            "FAIRPLAY_ACTS": "0",  # its players leave and lose on purpose
            "LEDGER_SEAL_FILE": str(self.home.root / "seals.log"),
        }

    # --- opening and closing ---------------------------------------------------------------------

    def open_servers(self) -> None:
        """Start PostgreSQL and Valkey; prepare database and files as a house's owner does."""
        embedded.start(self.home)
        owner = {"DATABASE_URL": self.home.database_url(), "EMBEDDED": "1"}  # nothing is compressed
        prepared = self.run(["manage.py", "prepare"], {**self.environment, **owner})
        if prepared.returncode:
            raise HouseDown(f"the house cannot be prepared:\n{prepared.stderr[-2000:]}")

    def open(self) -> None:
        """Start every process and wait until the web servers answer."""
        for name in self.parts:
            self.start(name)
        for name in self.web:
            self.wait_for(name)

    @property
    def web(self) -> list[str]:
        """The web servers of an open house."""
        return [name for name in self.parts if name in WEB]

    def addresses(self) -> tuple[str, ...]:
        """Where players connect: host and port of each web server."""
        return tuple(f"127.0.0.1:{self.ports[name]}" for name in self.web)

    def mend(self) -> None:
        """Start whatever is down, and wait until every web server answers."""
        self.start_postgres()
        self.start_valkey()
        self.open()

    def close(self) -> None:
        """End everything and remove the folder; safe to call again."""
        with self.lock:
            self.closed = True
            for name in list(self.running):
                self.kill(name)
        with self.servers:  # other starts have finished
            embedded.stop(self.home, at_once=True)
        shutil.rmtree(self.home.root, ignore_errors=True)

    def manage(self, *arguments: str, owner: bool = True) -> subprocess.CompletedProcess[str]:
        """Run `manage.py`, as the owner of the database; the answer whatever the exit status."""
        told = dict(self.environment)
        if owner:
            told["DATABASE_URL"] = self.home.database_url()
        return self.run(["manage.py", *arguments], told)

    def made(self, module: str, *arguments: str) -> Any:
        """Return what a module prints as JSON, as the database's owner. Raises `HouseDown`."""
        done = self.run(
            ["-m", module, *arguments],
            {**self.environment, "DATABASE_URL": self.home.database_url()},
        )
        if done.returncode:
            raise HouseDown(f"{module} failed:\n{done.stderr[-3000:]}")
        return json.loads(done.stdout.splitlines()[-1])

    def run(
        self, arguments: list[str], environment: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a Python program of the house to its end."""
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=environment or self.environment,
            capture_output=True,
            text=True,
            timeout=10 * START_SECONDS,
            check=False,
        )

    # --- processes -------------------------------------------------------------------------------

    def start(self, name: str, *, clock_s: int = 0) -> None:
        """Start a process; its web server's clock is `clock_s` ahead of the machine's."""
        with self.lock:
            if self.closed or name in self.running:
                return
            self.running[name] = launched(
                self.command(name, clock_s),
                self._environment_of(name),
                log=self.log(name),
                tree=self.root,
            )
            self.starts[name] = self.starts.get(name, 0) + 1

    def command(self, name: str, clock_s: int = 0) -> list[str]:
        """How a process is started: as every house starts it, unless something is to be wrong."""
        module = MODULES[name.rstrip("01")]
        changed = ["--first", self.first] if self.first else []
        changed += ["--clock", str(clock_s)] if clock_s else []
        changed += ["--hurried"] if self.hurried and name in WEB else []
        launch = ["harness.launch", *changed, "--"] if changed else []
        return [sys.executable, "-m", *launch, *module]

    def _environment_of(self, name: str) -> dict[str, str]:
        port = {"PORT": str(self.ports[name])} if name in self.ports else {}
        return {**self.environment, **port}

    def log(self, name: str) -> Path:
        """The file for the output of a process."""
        return self.home.logs / f"{name}.log"

    def said(self, name: str) -> str:
        """The last lines of a process."""
        path = self.log(name)
        return (
            "\n".join(path.read_text(errors="replace").splitlines()[-15:]) if path.exists() else ""
        )

    def kill(self, name: str) -> None:
        """End a process and its children as a power cut would."""
        with self.lock:
            process = self.running.pop(name, None)
        if process is not None:
            group_kill(process)

    @contextlib.contextmanager
    def down(self, what: str) -> Iterator[None]:
        """Note the time in which something does not work."""
        noted = Down(what, time.time())
        self.downs.append(noted)
        try:
            yield
        finally:
            noted.to_s = time.time()

    def answer(self, name: str) -> int:
        """The status of a web server's health page; 0 if it does not answer."""
        return status_of(f"http://127.0.0.1:{self.ports[name]}/health/")

    def wait_for(self, name: str, *, healthy: bool = True) -> None:
        """Wait until a web server answers (`healthy`: and reaches everything it needs).

        One that ended meanwhile is started again. Raises `HouseDown`.
        """
        end = time.monotonic() + START_SECONDS
        while not self.closed:
            status = self.answer(name)
            if status == 200 or (status and not healthy):
                return
            self.restart_ended(name)
            if time.monotonic() > end:
                raise HouseDown(f"{name} answers {status or 'nothing'}:\n{self.said(name)}")
            time.sleep(0.1)

    def restart_ended(self, name: str) -> None:
        """Start a process again that ended by itself, as a supervisor does."""
        with self.lock:
            process = self.running.get(name)
            if process is not None and process.poll() is not None:
                del self.running[name]
                self.start(name)

    # --- servers ---------------------------------------------------------------------------------

    def kill_postgres(self) -> None:
        """Kill the postmaster and all its children: nothing that is only in memory survives."""
        pid = embedded.postgres_pid(self.home)
        if pid is None:
            return
        with contextlib.suppress(psutil.NoSuchProcess):
            postmaster = psutil.Process(pid)
            family = [postmaster, *postmaster.children(recursive=True)]
            for process in family:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            psutil.wait_procs(family, timeout=10)

    def start_postgres(self) -> None:
        """Start PostgreSQL again; it replays its log."""
        self._until_it_starts(lambda: embedded.postgres_start(self.home))

    def kill_valkey(self) -> None:
        """Kill Valkey; it keeps nothing on disk, so it comes back empty."""
        try:
            process = psutil.Process(int((self.home.run / "valkey.pid").read_text()))
            if str(self.home.valkey_socket) in " ".join(process.cmdline()):
                process.kill()
                process.wait(10)
        except (OSError, ValueError, psutil.NoSuchProcess):
            return

    def wipe_valkey(self) -> None:
        """Empty Valkey while everybody uses it."""
        with contextlib.suppress(redis.RedisError):
            redis.Redis.from_url(self.home.redis_url, socket_timeout=5).flushall()

    def start_valkey(self) -> None:
        """Start Valkey again."""
        self._until_it_starts(lambda: embedded.valkey_start(self.home))

    def _until_it_starts(self, start: Callable[[], None]) -> None:
        end = time.monotonic() + START_SECONDS
        while True:
            with self.servers:
                if self.closed:
                    return
                try:
                    start()
                except EmbeddedError:
                    if time.monotonic() > end:
                        raise
                else:
                    return
            time.sleep(0.2)
