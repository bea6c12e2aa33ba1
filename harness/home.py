"""Whole houses as processes, for tests that open, break and close them."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from harness.servers import worker_number
from harness.waiting import PROGRAM_SECONDS, WAIT_SECONDS, wait_until
from pasch.servers.embedded import Home
from pasch.servers.processes import wait_until_ended

ROOT = Path(__file__).resolve().parents[1]


_given: set[int] = set()


def free_port() -> int:
    """A port that is free now; the system gives none of these to clients, and this no other.

    Each worker of the tests takes its ports from a range of its own.
    """
    while True:
        port = 20_000 + 1_500 * (worker_number() % 8) + secrets.randbelow(1_500)
        if port in _given:
            continue
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            _given.add(port)
            return port


def launched(
    command: Sequence[str], environment: Mapping[str, str], *, log: Path | None, tree: Path = ROOT
) -> subprocess.Popen[bytes]:
    """Start a program of a tree in a process group of its own, so that no child survives
    `group_kill`; its output goes to `log`, or to the terminal."""
    with log.open("ab") if log else nullcontext() as output:
        return subprocess.Popen(
            command,
            cwd=tree,
            env=environment,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def group_kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and its children as a power cut would: they cannot react."""
    with suppress(ProcessLookupError):  # it may have ended already
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def status_of(address: str) -> int:
    """The status that a page answers with; 0 if nothing answers."""
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def environment(home: Home, **more: str) -> dict[str, str]:
    """An environment that names no servers but the house's own."""
    ours = {
        "DATABASE_URL",
        "REDIS_URL",
        "QUEUE_URL",
        "SECRET_KEY",
        "DJANGO_SETTINGS_MODULE",
        "PASCH_HOUSE",
    }
    ours |= {"DJANGO_ALLOW_ASYNC_UNSAFE", "WEB_WORKERS"}  # the default number of a house
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return {**kept, "PASCH_VAR": str(home.root), **more}


def manage(
    home: Home, *arguments: str, tree: Path = ROOT, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run a management command against a house, as in a second terminal; `more` are variables."""
    return subprocess.run(
        [sys.executable, tree / "manage.py", *arguments],
        cwd=tree,  # whose modules come first
        env=environment(home, PYTHONPATH=f"{tree}:{tree / 'platform'}", **more),
        capture_output=True,
        text=True,
        timeout=PROGRAM_SECONDS,
        check=False,
    )


@dataclass(slots=True)
class HomeHouse:
    """Runs `python -m pasch.home.house` of a tree on a folder of its own."""

    home: Home
    port: int | str
    log: Path
    process: subprocess.Popen[bytes] | None = None
    tree: Path = ROOT

    def start(self, **more: str) -> None:
        """Start without waiting."""
        path = f"{self.tree}:{self.tree / 'platform'}"
        self.process = launched(
            [sys.executable, "-m", "pasch.home.house"],
            environment(self.home, PORT=str(self.port), PYTHONPATH=path, **more),
            log=self.log,
            tree=self.tree,
        )

    def open(self) -> float:
        """Start and wait until the house reports that it is open; return the seconds it took."""
        begin = time.monotonic()
        before = self.said_open()
        self.start()
        self.wait_until(lambda: self.said_open() > before)
        return time.monotonic() - begin

    def wait_until(self, reached: Callable[[], bool]) -> None:
        """Wait for an event while the house opens; the house must not end meanwhile."""

        def alive_and_reached() -> bool:
            assert self.process is not None
            assert self.process.poll() is None, self.log.read_text()
            return reached()

        wait_until(alive_and_reached, self.log.read_text, seconds=PROGRAM_SECONDS)

    def said_open(self) -> int:
        """How many times the house has reported that it is open."""
        return self.log.read_text().count("Pasch is open at") if self.log.exists() else 0

    def answers(self, path: str = "/health/") -> bool:
        """Whether the web server reports that all that it needs works."""
        return status_of(f"http://127.0.0.1:{self.port}{path}") == 200

    def is_ready(self) -> bool:
        """Whether the whole house works: the worker and beat as well."""
        return self.answers("/health/house/")

    def close(self) -> int:
        """Press Ctrl-C, wait, and return the exit status."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(WAIT_SECONDS)

    def processes(self) -> list[psutil.Process]:
        """Every process of this house, the servers included."""
        found = []
        for process in psutil.process_iter():
            try:
                told = process.environ().get("PASCH_VAR") == str(self.home.root)
                if told or str(self.home.root) in " ".join(process.cmdline()):
                    found.append(process)
            except psutil.Error:
                continue
        return found

    def kill(self) -> None:
        """`kill -9` all processes at once."""
        doomed = self.processes()
        for process in doomed:
            process.kill()
        if self.process is not None:
            self.process.wait(WAIT_SECONDS)
        assert wait_until_ended(doomed, WAIT_SECONDS) == []
